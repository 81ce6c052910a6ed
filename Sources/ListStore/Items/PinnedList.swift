import GRDB
import ListModel
import ListTables
import Providers
import StoreFiles

/// A list in a snapshot, read at one revision.
///
/// One thread at a time reads, and holds no lock that an answer from memory needs.
final class PinnedList: Sendable {
  private let snapshot: Snapshot
  private let reading: Guarded<Reading>

  /// What was read of the order, so that it is read once.
  struct Reading: Sendable {
    let listRow: Int
    /// The read transaction of the snapshot that is known to have the list at the revision.
    var generation = 0
    var orders = OrderReader()
    private var sections: [SectionID: SectionPlace] = [:]

    fileprivate init(listRow: Int) { self.listRow = listRow }
  }

  struct SectionPlace: Sendable {
    /// The block over the section's items.
    var root: Int
    var itemCount: Int
  }

  /// The list has changed in the store since its snapshot was released, so what was not read can't
  /// be read any more.
  private struct Changed: Error {}

  /// `listRow`: The list's row.
  init(_ snapshot: Snapshot, listRow: Int) {
    self.snapshot = snapshot
    reading = Guarded(Reading(listRow: listRow))
  }

  /// The list in another snapshot.
  func pinned(in snapshot: Snapshot) -> PinnedList {
    PinnedList(snapshot, listRow: reading.withValue { $0.listRow })
  }

  /// The newest snapshot, if it has the list at a revision.
  func newestSnapshot(of list: ListID, at revision: Int) throws -> Snapshot? {
    let newest = try snapshot.pinNewest()
    let isThere = try newest.read { db, _ in try ListRows(db, list)?.revision == revision }
    return isThere ? newest : nil
  }

  /// See ``ReaderPool/scheduleTidying()``.
  func scheduleTidying() { snapshot.scheduleTidying() }

  /// Reads from the store, if it still has the list at the revision of the Provider that asks.
  func read<Value: Sendable>(
    _ list: Provider, _ body: (inout Reading, Statements) throws -> Value
  ) throws -> Value {
    try reading.withValue { reading in
      do {
        return try snapshot.read { db, generation in
          let statements = Statements(db)
          if generation != reading.generation {
            guard let rows = try ListRows(statements, list.list),
              rows.chain == list.position?.chain
            else { throw Changed() }
            reading.generation = generation
          }
          return try body(&reading, statements)
        }
      } catch let error as Changed {
        snapshot.release()
        throw error
      }
    }
  }

  /// Reports a read that failed.
  ///
  /// That the list has changed since the app was suspended is no failure of the store.
  func report(_ error: any Error) { if !(error is Changed) { snapshot.report(error) } }
}

extension PinnedList.Reading {
  /// Where the items of a section are; `nil` if the store has no such section.
  mutating func place(
    of section: SectionID, _ statements: Statements
  ) throws -> PinnedList.SectionPlace? {
    if let place = sections[section] { return place }
    let place = try statements.section(section, in: listRow).map {
      PinnedList.SectionPlace(root: $0.root, itemCount: $0.itemCount)
    }
    sections[section] = place
    return place
  }

  /// The blocks that hold a range of a section's items, in order; none if the store has no such
  /// section.
  mutating func blocks(
    holding range: Range<Int>, of section: SectionID, _ statements: Statements
  ) throws -> [OrderReader.PlacedBlock] {
    guard let place = try place(of: section, statements) else { return [] }
    var blocks: [OrderReader.PlacedBlock] = []
    var next = range.lowerBound
    while next < min(range.upperBound, place.itemCount) {
      let block = try orders.placedBlock(
        holding: next, root: place.root, count: place.itemCount, statements)
      guard block.count > 0 else { throw DatabaseError.corrupt("a block is empty") }
      blocks.append(block)
      next = block.start + block.count
    }
    return blocks
  }
}
