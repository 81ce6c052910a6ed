import Foundation
import GRDB
import ListModel
import ListStore
import ListSync
import Providers
import SchemaSupport
import StoreSchema
import TestSupport
import Testing
import ListTables

/// What a store holds: what must be as before or as after, and nothing else.
struct StoreState: Equatable {
  private var trees: [ListID: ListTree] = [:]
  /// The first revision from which each log leads on.
  private var floors: [ListID: Int] = [:]

  init() {}

  init(of repository: Repository) throws {
    for list in try repository.lists() {
      trees[list] = try repository.tree(of: list)
      floors[list] = try repository.read("read where the log begins") { db in
        try Int.fetchOne(
          db, sql: "SELECT logFloor FROM list WHERE name = ?", arguments: [list.rawValue])
      }
    }
  }

  /// Revisions by list, for messages.
  var summary: String {
    trees.sorted { $0.key < $1.key }.map {
      "\($0.key)@\($0.value.revision)-\(floors[$0.key] ?? 0)"
    }.joined(separator: " ")
  }
}

/// Something that is done to a store while its I/O calls fail.
///
/// It opens the store, then takes some steps, each of which is acknowledged or fails.
struct FaultyOperation: Sendable, CustomTestStringConvertible {
  let testDescription: String
  /// Makes the store, in an empty folder.
  let prepare: @Sendable (URL) throws -> Void
  /// The migrations of the library that opens it.
  let migrations: [Migration]
  let open: @Sendable (URL) throws -> Repository
  let steps: [@Sendable (Repository) throws -> Void]
  /// Whether there is no store before.
  let isCreation: Bool
  /// Takes all steps and counts along; else they are taken one by one.
  var takeAll: (@Sendable (Repository, inout Int) throws -> Void)?

  init(
    _ name: String, isCreation: Bool = false,
    prepare: @escaping @Sendable (URL) throws -> Void, migrations: [Migration] = Migration.all,
    open: @escaping @Sendable (URL) throws -> Repository = { try Repository(existing: $0) },
    steps: [@Sendable (Repository) throws -> Void] = [],
    takeAll: (@Sendable (Repository, inout Int) throws -> Void)? = nil
  ) {
    testDescription = name
    self.isCreation = isCreation
    self.prepare = prepare
    self.migrations = migrations
    self.open = open
    self.steps = steps
    self.takeAll = takeAll
  }

  /// Opens the store as whoever comes later does.
  func reopen(_ file: URL) throws -> Repository {
    var options = Repository.Options()
    options.migration.migrations = migrations
    return try Repository(existing: file, options: options)
  }

  func take(_ repository: Repository, acknowledged: inout Int) throws {
    if let takeAll { return try takeAll(repository, &acknowledged) }
    for step in steps {
      try step(repository)
      acknowledged += 1
    }
  }
}

extension FaultyOperation {
  static let all: [FaultyOperation] =
    [
      FaultyOperation(
        "create", isCreation: true, prepare: { _ in }, open: { try Repository(at: $0) },
        steps: [{ try $0.commit([.insertSection("s")], to: "list") }]),
      FaultyOperation("open", prepare: makeStore, steps: reading),
      FaultyOperation("open after a crash", prepare: makeCrashedStore, steps: reading),
      FaultyOperation("write", prepare: makeStore, steps: writing),
      FaultyOperation(
        "write durably, with checkpoints", prepare: makeStore, open: openDurably, steps: writing),
      replay,
      FaultyOperation(
        "truncate the log", prepare: makeStore,
        steps: [
          { try $0.truncateLog(of: "list", keeping: LogRetention(changes: 20)) },
          { try $0.truncateLog(of: "list", keeping: LogRetention(changes: 0)) },
        ]),
      FaultyOperation(
        "back up and restore", prepare: makeStore,
        open: { file in
          let backup = try StoreBackup.make(of: file)
          try StoreBackup.restore(backup.file, to: file)
          return try Repository(existing: file)
        }),
      FaultyOperation(
        "undo a migration",
        prepare: { file in
          try makeStore(file)
          _ = try Migrator.up(file, migrations: TestMigrations.all, backsUp: false)
        },
        migrations: TestMigrations.all,
        open: { file in
          let all = TestMigrations.all
          _ = try Migrator.down(file, to: all.latestVersion - 1, migrations: all)
          return try Repository(existing: file, options: migratingOptions)
        }),
    ] + (Migration.latestVersion..<TestMigrations.all.latestVersion).flatMap(migrations)

  // MARK: Stores

  @Sendable private static func makeStore(_ file: URL) throws {
    let repository = try Repository(at: file)
    var generator = SeededGenerator(seed: 1)
    let source = RandomChanges(hasSectionParts: true)
    var tree = ListTree(list: "list")
    for _ in 0..<12 {
      var changes: [Change] = []
      for _ in 0..<generator.number(1..<8) {
        let change = source.change(for: tree, using: &generator)
        try tree.apply(change)
        changes.append(change)
      }
      try repository.commit(changes, to: "list")
    }
    try repository.commit([.insertSection("stays")], to: "list")
  }

  /// The files as of a moment at which somebody had the store open.
  @Sendable private static func makeCrashedStore(_ file: URL) throws {
    let folder = try TemporaryFolder()
    let original = folder.file(file.lastPathComponent)
    try makeStore(original)
    let repository = try Repository(existing: original)
    for step in writing { try step(repository) }
    for suffix in ["", "-wal"] {
      try FileManager.default.copyItem(atPath: original.path + suffix, toPath: file.path + suffix)
    }
    // And a frame that the crash tore off.
    let log = try FileHandle(forWritingTo: URL(fileURLWithPath: file.path + "-wal"))
    try log.seekToEnd()
    try log.write(contentsOf: Data(repeating: 7, count: 1_000))
    try log.close()
  }

  @Sendable private static func openDurably(_ file: URL) throws -> Repository {
    var options = Repository.Options()
    options.durability = .full
    options.prepareConnection = { try $0.execute(sql: "PRAGMA wal_autocheckpoint = 4") }
    return try Repository(existing: file, options: options)
  }

  private static var migratingOptions: Repository.Options {
    var options = Repository.Options()
    options.migration.migrations = TestMigrations.all
    options.migration.backup = .never
    return options
  }

  /// Of a store as an earlier release left it, and of one that has a rollback journal.
  private static func migrations(_ version: Int) -> [FaultyOperation] {
    @Sendable func make(_ file: URL) throws {
      try TestMigrations.makeStore(at: file, version: version)
    }
    return [
      FaultyOperation(
        "migrate version \(version)", prepare: make, migrations: TestMigrations.all,
        open: { try Repository(existing: $0, options: migratingOptions) }),
      FaultyOperation(
        "migrate version \(version) with a rollback journal",
        prepare: { file in
          try make(file)
          let queue = try DatabaseQueue(path: file.path)
          try queue.writeWithoutTransaction { try $0.execute(sql: "PRAGMA journal_mode = DELETE") }
          try queue.close()
        },
        migrations: TestMigrations.all,
        open: { file in
          _ = try Migrator.up(file, migrations: TestMigrations.all, backsUp: false)
          return try Repository(existing: file, options: migratingOptions)
        }),
    ]
  }

  // MARK: Steps

  private static let reading: [@Sendable (Repository) throws -> Void] = [
    { repository in
      _ = try repository.tree(of: "list", at: 3)
      _ = try repository.provider(for: "list").tree
    }
  ]

  private static let writing: [@Sendable (Repository) throws -> Void] = [
    { try $0.commit([.insertSection("new", at: .start)], to: "list") },
    { repository in
      // Blocks split, if there is time.
      let changes: [Change] = (0..<(FaultTests.wanted != nil ? 300 : 20)).map { number in
        .insertItem(
          Item(id: ItemID(stringLiteral: "n\(number)"), cell: "Cell", content: "{\"n\":1}"),
          in: "new", at: .start)
      }
      try repository.commit(changes, to: "list")
    },
    { repository in
      try repository.edit("list") { list in
        try list.delete("n7")
        try list.move("n8", to: .after("n12"))
      }
    },
    { try $0.undoCommit($0.revision(of: "list"), of: "list") },
    { try $0.commit([.insertSection("s")], to: "another") },
    { try $0.deleteList("another") },
  ]

  private static let replay: FaultyOperation = {
    let lines = (1...6).map { number in
      #"{"t":"commit","list":"fed","seq":"\#(number)","at":\#(number),"by":"server","ops":["#
        + (number == 1
          ? #"{"op":"insertSection","section":"s"}"#
          : #"{"op":"insertItem","item":"i\#(number)","section":"s","cell":"C","content":1}"#)
        + "]}\n"
    }
    @Sendable func apply(_ count: Int, _ repository: Repository, _ applied: inout Int) throws {
      let folder = try TemporaryFolder()
      let feed = try folder.write(lines[..<count].joined(), to: "feed.ndjson")
      let reader = try FeedReader(file: feed)
      var report = FeedReport()
      defer { applied += report.applied }
      report = try repository.apply(reader) { report = $0 }
    }
    return FaultyOperation(
      "replay a feed", prepare: makeStore,
      steps: (1...6).map { count in
        { repository in
          var applied = 0
          try apply(count, repository, &applied)
        }
      },
      takeAll: { try apply(6, $0, &$1) })
  }()
}
