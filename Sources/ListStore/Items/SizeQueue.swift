import GRDB
import ListModel
import ListTables
import StoreFiles

/// Measured sizes that wait to be written to the store.
///
/// They are written together, on another thread than the one that measured, a quarter of a second
/// after the first or when there are 1,000. Sizes that can't be written are dropped, because they
/// can be measured again.
final class SizeQueue: Sendable {
  private let store: StoreWriter
  private let maintenance: MaintenanceQueue
  private let events: StoreEvents
  private let waiting = Guarded(Waiting())
  /// Held while sizes are written.
  private let writing = Guarded(())

  private struct Waiting {
    var batches: [Batch] = []
    /// How many sizes and marks all batches have.
    var count = 0

    func endsWithBatch(of list: ListID, at chain: UInt64?, for key: SizeKey?) -> Bool {
      guard let last = batches.indices.last else { return false }
      return batches[last].chain == chain && batches[last].list == list && batches[last].key == key
    }
  }

  /// Sizes for one key that were kept one after another, or marks.
  private struct Batch {
    var list: ListID
    /// The chain hash of the revision that the Provider has.
    var chain: UInt64?
    /// `nil`: what is marked has no exact size any more, for any key.
    var key: SizeKey?
    var items = SizedItems()
    var supplementaries: [(place: SupplementaryPlace, record: SizeRecord)] = []
    var marks: [SizeOwner] = []
  }

  private static let maximumCount = 1_000
  private static let milliseconds = 250

  init(_ store: StoreWriter, _ maintenance: MaintenanceQueue, _ events: StoreEvents) {
    self.store = store
    self.maintenance = maintenance
    self.events = events
  }

  /// Has the size of an item written.
  ///
  /// `name`: The item's id, as UTF-8.
  /// `chain`: The chain hash of the revision that the Provider has.
  func add(
    _ item: SizedItem, name: UnsafeRawBufferPointer, for key: SizeKey, in list: ListID,
    at chain: UInt64?
  ) {
    add(in: list, at: chain, for: key) { $0.items.append(item, name: name) }
  }

  /// Has the size of a section's view written.
  func add(
    _ record: SizeRecord, of place: SupplementaryPlace, for key: SizeKey, in list: ListID,
    at chain: UInt64?
  ) {
    add(in: list, at: chain, for: key) { $0.supplementaries.append((place, record)) }
  }

  /// Has all stored sizes of an owner turned into estimates.
  func makeEstimates(of owner: SizeOwner, in list: ListID) {
    add(in: list, at: nil, for: nil) { $0.marks.append(owner) }
  }

  private func add(
    in list: ListID, at chain: UInt64?, for key: SizeKey?, _ append: (inout Batch) -> Void
  ) {
    // The Provider has it, as long as it lives.
    if store.isReadOnly { return }
    let count = waiting.withValue { waiting in
      // Those that follow each other are of one list and for one key, nearly always.
      if !waiting.endsWithBatch(of: list, at: chain, for: key) {
        waiting.batches.append(Batch(list: list, chain: chain, key: key))
      }
      append(&waiting.batches[waiting.batches.count - 1])
      waiting.count += 1
      return waiting.count
    }
    if count == 1 || count == Self.maximumCount {
      maintenance.add("keep sizes", after: count == 1 ? Self.milliseconds : 0) { [self] in
        try write()
      }
    }
  }

  /// Writes the sizes that wait, and waits for those that another thread is writing.
  ///
  /// Inside an edit nothing can be written, so the sizes wait on.
  func flush() {
    if store.isInside { return }
    // While the store is suspended, the maintenance queue writes them later.
    do { try write() } catch { events.report(error, "keep sizes") }
  }

  private func write() throws {
    try writing.withValue { _ in
      let taken = waiting.withValue { waiting in
        defer { waiting = Waiting() }
        return waiting
      }
      if taken.batches.isEmpty { return }
      do {
        try store.write("keep sizes") { transaction in
          for batch in taken.batches {
            guard let rows = try transaction.rows(batch.list) else { continue }
            try save(batch, SizeRows(rows))
          }
        }
      } catch let error as StoreError where error.code == .suspended {
        waiting.withValue { waiting in
          waiting.batches = taken.batches + waiting.batches
          waiting.count += taken.count
        }
        throw error
      }
    }
  }

  private func save(_ batch: Batch, _ rows: SizeRows) throws {
    for owner in batch.marks { try rows.makeEstimates(of: owner) }
    guard let key = batch.key, let key = try rows.key(key, usedAt: WallClock.now) else { return }
    for (place, record) in batch.supplementaries { try rows.save(record, of: place, key: key) }
    try rows.save(batch.items, at: batch.chain, key: key)
    try rows.rows.sums.save()
  }
}
