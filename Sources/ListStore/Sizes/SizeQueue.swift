import Dispatch
import GRDB
import ListModel
import StoreSchema

/// Measured sizes that wait to be written to the store.
///
/// They are written together, on another thread than the one that measured, a quarter of a second
/// after the first or when there are 1,000. Sizes that can't be written are dropped, because they
/// can be measured again.
final class SizeQueue: Sendable {
  private let store: StoreWriter
  private let waiting = Guarded<[Waiting]>([])
  private let writer = DispatchQueue(label: "Cellar sizes", qos: .utility)

  struct Waiting: Sendable {
    var list: ListID
    /// `nil`: all keys.
    var key: SizeKey?
    var size: Measured
  }

  enum Measured: Sendable {
    case item(KnownSize)
    case supplementary(KnownSupplementarySize)
    /// An item, by its row, whose sizes hold no more.
    case staleItem(Int)
    /// A header or a footer whose sizes hold no more.
    case staleSupplementary(SectionID, Supplementary.Kind)
    /// A section of whose items and views no size holds any more.
    case staleSection(SectionID)
  }

  private static let maximumCount = 1_000
  private static let delay = DispatchTimeInterval.milliseconds(250)

  init(_ store: StoreWriter) { self.store = store }

  func add(_ size: Waiting) {
    let count = waiting.withValue { waiting in
      waiting.append(size)
      return waiting.count
    }
    if count == 1 {
      writer.asyncAfter(deadline: .now() + Self.delay) { [weak self] in self?.write() }
    } else if count == Self.maximumCount {
      writer.async { [weak self] in self?.write() }
    }
  }

  /// Writes the sizes that wait, and waits for those that another thread is writing.
  ///
  /// Inside an edit nothing can be written, so the sizes wait on.
  func flush() {
    if store.isInside { return }
    writer.sync { write() }
  }

  private func write() {
    let sizes = waiting.withValue { waiting in
      defer { waiting = [] }
      return waiting
    }
    if sizes.isEmpty { return }
    // A cache: nothing is lost that can't be measured again.
    _ = try? store.write("keep sizes") { transaction in
      var rest = sizes[...]
      while let first = rest.first {
        // Those that follow each other are of one list and for one key, nearly always.
        let group = rest.prefix { $0.key == first.key && $0.list == first.list }
        rest = rest.dropFirst(group.count)
        try save(group, for: first.key, in: first.list, transaction)
      }
    }
  }

  private func save(
    _ sizes: ArraySlice<Waiting>, for key: SizeKey?, in list: ListID,
    _ transaction: WriteTransaction
  ) throws {
    guard let rows = try transaction.rows(list) else { return }
    let sizeRows = SizeRows(rows)
    guard let key else {
      for waiting in sizes {
        switch waiting.size {
        case .staleItem(let item): try sizeRows.makeEstimate(ofItem: item)
        case .staleSupplementary(let section, let kind):
          try sizeRows.makeEstimate(of: kind, inSection: section)
        case .staleSection(let section): try sizeRows.makeEstimates(inSection: section)
        case .item, .supplementary: break
        }
      }
      return
    }
    guard let key = try sizeRows.key(key, usedAt: Repository.now) else { return }
    var items: [KnownSize] = []
    items.reserveCapacity(sizes.count)
    for waiting in sizes {
      switch waiting.size {
      case .item(let size): items.append(size)
      case .supplementary(let size): try sizeRows.save(size, key: key)
      case .staleItem, .staleSupplementary, .staleSection: break
      }
    }
    try sizeRows.save(items, key: key)
    try rows.sums.save()
  }
}
