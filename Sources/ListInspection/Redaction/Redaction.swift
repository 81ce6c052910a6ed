import Foundation
import GRDB
import ListModel
import ListStore
import ListTables
import StoreFiles
import StoreSchema

/// The steps of a redaction.
///
/// A store is read list by list, and what is known of it is written into a new one: each list by its
/// commits, then what screens, feeds and servers have of it.
struct Redaction {
  /// The name of the original in errors.
  let file: URL
  /// A sound store of the newest version.
  let store: URL
  let newFile: URL
  let migrations: [Migration]
  let options: StoreRedaction.Options

  /// - Returns: What was written, without what became of the original before.
  func run() throws(StoreError) -> StoreRedaction {
    do { return try redact() } catch {
      var error = StoreError.wrap(error, attempt: "redact the store", file: file.path)
      // Temporary files are nobody's concern.
      if error.file != newFile.path { error.file = file.path }
      throw error
    }
  }

  private func redact() throws -> StoreRedaction {
    try StoreDraft.requireFreeName(newFile)
    let draft = try StoreDraft(of: newFile, from: file)
    let (old, new) = (try open(store, isReadOnly: true), try open(draft.file, isReadOnly: false))
    _ = try Migrator.migrate(new, file: newFile.path, migrations: migrations)
    let redaction = try old.read { source in
      try new.writeWithoutTransaction { target in
        // The draft is deleted if something fails. What is random in the order of a list's ids is
        // written again and again.
        try target.execute(
          sql: "PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; PRAGMA cache_size = -65536")
        try target.inTransaction(.immediate) {
          try RedactedRows(Statements(source), Statements(target), options, key: key()).copy()
          return .commit
        }
        var redaction = try StoreRedaction(
          file: file.path, newFile: newFile.path, listCount: count("list", target),
          itemCount: count("item", target), commitCount: count("listCommit", target))
        redaction.derivedListCount =
          try Statements(source).derivedLists().count { !$0.list.isHidden }
        return redaction
      }
    }
    try old.close()
    try new.close()
    let problems = try Repository(inspecting: draft.file).checkInvariants()
    if let problem = problems.first { throw StoreError.unsound(problem, of: "values") }
    try DurableFile.synchronise(draft.file.path)
    try draft.publish(asNew: newFile)
    return redaction
  }

  private func open(_ file: URL, isReadOnly: Bool) throws -> DatabaseQueue {
    // All of it is read, and as much is written meanwhile.
    var configuration = Configuration.store(
      timeLimit: isReadOnly ? 10 * TimeLimit.seconds(for: file) : nil)
    configuration.readonly = isReadOnly
    return try DatabaseQueue(path: file.path, configuration: configuration)
  }

  private func key() -> [UInt8] {
    if let seed = options.seed { return Digest.sha256(Array("\(seed)".utf8)) }
    var generator = SystemRandomNumberGenerator()
    return (0..<32).map { _ in UInt8.random(in: .min ... .max, using: &generator) }
  }

  private func count(_ table: String, _ db: Database) throws -> Int {
    try Int.fetchOne(db, sql: "SELECT count(*) FROM \(table)") ?? 0
  }
}
