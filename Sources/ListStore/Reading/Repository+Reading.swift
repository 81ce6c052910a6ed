import Foundation
import GRDB
package import ListModel
package import ListTables
package import Providers
import StoreFiles
import StoreSchema

extension Repository {
  /// The revision of a list: the number of its last commit.
  ///
  /// - Throws: `StoreError` with ``/ListModel/StoreError/Code/listNotFound``.
  package func revision(of list: ListID) throws(StoreError) -> Int {
    try read("read the revision of \"\(list)\"") { db in try rows(db, list).revision }
  }

  /// The app's own data about a list; `nil` if it has none, or the store has no such list.
  package func meta(of list: ListID) throws(StoreError) -> JSON? {
    try read("read the meta of \"\(list)\"") { db in try ListRows(db, list)?.listMeta() }
  }

  /// The revision of a list in a pinned store.
  package func revision(
    of list: ListID, in snapshot: Snapshot
  ) throws(StoreError) -> Int {
    try read("read the revision of \"\(list)\"", in: snapshot) { db in
      try rows(db, list).revision
    }
  }

  /// How many items each section of a list has, in their order; none if the store has no such list.
  ///
  /// - Complexity: O(*s*), *s* sections.
  package func itemCounts(
    of list: ListID
  ) throws(StoreError) -> [(section: SectionID, itemCount: Int)] {
    try read("count the items of \"\(list)\"") { db in
      var counts: [(section: SectionID, itemCount: Int)] = []
      try ListRows(db, list)?.forEachSection { counts.append(($0.section, $0.itemCount)) }
      return counts
    }
  }

  /// How many items a list has in a pinned store, by the counts of its sections.
  ///
  /// - Complexity: O(*s*), *s* sections.
  package func itemCount(
    of list: ListID, in snapshot: Snapshot
  ) throws(StoreError) -> Int {
    try read("count the items of \"\(list)\"", in: snapshot) { db in
      let rows = try rows(db, list)
      return try rows.statements("SELECT coalesce(sum(itemCount), 0) FROM section WHERE list = ?")
        .first(rows.id) { try $0.integer(0) } ?? 0
    }
  }

  /// How far the log of a list in a pinned store reaches, for a reader at a revision.
  ///
  /// `known`: The chain hash that the reader has. It counts as that of the store if this Repository
  /// has erased something right after the reader's revision and has all commits since as they were
  /// made.
  package func logReach(
    of list: ListID, forReaderAt revision: Int, knowing known: UInt64? = nil, in snapshot: Snapshot
  ) throws(StoreError) -> LogReach {
    try read("read the log of \"\(list)\"", in: snapshot) { db in
      let rows = try rows(db, list)
      let isInLog = (rows.logFloor...rows.revision).contains(revision)
      let position = try rows.position()
      var chain = isInLog ? try rows.chain(at: revision) : nil
      if let known, let found = chain, known != found,
        found == recentCommits.chain(of: list, at: revision, formerly: known),
        recentCommits.commits(of: list, after: revision, to: rows.revision, chain: rows.chain)
          != nil
      {
        chain = known
      }
      return LogReach(
        storeID: position.storeID, head: rows.revision, headChain: position.chain,
        floor: rows.logFloor, beganAnew: isInLog ? false : try rows.beganAnew(),
        chain: chain,
        wasErased: isInLog && known != nil && known != chain ? try rows.hasErased() : false,
        changes: isInLog ? try rows.changeCount(after: revision) : 0)
    }
  }

  /// Opens a list at its newest revision; items are read when they are asked for.
  ///
  /// The Provider keeps a read transaction open, so it does not see later commits until it is
  /// advanced. The sections and their counts are read now. Ids, cells and sizes are read by the
  /// block, and contents in pages, when they are first asked for.
  ///
  /// - Throws: `StoreError` with ``/ListModel/StoreError/Code/listNotFound``.
  /// - Complexity: O(*s*), *s* sections.
  package func provider(for list: ListID) throws(StoreError) -> Provider {
    try provider(for: list, in: pin())
  }

  /// Pins the store as it is now.
  package func pin() throws(StoreError) -> Snapshot {
    do {
      try requireFile()
      return try readers.pin()
    } catch { throw failure(error, "read the store") }
  }

  /// Opens a list as a pinned store has it.
  package func provider(
    for list: ListID, in snapshot: Snapshot
  ) throws(StoreError) -> Provider {
    try read("read \"\(list)\"", in: snapshot) { db in
      let rows = try rows(db, list)
      var sections: [(id: SectionID, itemCount: Int)] = []
      var room = mostItems
      try rows.forEachSection { section in
        room -= section.itemCount
        guard room >= 0 else {
          throw DatabaseError.corrupt(
            "list \"\(list)\" counts more items than its file has room for")
        }
        sections.append((section.section, section.itemCount))
      }
      let position = try rows.position()
      events.identify(position.storeID)
      return Provider(
        list: list, revision: rows.revision, meta: try rows.listMeta(), sections: sections,
        visibilities: try rows.visibilities(),
        items: PinnedItems(rows, in: snapshot, sizes: sizeQueue),
        position: position)
    }
  }

  /// The items of a Provider in a pinned store; `nil` for a list in memory.
  package func items(of provider: Provider, in snapshot: Snapshot) -> (any StoredItems)? {
    (provider.stored as? PinnedItems)?.pinned(in: snapshot, sizes: sizeQueue)
  }

  /// The most items for which the file and its write-ahead log have room: each takes bytes of three
  /// rows.
  ///
  /// A Provider allocates memory by the stored counts before it reads an item, so a damaged count
  /// must not be believed.
  private var mostItems: Int {
    min(FileExtents.byteCount(ofStore: filePath) / 16, Int(Int32.max))
  }

  /// Reads from a pinned store.
  func read<Value: Sendable>(
    _ attempt: String, in snapshot: Snapshot, _ body: (Database) throws -> Value
  ) throws(StoreError) -> Value {
    do { return try snapshot.read { db, _ in try body(db) } } catch {
      throw failure(error, attempt)
    }
  }

  /// Reads from a list, in one read transaction.
  ///
  /// - Throws: `StoreError` with ``/ListModel/StoreError/Code/listNotFound``.
  package func read<Value>(
    list: ListID, _ attempt: String, _ body: (StoredList) throws -> Value
  ) throws(StoreError) -> Value {
    try read(attempt) { db in try body(StoredList(rows: rows(db, list))) }
  }

  /// Reads a whole list, at its newest revision or at an earlier one, and compares it with the digest
  /// of that commit.
  ///
  /// - Throws: `StoreError` with ``/ListModel/StoreError/Code/listNotFound``,
  ///   ``/ListModel/StoreError/Code/revisionNotFound``, or
  ///   ``/ListModel/StoreError/Code/damagedStore`` if the rows do not agree with the commits.
  /// - Complexity: O(*n* + *k* · log *n*), *n* items, *k* changes since that revision.
  package func tree(of list: ListID, at revision: Int? = nil) throws(StoreError) -> ListTree {
    try read("read \"\(list)\"") { db in
      let rows = try rows(db, list)
      try rows.checkHead()
      guard let revision else { return try rows.listTree() }
      try require(revision, of: rows)
      return try rows.listTree(at: revision)
    }
  }

  /// Writes a list at its newest revision as JSON, part by part, after a comparison with its digest.
  ///
  /// - Throws: As ``tree(of:at:)``, or what the closure throws.
  /// - Complexity: O(*n*), *n* items; memory for one part.
  package func write(
    _ list: ListID, to put: (String) throws -> Void
  ) throws(StoreError) {
    try read("read \"\(list)\"") { db in
      let rows = try rows(db, list)
      try rows.checkHead()
      try rows.writeTree(put)
    }
  }

  /// Reads what differs between two revisions of a list, in one read transaction.
  ///
  /// The log is taken back to them; neither is compared with its digest.
  ///
  /// - Parameters:
  ///   - list: The list.
  ///   - revisions: The two revisions; they may be the same.
  ///   - attempt: What is attempted, for errors.
  ///   - body: Takes the list at the earlier revision, on top of that at the later one.
  /// - Returns: What the closure returns.
  /// - Throws: `StoreError` with ``/ListModel/StoreError/Code/listNotFound``,
  ///   ``/ListModel/StoreError/Code/revisionNotFound``, or
  ///   ``/ListModel/StoreError/Code/damagedStore`` if the log does not fit the rows.
  /// - Complexity: O(*k* · log *n*), *n* items, *k* changes since the earlier revision.
  package func compare<Value>(
    _ list: ListID, _ revisions: (Int, Int), _ attempt: String,
    _ body: (StoredList.Earlier, StoredList.Later) throws -> Value
  ) throws(StoreError) -> Value {
    try read(attempt) { db in
      let rows = try rows(db, list)
      for revision in [revisions.0, revisions.1] { try require(revision, of: rows) }
      let (earlier, later) = try StoredList(rows: rows).states(
        from: min(revisions.0, revisions.1), to: max(revisions.0, revisions.1))
      return try body(earlier, later)
    }
  }

  /// Refuses a revision that the list never had, or to which its log does not reach.
  private func require(_ revision: Int, of rows: ListRows) throws {
    guard (0...rows.revision).contains(revision) else {
      throw StoreError(
        .revisionNotFound,
        "\"\(rows.list)\" has revisions 0...\(rows.revision), not \(revision)", file: filePath)
    }
    try rows.requireLog(after: revision, file: filePath)
  }

  /// The commits of a list after a revision, the oldest first; `nil` for all that the log has.
  ///
  /// - Throws: `StoreError` with ``/ListModel/StoreError/Code/listNotFound``, or
  ///   ``/ListModel/StoreError/Code/revisionNotFound`` if the log begins later.
  package func commits(
    of list: ListID, after revision: Int? = nil, limit: Int = .max
  ) throws(StoreError) -> [Commit] {
    try read("read the log of \"\(list)\"") { db in
      let rows = try rows(db, list)
      let start = max(revision ?? rows.logFloor, 0)
      guard start < rows.revision, limit > 0 else { return [] }
      try rows.requireLog(after: start, file: filePath)
      let first = start + 1
      let last = first + min(limit - 1, rows.revision - first)
      return try rows.commits(in: first...last)
    }
  }

  /// Commits of a list before a revision, the newest first; none where the log begins.
  ///
  /// - Throws: `StoreError` with ``/ListModel/StoreError/Code/revisionNotFound`` for a revision that
  ///   the list never had.
  package func history(
    of list: ListID, before revision: Int?, limit: Int
  ) throws(StoreError) -> [Commit] {
    try read("read the history of \"\(list)\"") { db in
      let rows = try ListRows(db, list)
      let head = rows?.revision ?? 0
      let end = revision ?? head + 1
      guard (1...head + 1).contains(end) else {
        throw StoreError(
          .revisionNotFound, "\"\(list)\" has revisions 0...\(head), not \(end)", file: filePath)
      }
      guard let rows, limit > 0, end - 1 > rows.logFloor else { return [] }
      let first = max(rows.logFloor, end - 1 - min(limit, end - 1)) + 1
      return try rows.commits(in: first...end - 1).reversed()
    }
  }

  /// The commits from a revision to the newest one, unless they are too many.
  ///
  /// Those that this Repository made lately are not read from the log. One read transaction. If the
  /// log is too long, nothing of it is read.
  ///
  /// - Parameters:
  ///   - list: The list.
  ///   - revision: Commits after this one are read.
  ///   - changes: The most changes.
  ///   - snapshot: The pinned store, at whose revision the log ends.
  /// - Returns: Commits in the order of their revisions, without gaps; `nil` if they have more
  ///   changes than the limit.
  /// - Throws: `StoreError` with ``/ListModel/StoreError/Code/listNotFound``.
  package func commits(
    of list: ListID, after revision: Int, ofAtMost changes: Int, in snapshot: Snapshot
  ) throws(StoreError) -> [Commit]? {
    try read("read the log of \"\(list)\"", in: snapshot) { db in
      let rows = try rows(db, list)
      let revision = max(revision, 0)
      guard revision < rows.revision else { return [] }
      try rows.requireLog(after: revision, file: filePath)
      let recent = recentCommits.commits(
        of: list, after: revision, to: rows.revision, chain: rows.chain)
      if let recent {
        return recent.reduce(0) { $0 + $1.entries.count } <= changes ? recent : nil
      }
      if changes < .max,
        try rows.changeCount(after: revision) > changes
      {
        return nil
      }
      return try rows.commits(in: revision + 1...rows.revision)
    }
  }
}
