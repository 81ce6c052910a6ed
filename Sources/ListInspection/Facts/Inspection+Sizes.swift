import Foundation
public import ListModel
import ListStore

extension Inspection {
  /// The measured sizes of items: how they are spread for each cell and key, and which hold no
  /// longer.
  ///
  /// A list whose sizes can't be read is absent, and ``StoreSizes/findings`` says why.
  ///
  /// - Parameter list: The list; `nil` for all lists.
  /// - Returns: The sizes of each list by cell and key.
  /// - Complexity: O(*n*), *n* items and sizes.
  public func sizes(of list: ListID? = nil) -> StoreSizes {
    var sizes = StoreSizes(file: file.path)
    sizes.findings = findings
    guard case .success = opened else { return sizes }
    do throws(StoreError) {
      let repository = try lists()
      let keys = try sizeKeys(repository)
      sizes.keys = keys.map(\.key)
      let places = Dictionary(uniqueKeysWithValues: zip(keys.map(\.row), keys.indices))
      let wanted: [ListID]
      if let list { wanted = [list] } else { wanted = try repository.lists() }
      for list in wanted {
        do throws(StoreError) {
          var counter = SizeCounter(keys: sizes.keys, places: places)
          try repository.forEachStoredSize(of: list) { counter.add($0) }
          if counter.impossibleCount > 0 {
            sizes.findings.append(.impossibleSizes(list, counter.impossibleCount))
          }
          if let answer = counter.answer(list) { sizes.lists.append(answer) }
        } catch {
          sizes.findings.append(.unreadable("list \"\(list)\": its measured sizes", error))
        }
      }
    } catch {
      sizes.findings.append(.unreadable("the measured sizes", error))
    }
    return sizes
  }

  /// The keys of the store, those used last first.
  private func sizeKeys(
    _ repository: Repository
  ) throws(StoreError) -> [(row: Int, key: StoreSizes.Key)] {
    try repository.read("read what sizes were measured for") { db in
      var keys: [(row: Int, key: StoreSizes.Key)] = []
      var newest: Set<String> = []
      try Statements(db)(
        """
        SELECT sizeKey.id, axis, fittingPixels, variant, usedAt, contentSizeCategory,
          legibilityWeight, layoutDirection, locale, displayScale, system
        FROM sizeKey JOIN layoutEnvironment ON layoutEnvironment.id = environment
        WHERE usedAt >= 0 ORDER BY usedAt DESC, sizeKey.id DESC
        """
      ).forEach { row in
        let axis = try row.text(1)
        let environment = try LayoutEnvironment(row, from: 5)
        guard environment.displayScale.isFinite else {
          throw FormatError("a display scale is \(environment.displayScale)")
        }
        let key = StoreSizes.Key(
          axis: axis, fittingPixels: try row.integer(2), variant: try row.text(3),
          environment: environment, usedAt: try row.integer(4),
          isNewest: newest.insert(axis).inserted)
        keys.append((try row.integer(0), key))
      }
      return keys
    }
  }
}

/// Counts the sizes of one list.
private struct SizeCounter {
  let keys: [StoreSizes.Key]
  /// The place of each key in `keys`, by row.
  let places: [Int: Int]
  /// Sizes that no cell can have.
  private(set) var impossibleCount = 0
  private var lengths: [GroupID: LengthCounts] = [:]
  private var staleCounts: [GroupID: [StoreSizes.Reason: Int]] = [:]
  /// By the cell that the item has now.
  private var exact: [GroupID: LengthCounts] = [:]
  private var stale: [GroupID: LengthCounts] = [:]

  private struct GroupID: Hashable {
    var cell: CellName
    var key: Int
  }

  init(keys: [StoreSizes.Key], places: [Int: Int]) {
    self.keys = keys
    self.places = places
  }

  mutating func add(_ size: StoredSize) {
    guard let place = places[size.key] else { return }
    let key = keys[place]
    let length = key.axis == "vertical" ? size.size.height : size.size.width
    guard (0...1e6).contains(length) else { return impossibleCount += 1 }
    let group = GroupID(cell: size.measuredCell, key: place)
    lengths[group, default: LengthCounts()].add(length)
    if let reason = StoreSizes.Reason(size.reason) ?? (key.isNewest ? nil : .key) {
      staleCounts[group, default: [:]][reason, default: 0] += 1
    }
    guard key.isNewest else { return }
    let ofItem = GroupID(cell: size.cell, key: place)
    if size.reason == nil {
      exact[ofItem, default: LengthCounts()].add(length)
    } else {
      stale[ofItem, default: LengthCounts()].add(length)
    }
  }

  /// - Returns: `nil` if there are no sizes.
  func answer(_ list: ListID) -> StoreSizes.List? {
    if lengths.isEmpty { return nil }
    let groups = lengths.sorted {
      ($0.key.key, $0.key.cell.rawValue) < ($1.key.key, $1.key.cell.rawValue)
    }.map { group, lengths in
      StoreSizes.Group(
        cell: group.cell.rawValue, key: group.key, lengths, staleCounts[group] ?? [:])
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

extension Finding {
  fileprivate static func impossibleSizes(_ list: ListID, _ count: Int) -> Finding {
    Finding(
      severity: .error, code: .size, place: "list \"\(list)\"",
      message: "\(count) sizes that no cell can have",
      meaning: "Scrolling jumps, or cells have a wrong height.",
      advice: "Delete the sizes (`Repository.deleteSizes`), and let the cells be measured again.")
  }
}
