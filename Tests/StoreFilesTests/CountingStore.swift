import Foundation
import GRDB
import StoreFiles
import TestSupport
import Testing

/// A database that a process counts in: each commit changes pages far apart, which then agree.
///
/// Of a store it has the application id alone.
struct CountingStore {
  let folder: TemporaryFolder
  let file: URL
  /// How many lines it has.
  let lines: Int

  /// Makes it.
  ///
  /// - Parameters:
  ///   - journalMode: How it is written.
  ///   - lines: Its size, two lines a page; forty or a multiple.
  /// - Throws: What SQLite throws.
  init(journalMode: String = "WAL", lines: Int = 400) throws {
    self.lines = lines
    folder = try TemporaryFolder()
    file = folder.file("store.sqlite")
    let queue = try DatabaseQueue(path: file.path)
    try queue.writeWithoutTransaction { db in
      try db.execute(
        sql: """
          PRAGMA journal_mode = \(journalMode);
          PRAGMA application_id = \(StoreHeader.applicationID);
          CREATE TABLE first(number INTEGER NOT NULL);
          INSERT INTO first VALUES (0);
          CREATE TABLE line(id INTEGER PRIMARY KEY, number INTEGER NOT NULL, padding BLOB);
          WITH RECURSIVE id(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM id LIMIT \(lines))
            INSERT INTO line SELECT n, 0, zeroblob(1500) FROM id;
          CREATE TABLE last(number INTEGER NOT NULL);
          INSERT INTO last VALUES (0);
          """)
    }
    try queue.close()
  }

  /// Checks that a copy is of one moment.
  ///
  /// - Returns: How far it has counted.
  @discardableResult
  func check(
    _ copy: PrivateCopy, sourceLocation: SourceLocation = #_sourceLocation
  ) throws -> Int {
    let queue = try DatabaseQueue(path: copy.file.path)
    defer { try? queue.close() }
    return try queue.read { db in
      #expect(
        try String.fetchAll(db, sql: "PRAGMA integrity_check") == ["ok"],
        sourceLocation: sourceLocation)
      let first = try Int.fetchOne(db, sql: "SELECT number FROM first") ?? -1
      let last = try Int.fetchOne(db, sql: "SELECT number FROM last")
      let lines = try Int.fetchOne(db, sql: "SELECT count(*) / 40 FROM line") ?? 0
      let sum = try Int.fetchOne(db, sql: "SELECT sum(number) FROM line")
      #expect(last == first, sourceLocation: sourceLocation)
      #expect(sum == lines * first, sourceLocation: sourceLocation)
      return first
    }
  }
}

/// The program `CommitUntilKilled` in a mode that goes on until it is killed.
final class KilledProcess {
  private let process = Process()
  private let output: URL
  /// Held: the output lies there.
  private let folder: TemporaryFolder

  /// Starts it, and returns once it has said something.
  init(_ file: URL, _ mode: String, in folder: TemporaryFolder) throws {
    self.folder = folder
    output = folder.file("output-\(UUID().uuidString)")
    try Data().write(to: output)
    process.executableURL = BuiltProducts.program("CommitUntilKilled")
    process.arguments = [file.path, mode]
    process.standardOutput = try FileHandle(forWritingTo: output)
    process.standardError = FileHandle.nullDevice
    var environment = ProcessInfo.processInfo.environment
    // A crash must end the process at once, as a kill does.
    environment["SWIFT_BACKTRACE"] = "enable=no"
    process.environment = environment
    try process.run()
    while try said.isEmpty, process.isRunning { usleep(500) }
    #expect(process.isRunning, "\(mode) goes on")
  }

  /// What it has said.
  var said: String {
    get throws { String(decoding: try Data(contentsOf: output), as: UTF8.self) }
  }

  /// Kills it, and waits until the system has let go of what it held.
  func kill() {
    guard process.isRunning else { return }
    Foundation.kill(process.processIdentifier, SIGKILL)
    process.waitUntilExit()
  }

  deinit { kill() }
}

extension Int {
  /// How many looks a test takes at a store that is being written; more by `CELLAR_LOOKS`.
  static var looks: Int {
    ProcessInfo.processInfo.environment["CELLAR_LOOKS"].flatMap(Int.init) ?? 25
  }
}
