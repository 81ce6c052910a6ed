import Foundation
import GRDB
import ListModel
import ListStore
import StoreSchema

/// The steps of a redaction.
///
/// A private copy of the store is changed row by row and sealed anew. The new store is a compacted
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
    try StoreFile.requireAbsent(newFile)
    let draft = try StoreFile.makeDraft(of: newFile)
    let result = draft.url.appendingPathComponent(StoreFile.draftName)
    let work = try OwnedFolder(
      named: "cellar-redaction-", in: FileManager.default.temporaryDirectory)
    defer { withExtendedLifetime((draft, work)) {} }
    let copy = work.url.appendingPathComponent(StoreFile.draftName)
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
          try db.sealAnew()
          return .commit
        }
        try db.execute(sql: "VACUUM INTO ?", arguments: [result.path])
      }
      try redacted.close()
      let search = LeftoverSearch(originals: filter, kept: try texts.keptRuns())
      let (candidates, byteCount) = try search.candidates(in: result)
      var found = try texts.runs(among: candidates)
      if !found.isEmpty { found.subtract(try hashRuns(in: result)) }
      return StoreRedaction(
        file: file.path, newFile: newFile.path,
        listCount: try count("list", original), itemCount: try count("item", original),
        commitCount: try count("listCommit", original), searchedTextCount: texts.longTextCount,
        searchedByteCount: byteCount, foundRunCount: found.count)
    }
    try original.close()
    guard redaction.isClean else { return redaction }
    let problems = try Repository(inspecting: result).checkInvariants()
    if let problem = problems.first {
      throw StoreError(.damagedStore, "the redacted rows make no sound store: \(problem)")
    }
    guard try StoreFile.publish(result, as: newFile) else {
      throw StoreFile.alreadyThere(newFile)
    }
    return redaction
  }

  /// The runs of the hashes in a new store's log, which are no text.
  ///
  /// There may be so many that some look like a part of one.
  private func hashRuns(in file: URL) throws -> Set<ByteRun> {
    let queue = try open(file, isReadOnly: true)
    defer { try? queue.close() }
    return try queue.read { db in
      var runs: Set<ByteRun> = []
      let seams = try Data.fetchCursor(db, sql: "SELECT seams FROM change WHERE seams IS NOT NULL")
      while let bytes = try seams.next() {
        TextFilter.forEachRun(in: bytes) { runs.insert($0) }
      }
      return runs
    }
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
