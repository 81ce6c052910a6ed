import Foundation
import GRDB
import ListModel
import ListStore
import ListTables
import StoreFiles
import StoreSchema

/// The steps of a redaction.
///
/// A private copy of the store is changed row by row, and its digests and chains are made anew. The new store is a compacted
/// copy of it, in which no free page is left. Its bytes are searched before it gets its name.
struct Redaction {
  private let file: URL
  private let store: OpenedStore
  private let newFile: URL
  private let options: StoreRedaction.Options

  init(_ file: URL, _ store: OpenedStore, _ newFile: URL, _ options: StoreRedaction.Options) {
    self.file = file
    self.store = store
    self.newFile = newFile
    self.options = options
  }

  func run() throws(StoreError) -> StoreRedaction {
    do { return try redact() } catch {
      var error = StoreError.wrap(error, attempt: "redact the store", file: file.path)
      if error.file != newFile.path { error.file = file.path }
      throw error
    }
  }

  private func redact() throws -> StoreRedaction {
    try StoreDraft.requireFreeName(newFile)
    let draft = try StoreDraft(of: newFile)
    let work = try OwnedFolder(
      named: "cellar-redaction-", in: FileManager.default.temporaryDirectory)
    defer { withExtendedLifetime(work) {} }
    let copy = work.url.appendingPathComponent("store.sqlite")
    let original = try open(store.listsFile, isReadOnly: true)
    try original.writeWithoutTransaction { db in
      try db.execute(sql: "VACUUM INTO ?", arguments: [copy.path])
    }
    let redaction = try original.read { original in
      let texts = OriginalTexts(original, options)
      let filter = try texts.filter()
      let redacted = try open(copy, isReadOnly: false)
      try redacted.writeWithoutTransaction { db in
        try db.inTransaction {
          try RedactedRows(db, Pseudonyms(key: key(), avoiding: filter), options).run()
          try db.rehash()
          return .commit
        }
        try db.execute(sql: "VACUUM INTO ?", arguments: [draft.file.path])
      }
      try redacted.close()
      let search = LeftoverSearch(
        for: filter, keeping: try texts.keptRuns(), confirm: texts.runs(among:))
      let byteCount = try search.search(draft.file)
      let found = try inNewStore(draft.file) { new in
        try OriginalTexts(new, options).forEachReplaced { try search.search(text: $0) }
        return try Self.withoutNumbers(search.finish(), new)
      }
      return StoreRedaction(
        file: file.path, newFile: newFile.path,
        listCount: try count("list", original), itemCount: try count("item", original),
        commitCount: try count("listCommit", original), searchedTextCount: texts.longTextCount,
        searchedByteCount: byteCount, foundRunCount: found.count)
    }
    try original.close()
    guard redaction.isClean else { return redaction }
    let problems = try Repository(inspecting: draft.file).checkInvariants()
    if let problem = problems.first {
      throw StoreError(.damagedStore, "the redacted rows make no sound store: \(problem)")
    }
    try draft.publish(asNew: newFile)
    return redaction
  }

  /// Of some runs, those that the numbers in a new store's rows, which are no text, do not have.
  ///
  /// There may be so many rows that the hashes in a log, or the end of a name with the numbers that
  /// follow it in its row, look like a part of a text.
  private static func withoutNumbers(
    _ runs: Set<ByteRun>, _ db: Database
  ) throws -> Set<ByteRun> {
    var left = runs
    if left.isEmpty { return left }
    let neighbours = try Data.fetchCursor(db, sql: "SELECT neighbours FROM change")
    while let bytes = try neighbours.next() { TextFilter.forEachRun(in: bytes) { left.remove($0) } }
    try Statements(db)("SELECT name, id, block FROM item").forEach { row in
      let end = try row.text(0).utf8.suffix(TextFilter.runLength - 1)
      let numbers = try row.integer(1).storedBytes + row.integer(2).storedBytes
      TextFilter.forEachRun(in: Array(end) + numbers) { left.remove($0) }
    }
    return left
  }

  private func inNewStore<Value>(
    _ file: URL, _ body: (Database) throws -> Value
  ) throws -> Value {
    let queue = try open(file, isReadOnly: true)
    defer { try? queue.close() }
    return try queue.read { db in try body(db) }
  }

  private func key() -> [UInt8] {
    if let seed = options.seed { return Digest.sha256(Array("\(seed)".utf8)) }
    var generator = SystemRandomNumberGenerator()
    return (0..<32).map { _ in UInt8.random(in: .min ... .max, using: &generator) }
  }

  private func count(_ table: String, _ db: Database) throws -> Int {
    try Int.fetchOne(db, sql: "SELECT count(*) FROM \(table)") ?? 0
  }

  private func open(_ file: URL, isReadOnly: Bool) throws -> DatabaseQueue {
    var configuration = Configuration.store()
    configuration.readonly = isReadOnly
    configuration.foreignKeysEnabled = false
    return try DatabaseQueue(path: file.path, configuration: configuration)
  }
}

extension Int {
  /// The bytes of a number in SQLite's rows, the highest first: 0 to 4, 6 or 8.
  fileprivate var storedBytes: [UInt8] {
    if self == 0 || self == 1 { return [] }
    let bits = Self.bitWidth - (self ^ self >> (Self.bitWidth - 1)).leadingZeroBitCount + 1
    let count = bits <= 32 ? (bits + 7) / 8 : bits <= 48 ? 6 : 8
    return (0..<count).reversed().map { UInt8(truncatingIfNeeded: self >> ($0 * 8)) }
  }
}
