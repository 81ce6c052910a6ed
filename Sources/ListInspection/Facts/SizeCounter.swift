import ListModel
import ListStore

/// Counts the sizes of one list.
struct SizeCounter {
  let keys: [StoreSizes.Key]
  /// The place of each key in `keys`, by row.
  let places: [Int: Int]
  /// Sizes that no cell can have.
  private(set) var impossibleCount = 0
  private var lengths: [GroupID: LengthCounts] = [:]
  private var staleCounts: [GroupID: [StoreSizes.Reason: Int]] = [:]
  /// By the cell or view that the size is for now.
  private var exact: [GroupID: LengthCounts] = [:]
  private var stale: [GroupID: LengthCounts] = [:]

  /// What sizes are counted for: a cell, or a view of sections.
  struct Owner: Hashable {
    /// The name of the cell or the view.
    var name: String
    /// The kind of a view.
    var kind: String?
  }

  private struct GroupID: Hashable {
    var owner: Owner
    var key: Int
  }

  init(keys: [StoreSizes.Key], places: [Int: Int]) {
    self.keys = keys
    self.places = places
  }

  mutating func add(_ size: StoredSize) {
    add(
      size.size, key: size.key, measured: Owner(name: size.measuredCell.rawValue),
      now: Owner(name: size.cell.rawValue), reason: StoreSizes.Reason(size.reason))
  }

  /// Counts a size.
  ///
  /// - Parameters:
  ///   - size: The size in points.
  ///   - row: The row of its key.
  ///   - measured: What was measured.
  ///   - owner: What it is the size of now.
  ///   - reason: Why it no longer holds; `nil` if it does, for its key.
  mutating func add(
    _ size: Size, key row: Int, measured: Owner, now owner: Owner, reason: StoreSizes.Reason?
  ) {
    guard let place = places[row] else { return }
    let key = keys[place]
    let length = key.axis == "vertical" ? size.height : size.width
    let group = GroupID(owner: measured, key: place)
    guard lengths[group, default: LengthCounts()].add(length) else { return impossibleCount += 1 }
    if let reason = reason ?? (key.isNewest ? nil : .key) {
      staleCounts[group, default: [:]][reason, default: 0] += 1
    }
    guard key.isNewest else { return }
    let ofOwner = GroupID(owner: owner, key: place)
    if reason == nil {
      exact[ofOwner, default: LengthCounts()].add(length)
    } else {
      stale[ofOwner, default: LengthCounts()].add(length)
    }
  }

  /// - Returns: `nil` if there are no sizes.
  func answer(_ list: ListID) -> StoreSizes.List? {
    let lengths = lengths.filter { $0.value.count > 0 }
    if lengths.isEmpty { return nil }
    let groups = lengths.sorted {
      ($0.key.key, $0.key.owner.kind ?? "", $0.key.owner.name)
        < ($1.key.key, $1.key.owner.kind ?? "", $1.key.owner.name)
    }.map { group, lengths in
      StoreSizes.Group(
        cell: group.owner.name, kind: group.owner.kind, key: group.key, lengths,
        staleCounts[group] ?? [:])
    }
    let error = stale.reduce(0) { sum, stale in
      sum + (exact[stale.key]?.percentile(0.5).map(stale.value.distance(from:)) ?? 0)
    }
    return StoreSizes.List(list: list.rawValue, groups: groups, estimatedError: error)
  }
}

extension StoreSizes.Reason {
  fileprivate init?(_ reason: SizeAnswer.EstimateReason?) {
    switch reason {
    case .otherCell: self = .cell
    case .otherContent: self = .content
    case .otherLayout: self = .layout
    default: return nil
    }
  }
}
