import Foundation
import GRDB
import ListModel
import ListStore
import ListSync
import SchemaSupport
import StoreFiles
import StoreSchema
import TestSupport
import Testing

/// Every command on every kind of store ends with the code that `CommandOutput.md` has in its table,
/// and changes what the table says, and nothing else.
@Suite struct StoreMatrixTests {
  /// A row of the table: a command, and the files that it may make.
  struct Command: Sendable {
    let name: String
    let words: String
    var makes: Set<String> = []
    /// Whether it changes no byte of a store, whatever it finds.
    var looks: Bool { StoreMatrixTests.lookers.contains(name) }
  }

  private static let lookers: Set = [
    "info", "check", "ls", "show", "log", "diff", "export", "query", "report", "redact", "status",
    "up --dry-run", "repair", "repair --to",
  ]

  private static let backups: Set = [".backups"]

  static let commands: [Command] = [
    Command(name: "info", words: "info s.sqlite"),
    Command(name: "check", words: "check s.sqlite"),
    Command(name: "ls", words: "ls s.sqlite --long"),
    Command(name: "show", words: "show s.sqlite a"),
    Command(name: "log", words: "log s.sqlite"),
    Command(name: "diff", words: "diff s.sqlite --at 1"),
    Command(name: "export", words: "export s.sqlite"),
    Command(name: "query", words: "query s.sqlite 'SELECT count(*) FROM itemInOrder'"),
    Command(name: "report", words: "report s.sqlite --out page", makes: ["page"]),
    Command(name: "redact", words: "redact s.sqlite new.sqlite", makes: ["new.sqlite"]),
    Command(name: "status", words: "status s.sqlite"),
    Command(name: "up --dry-run", words: "up s.sqlite --dry-run"),
    Command(name: "up", words: "up s.sqlite", makes: backups),
    Command(
      name: "down", words: "down s.sqlite --to \(TestMigrations.all.latestVersion - 1)",
      makes: backups),
    Command(name: "repair", words: "repair s.sqlite"),
    Command(name: "repair --yes", words: "repair s.sqlite --yes", makes: backups),
    Command(name: "repair --to", words: "repair s.sqlite --to new.sqlite", makes: ["new.sqlite"]),
    Command(name: "backup", words: "backup s.sqlite", makes: backups),
    Command(name: "restore", words: "restore good s.sqlite --yes", makes: backups),
    Command(name: "rename", words: "rename cell C D s.sqlite", makes: backups),
    Command(
      name: "set-content", words: "set-content s.sqlite --cell C --with script", makes: backups),
    Command(
      name: "erase", words: "erase s.sqlite --list l --item b --yes",
      makes: backups.union(["s.sqlite-erasing"])),
    Command(name: "replay", words: "replay feed --store s.sqlite"),
    Command(name: "derive", words: "derive s.sqlite --define lists"),
  ]

  /// A column of the table: how the store is.
  enum State: String, CaseIterable {
    case sound
    case live = "in use"
    case older
    case newer
    case appTable = "app's table"
    case foreignSQL = "SQL of others"
    case readOnly = "read-only"
    case full = "full disk"
    case count, digest, log, content, item
    case index = "no index"
    case torn = "torn log"
    case header
    case cutOff = "cut off"
    case zeros

    /// What makes it of a sound store; `nil` where it takes more than SQL.
    var sql: String? {
      switch self {
      case .appTable: "CREATE TABLE memo (words TEXT); CREATE VIEW memos AS SELECT * FROM memo"
      case .foreignSQL: "CREATE INDEX theirs ON cell (length(name))"
      case .count: "UPDATE section SET itemCount = 9"
      case .digest: "UPDATE list SET digest = digest + 1"
      case .log: "DELETE FROM listCommit WHERE revision = 2"
      case .content: "UPDATE content SET content = '{' WHERE id = (SELECT min(id) FROM content)"
      case .item: "DELETE FROM item WHERE id = (SELECT max(id) FROM item)"
      case .index: "DROP INDEX index_section_on_visibility"
      default: nil
      }
    }

    /// What changes in its bytes.
    func change(_ bytes: inout Data) {
      switch self {
      case .header: bytes.replaceSubrange(0..<100, with: Data(count: 100))
      case .cutOff: bytes = bytes.prefix(bytes.count * 38 / 100)
      case .zeros:
        for start in stride(from: 4_096, to: bytes.count - 4_095, by: 8_192) {
          bytes.replaceSubrange(start..<start + 4_096, with: Data(count: 4_096))
        }
      default: break
      }
    }

    /// A folder that can't be written, or has no room, takes the superuser.
    var canBeMade: Bool {
      switch self {
      case .readOnly: MountedFolder.canBeMade
      case .full: MountedFolder.canBeMade
      default: true
      }
    }
  }

  // MARK: The table

  private static let article = PackageFiles.root.appendingPathComponent(
    "Sources/ListInspection/ListInspection.docc/CommandOutput.md")

  /// The cells of the article's table, by command and state.
  private static func table() throws -> [String: [String: String]] {
    let text = try String(contentsOf: article, encoding: .utf8)
    let part = try #require(text.components(separatedBy: "## Which store, which exit code\n").last)
    let rows = part.components(separatedBy: "\n").drop { !$0.hasPrefix("|") }
      .prefix { $0.hasPrefix("|") }
      .map { $0.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) } }
    let states = try #require(rows.first).dropFirst()
    return Dictionary(
      uniqueKeysWithValues: rows.dropFirst(2).map { row in
        let name = row[0].filter { $0 != "`" }
        return (name, Dictionary(uniqueKeysWithValues: zip(states, row.dropFirst())))
      })
  }

  @Test func theTableHasEveryCommandAndState() throws {
    let table = try Self.table()
    #expect(Set(table.keys) == Set(Self.commands.map(\.name)))
    for row in table.values { #expect(Set(row.keys) == Set(State.allCases.map(\.rawValue))) }
  }

  @Test(arguments: State.allCases) func everyCommandDoesWhatTheTableSays(_ state: State) throws {
    guard state.canBeMade else { return }
    let table = try Self.table()
    for command in Self.commands {
      let cell = try Self.Run(command, on: state).cell()
      if ProcessInfo.processInfo.environment["CELLAR_WRITE_MATRIX"] != nil {
        print("matrix|\(command.name)|\(state.rawValue)|\(cell)")
      } else {
        #expect(table[command.name]?[state.rawValue] == cell, "\(command.name), \(state.rawValue)")
      }
    }
  }

  /// Whenever a command is told to end, the store is as before or as after, and nothing lies about.
  @Test(arguments: commands.indices) func aCommandThatIsToldToEndLeavesNothing(
    _ number: Int
  ) throws {
    let run = try Self.Run(Self.commands[number], on: .sound)
    try run.interrupt(after: 10 + 4 * (number % 8))
  }
}

// MARK: - Running a command

extension StoreMatrixTests {
  /// A command on a store of its own.
  struct Run {
    private let command: Command
    private let state: State
    private let bench: CommandBench
    private let scratch: TemporaryFolder
    private var mounted: MountedFolder?

    private var store: URL { bench.folder.file("s.sqlite") }

    init(_ command: Command, on state: State) throws {
      (self.command, self.state) = (command, state)
      bench = try CommandBench()
      scratch = try TemporaryFolder()
      let folder = bench.folder
      let store = folder.file("s.sqlite")
      mounted = nil
      try make(store, state)
      try make(folder.file("good"), state == .newer ? .newer : .sound)
      _ = try folder.write(#"[{"set":"title","to":"x"}]"#, to: "script")
      _ = try folder.write(commit(4, insertItem("d")), to: "feed")
      _ = try folder.write(#"{"derived":"d","of":"l","sort":[{"path":"/title"}]}"#, to: "lists")
      switch state {
      case .full: mounted = try MountedFolder(full: folder.url)
      case .readOnly: mounted = try MountedFolder(readOnly: folder.url, at: folder.url)
      default: break
      }
    }

    private func open(_ store: URL) throws -> Repository {
      var options = Repository.Options()
      if knowsMore { options.migration.migrations = TestMigrations.all }
      return try Repository(existing: store, options: options)
    }

    /// Whether the program knows a migration more than the library.
    private var knowsMore: Bool {
      state == .older && !["replay", "derive"].contains(command.name)
        || command.name == "down" && state != .newer
    }

    /// A sound store of the library's version, and the same of the newest of the tests; made once.
    private static let sound = Result {
      let folder = try TemporaryFolder()
      let file = folder.file("s")
      let repository = try Repository(at: file)
      try repository.apply(
        FeedReader(
          file: folder.write(
            commit(1, insertSection("s"), insertItem("a", #"{"title":"Emma"}"#))
              + commit(2, insertItem("b")) + commit(3, insertItem("c")), to: "feed")))
      try repository.close()
      let own = try Data(contentsOf: file)
      _ = try Migrator.up(file, migrations: TestMigrations.all, backsUp: false)
      return (own: own, migrated: try Data(contentsOf: file))
    }

    private func make(_ store: URL, _ state: State) throws {
      let isMigrated = state == .newer || knowsMore && state != .older
      let sound = try Self.sound.get()
      var bytes = isMigrated ? sound.migrated : sound.own
      if let sql = state.sql { bytes = try Self.damaged(bytes, by: sql, isMigrated) }
      if state == .torn {
        let scratch = try TemporaryFolder()
        let made = scratch.file("s")
        try bytes.write(to: made)
        let repository = try open(made)
        try repository.commit([.deleteItem("c")], to: "l")
        try repository.commit([.deleteItem("a")], to: "l")
        let log = try Data(contentsOf: URL(fileURLWithPath: made.path + "-wal"))
        try log.dropLast(100).write(to: URL(fileURLWithPath: store.path + "-wal"))
        try FileManager.default.copyItem(at: made, to: store)
        return
      }
      state.change(&bytes)
      try bytes.write(to: store)
    }

    private static let damagedStores = Guarded<[String: Data]>([:])

    /// A store after SQL that the library would not run; made once for all commands.
    private static func damaged(_ bytes: Data, by sql: String, _ isMigrated: Bool) throws -> Data {
      let name = "\(isMigrated) \(sql)"
      if let known = damagedStores.withValue({ $0[name] }) { return known }
      let scratch = try TemporaryFolder()
      try bytes.write(to: scratch.file("s"))
      let queue = try DatabaseQueue(path: scratch.file("s").path)
      try queue.writeWithoutTransaction { db in
        try db.execute(sql: "PRAGMA ignore_check_constraints = 1; PRAGMA foreign_keys = 0")
        try db.execute(sql: sql + "; UPDATE store SET isBypassed = 0")
      }
      try queue.close()
      let damaged = try Data(contentsOf: scratch.file("s"))
      damagedStores.withValue { $0[name] = damaged }
      return damaged
    }

    private var arguments: String {
      get throws {
        try command.words + (knowsMore ? " --migrations " + bench.migrationFolder() : "")
      }
    }

    private func files() throws -> [String: Data] {
      var files: [String: Data] = [:]
      for name in try FileManager.default.contentsOfDirectory(atPath: bench.folder.url.path)
      where !name.hasSuffix("-shm") {
        files[name] = (try? Data(contentsOf: bench.folder.file(name))) ?? Data()
      }
      return files
    }

    /// Runs it: the exit code, and `*` if the store has changed.
    func cell() throws -> String {
      let before = try files()
      // Not before: reading a file gives back the locks that this process has on it.
      let app = state == .live ? try open(store) : nil
      let temporary = state == .full ? bench.folder.url : scratch.url
      let outcome = try bench.shell("TMPDIR='\(temporary.path)' \"$cellar\" \(arguments)")
      try app?.close()
      let after = try files()
      #expect(try FileManager.default.contentsOfDirectory(atPath: scratch.url.path) == [])
      let made = Set(after.keys).subtracting(before.keys).subtracting(["s.sqlite-wal"])
      #expect(made.isSubset(of: command.makes), "\(command.name), \(state.rawValue): \(made)")
      #expect(outcome.exitCode < 128, "\(command.name), \(state.rawValue): \(outcome)")
      if ![0, 2, 3, 4].contains(outcome.exitCode) {
        #expect(outcome.errors.contains("Error: "), "\(command.name), \(state.rawValue)")
      }
      let changed = Set(before.keys.filter { before[$0] != after[$0] })
      #expect(changed.isSubset(of: ["s.sqlite", "s.sqlite-wal"]), "\(command.name): \(changed)")
      // An app that opens it changes bytes, and no row.
      if command.looks, state != .live {
        #expect(changed.isEmpty, "\(command.name), \(state.rawValue): \(changed)")
        #expect(after["s.sqlite-wal"] == before["s.sqlite-wal"])
      }
      let isSame = try before == after || rows(before) == rows(after)
      return "\(outcome.exitCode)" + (isSame ? "" : "*")
    }

    /// All that the store says; of one that SQLite can't read, its bytes.
    private func rows(_ files: [String: Data]) throws -> [String] {
      let scratch = try TemporaryFolder()
      for (name, bytes) in files where name.hasPrefix("s.sqlite") {
        try bytes.write(to: scratch.file(name))
      }
      do {
        let queue = try DatabaseQueue(path: scratch.file("s.sqlite").path)
        defer { try? queue.close() }
        return try queue.read { db in
          let tables = try String.fetchAll(
            db,
            sql: "SELECT name FROM sqlite_schema WHERE type = 'table' AND rootpage ORDER BY name")
          return try String.fetchAll(
            db, sql: "SELECT sql FROM sqlite_schema WHERE sql <> '' ORDER BY name")
            + tables.flatMap { table in
              try Row.fetchAll(db, sql: "SELECT * FROM \(table.quotedDatabaseIdentifier)")
                .map { row in
                  let values: [String] = row.databaseValues.map {
                    Data.fromDatabaseValue($0)?.base64EncodedString() ?? "\($0)"
                  }
                  return "\(table) \(values)"
                }
            }
        }
      } catch is DatabaseError {
        return files.filter { $0.key.hasPrefix("s.sqlite") }
          .map { "\($0.key) \($0.value.base64EncodedString())" }.sorted()
      }
    }

    func interrupt(after milliseconds: Int) throws {
      let before = try files()
      let seconds = String(format: "%.3f", Double(milliseconds) / 1_000)
      let outcome = try bench.shell(
        "TMPDIR='\(scratch.url.path)' timeout -s INT \(seconds) \"$cellar\" \(arguments)")
      #expect([0, 2, 124].contains(outcome.exitCode), "\(command.name): \(outcome)")
      #expect(try FileManager.default.contentsOfDirectory(atPath: scratch.url.path) == [])
      let after = try files()
      let made = Set(after.keys).subtracting(before.keys).subtracting(["s.sqlite-wal"])
      #expect(made.isSubset(of: command.makes), "\(command.name): \(made)")
      let known = knowsMore ? ["--migrations", try bench.migrationFolder()] : []
      try bench.cellar(["check", store.path] + known, expecting: 0)
    }
  }
}
