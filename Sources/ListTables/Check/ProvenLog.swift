import GRDB
import ListModel

/// Reads the log of a list for a ``StoreProof``: each row twice, first its states and then its
/// entries, because many states are hashed at once.
struct ProvenLog {
  private let rows: ListRows
  private let log: LogReader

  init(_ rows: ListRows) throws {
    self.rows = rows
    log = try LogReader(rows)
  }

  /// Notes the states of a commit, with a slot each.
  func noteStates(ofRevision revision: Int, from first: Int?, in terms: ContentTerms) throws {
    try log.forEachRow(ofRevision: revision, from: first) { row in
      try forEachEntry(of: row) { entry in
        for state in [entry.before, entry.after] {
          guard let state else { continue }
          terms.note(content: state.content, seed: try seed(entry.id, state))
        }
      } other: { operation, reader in
        // Rare. They are read as values later; their contents must be known to be used.
        guard operation == .deleteSection else { return _ = try reader.rest() }
        for content in try NamedContents.contents(ofDeletedSection: reader.rest()) {
          terms.noteUse(of: content)
        }
      }
    }
  }

  private func seed(_ item: UInt64, _ state: StoredState) throws -> UInt64 {
    StateDigest.seed(
      item, cell: try rows.cellName(state.cell), contentRevision: state.contentRevision)
  }

  /// Adds the entries of a commit to its hash and to a digest, and counts its rows.
  ///
  /// `sums`: Its states' terms.
  func add(
    revision: Int, from first: Int?, _ sums: ArraySlice<UInt64>, to hash: inout ChainHash,
    _ digest: inout StateDigest
  ) throws -> Int {
    var rowCount = 0
    var sums = sums
    try log.forEachRow(ofRevision: revision, from: first) { row in
      rowCount += 1
      try add(row, &sums, to: &hash, &digest)
    }
    return rowCount
  }

  private func add(
    _ row: LogReader.ChangeRow, _ sums: inout ArraySlice<UInt64>, to hash: inout ChainHash,
    _ digest: inout StateDigest
  ) throws {
    var seams = SeamReader(row.seams)
    try forEachEntry(of: row) { entry in
      let before = entry.before == nil ? 0 : sums.removeFirst()
      let after = entry.after == nil ? 0 : sums.removeFirst()
      let hashes = EntryHashes(entry.id, before: before, after: after)
      hash.add(entry.operation, entry.places, hashes)
      guard let seams = seams.next(entry.seamCount, member: entry.id) else {
        throw StoreProof.Unproven()
      }
      digest.replace(before, by: after)
      switch entry.operation {
      case .insertItem: digest.insert(entry.id, at: seams.first)
      case .deleteItem: digest.remove(entry.id, at: seams.first)
      case .moveItem: digest.move(entry.id, seams[...])
      default: break
      }
    } other: { operation, reader in
      let entry = try log.entry(operation, &reader)
      let hashes = EntryHashes(entry)
      hash.add(entry, hashes)
      guard let seams = seams.next(entry.seamCount, member: hashes.id) else {
        throw StoreProof.Unproven()
      }
      digest.apply(entry, hashes, seams: seams[...])
    }
    guard seams.isAtEnd else { throw StoreProof.Unproven() }
  }

  // MARK: Entries

  /// An entry about an item, as its row has it.
  private struct ItemEntry {
    var operation: LogOperation
    /// The hash of the item's id.
    var id: UInt64
    var places: LogEntry.Places
    var before: StoredState?
    var after: StoredState?

    var seamCount: Int {
      switch operation {
      case .insertItem, .deleteItem: 1
      case .moveItem:
        places.from?.section == places.to?.section && places.from?.item == places.to?.item ? 0 : 2
      default: 0
      }
    }
  }

  /// `other`: Reads the rest of an entry that is not about an item.
  private func forEachEntry(
    of row: LogReader.ChangeRow, _ body: (ItemEntry) throws -> Void,
    other: (LogOperation, inout EntryReader) throws -> Void
  ) throws {
    try row.entries.withUnsafeBytes { bytes in
      var reader = EntryReader(bytes, of: .change(row.id))
      while let number = try reader.nextEntry() {
        guard let operation = LogOperation(rawValue: number) else { throw StoreProof.Unproven() }
        switch operation {
        case .insertItem, .deleteItem, .moveItem, .updateItem, .touchItem:
          try body(Self.entry(operation, &reader))
        case .insertSection, .deleteSection, .moveSection, .updateSection, .updateList:
          try other(operation, &reader)
        }
      }
    }
  }

  private static func entry(
    _ operation: LogOperation, _ reader: inout EntryReader
  ) throws -> ItemEntry {
    let name = try reader.name()
    let id = try reader.withBytes(of: name) { name in
      guard name.isIdentifier else { throw StoreProof.Unproven() }
      return XXHash64.hash(name)
    }
    let place: (section: Int, item: Int?) = (try reader.number(), try reader.number())
    var entry = ItemEntry(operation: operation, id: id, places: (from: place, to: nil))
    switch operation {
    case .insertItem:
      entry.places = (from: nil, to: place)
      entry.after = try state(&reader)
    case .deleteItem: entry.before = try state(&reader)
    case .moveItem: entry.places.to = (try reader.number(), try reader.number())
    case .updateItem:
      entry.before = try state(&reader)
      entry.after = try state(&reader)
    default: break
    }
    try reader.endEntry()
    return entry
  }

  private static func state(_ reader: inout EntryReader) throws -> StoredState {
    StoredState(
      cell: try reader.number(), contentRevision: try reader.number(),
      content: try reader.number())
  }
}
