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
  func noteStates(of commit: LoggedCommit, in terms: ContentTerms) throws {
    try log.forEachRow(of: commit) { row in
      try forEachEntry(of: row) { entry, decoder in
        guard entry.isOfItem else {
          // Rare. They are read as values later; their contents must be known to be used.
          for item in try entry.items() { terms.noteUse(of: item.state.content) }
          return
        }
        let id = try Self.id(of: entry, decoder)
        if let state = entry.before {
          terms.note(content: state.content, seed: try seed(id, state))
        }
        if let state = entry.after {
          terms.note(content: state.content, seed: try seed(id, state))
        }
      }
    }
  }

  private func seed(_ item: UInt64, _ state: StoredState) throws -> UInt64 {
    StateDigest.seed(
      item, cell: try rows.statements.cellName(state.cell), contentRevision: state.contentRevision)
  }

  /// Adds the entries of a commit to its hash and to a digest, and counts its rows and its entries.
  ///
  /// `sums`: Its states' terms.
  func add(
    _ commit: LoggedCommit, _ sums: ArraySlice<UInt64>, to hash: inout ChainHash,
    _ digest: inout StateDigest
  ) throws -> (rows: Int, entries: Int) {
    var counts = (rows: 0, entries: 0)
    var sums = sums
    try log.forEachRow(of: commit) { row in
      counts.rows += 1
      counts.entries += try add(row, &sums, to: &hash, &digest)
    }
    return counts
  }

  private func add(
    _ row: LogReader.ChangeRow, _ sums: inout ArraySlice<UInt64>, to hash: inout ChainHash,
    _ digest: inout StateDigest
  ) throws -> Int {
    var neighbours = NeighboursReader(row.neighbours)
    var count = 0
    try forEachEntry(of: row) { stored, decoder in
      count += 1
      guard stored.isOfItem else {
        let entry = try log.entry(stored, decoder)
        let hashes = EntryHashes(entry)
        hash.add(entry, hashes)
        guard let neighbours = neighbours.next(entry.placeCount, member: hashes.id) else {
          throw StoreProof.Unproven()
        }
        return digest.apply(entry, hashes, neighbours: neighbours[...])
      }
      let id = try Self.id(of: stored, decoder)
      let before = stored.before == nil ? 0 : sums.removeFirst()
      let after = stored.after == nil ? 0 : sums.removeFirst()
      hash.add(
        stored.operation, stored.places, EntryHashes(id, before: before, after: after))
      guard let neighbours = neighbours.next(stored.placeCount, member: id) else {
        throw StoreProof.Unproven()
      }
      digest.replace(before, by: after)
      switch stored.operation {
      case .insertItem: digest.insert(id, at: neighbours.first)
      case .deleteItem: digest.remove(id, at: neighbours.first)
      case .moveItem: digest.move(id, neighbours[...])
      default: break
      }
    }
    guard neighbours.isAtEnd else { throw StoreProof.Unproven() }
    return count
  }

  private func forEachEntry(
    of row: LogReader.ChangeRow, _ body: (StoredEntry, LogDecoder) throws -> Void
  ) throws {
    try row.entries.withUnsafeBytes { bytes in
      var decoder = LogDecoder(bytes, ofRow: row.id)
      while let entry = try decoder.next() { try body(entry, decoder) }
    }
  }

  /// The hash of an item's id.
  private static func id(of entry: StoredEntry, _ decoder: LogDecoder) throws -> UInt64 {
    try decoder.withName(of: entry) { name in
      guard name.isIdentifier else { throw StoreProof.Unproven() }
      return XXHash64.hash(name)
    }
  }
}
