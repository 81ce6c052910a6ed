import Foundation
import ListModel
import ListStore
import TestSupport
import Testing

/// What a command leaves behind that is told to end, or killed.
@Suite struct InterruptionTests {
  private let bench: CommandBench
  /// Where private copies lie.
  private let scratch: TemporaryFolder

  init() throws {
    bench = try CommandBench()
    scratch = try TemporaryFolder()
    let item =
      #"{"op":"insertItem","item":"a","section":"s","cell":"C","type":"Book","content":{}}"#
    try bench.fill(commit(1, insertSection("s"), item))
  }

  private func start(_ arguments: [String]) throws -> Process {
    let process = Process()
    process.executableURL = BuiltProducts.program("cellar")
    process.arguments = arguments
    process.currentDirectoryURL = bench.folder.url
    process.environment = ProcessInfo.processInfo.environment
      .merging(["TMPDIR": scratch.url.path]) { $1 }
    process.standardInput = FileHandle.nullDevice
    process.standardError = FileHandle.nullDevice
    try process.run()
    return process
  }

  private func names(in folder: URL) throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
  }

  /// Ends a process once something has appeared in a folder.
  private func end(
    _ process: Process, by signal: Int32, afterSeeing prefix: String, in folder: URL
  ) throws {
    let limit = Date().addingTimeInterval(60)
    while try !names(in: folder).contains(where: { $0.hasPrefix(prefix) }) {
      try #require(process.isRunning && Date() < limit, "\(prefix) never appeared")
      usleep(5_000)
    }
    kill(process.processIdentifier, signal)
    process.waitUntilExit()
    #expect(process.terminationReason == .uncaughtSignal)
    #expect(process.terminationStatus == signal)
  }

  private let slowChange = [
    "migrate", "set-content", "store.sqlite", "--type", "Book", "--through", "sleep 3; cat",
  ]

  @Test(arguments: [SIGINT, SIGTERM, SIGHUP])
  func copiesAndDraftsGo(_ signal: Int32) throws {
    let process = try start(slowChange + ["--dry-run"])
    try end(process, by: signal, afterSeeing: "cellar-contents-", in: scratch.url)
    #expect(try names(in: scratch.url) == [])

    // A feed that never comes.
    #expect(mkfifo(bench.folder.file("feed").path, 0o600) == 0)
    let feed = open(bench.folder.file("feed").path, O_RDWR)
    defer { close(feed) }
    let replay = try start(
      ["replay", "feed", "--store", "new.sqlite", "--batches", "batches.ndjson"])
    try end(replay, by: signal, afterSeeing: ".batches.ndjson.new-", in: bench.folder.url)
    #expect(try names(in: bench.folder.url).allSatisfy { !$0.hasPrefix(".") })
  }

  // MARK: Each command that makes some

  /// A command, and the beginning of a name that shows up while it runs: of a copy, or of a draft in
  /// a folder.
  struct Run: Sendable, CustomTestStringConvertible {
    let arguments: [String]
    let prefix: String
    /// The folder of the draft, in that of the store; `nil` for a copy in the temporary folder.
    var folder: String?
    var testDescription: String { arguments.joined(separator: " ") }
  }

  static let runs = [
    Run(
      arguments: ["inspect", "export", "large.sqlite", "--list", "large"], prefix: "cellar-copy-"),
    Run(arguments: ["inspect", "recover", "large.sqlite", "new.sqlite"], prefix: "cellar-copy-"),
    Run(
      arguments: ["inspect", "recover", "large.sqlite", "new.sqlite"],
      prefix: ".new.sqlite.new-", folder: ""),
    Run(
      arguments: ["inspect", "redact", "large.sqlite", "new.sqlite"], prefix: ".new.sqlite.new-",
      folder: ""),
    Run(arguments: ["inspect", "report", "large.sqlite", "--out", "page"], prefix: "cellar-copy-"),
    Run(
      arguments: [
        "inspect", "query", "large.sqlite",
        "SELECT count(*) FROM item AS a, item AS b, item AS c WHERE a.name || b.name > c.name",
      ], prefix: "cellar-copy-"),
    Run(
      arguments: ["migrate", "up", "large.sqlite", "--backup", "always"], prefix: "cellar-copy-"),
    Run(
      arguments: ["migrate", "backup", "large.sqlite"], prefix: ".large.sqlite.new-",
      folder: ".backups"),
    Run(
      arguments: ["migrate", "repair", "large.sqlite", "--yes"], prefix: ".large.sqlite.new-",
      folder: ""),
  ]

  /// A store that commands are busy with for a while, made once.
  private static let largeStore = Result {
    let folder = try TemporaryFolder()
    let file = folder.file("large.sqlite")
    let repository = try Repository(at: file)
    let text = JSON(stringLiteral: "\"" + String(repeating: "long ", count: 200) + "\"")
    for part in 0..<8 {
      try repository.edit("large") { list in
        try list.insertSectionIfMissing("s")
        try list.insert(
          (0..<1_000).map {
            Item(id: ItemID(stringLiteral: "item \(part) \($0)"), cell: "C", content: text)
          }, in: "s")
      }
    }
    try repository.close()
    return try Data(contentsOf: file)
  }

  private func makeLargeStore(for run: Run) throws {
    let file = bench.folder.file("large.sqlite")
    try Self.largeStore.get().write(to: file)
    if run.arguments[1] == "repair" {
      try bench.change("UPDATE section SET itemCount = 7", in: file.path)
    }
  }

  /// Starts a command, and ends it in its midst.
  private func interrupt(_ run: Run, by signal: Int32) throws {
    var arguments = run.arguments
    // Of an earlier version a copy is read.
    if ["up", "export", "report", "query"].contains(arguments[1]) {
      arguments += ["--migrations", try bench.migrationFolder()]
    }
    let folder = run.folder.map { $0.isEmpty ? bench.folder.url : bench.folder.file($0) }
    if let folder, folder != bench.folder.url { #expect(mkdir(folder.path, 0o700) == 0) }
    let process = try start(arguments)
    try end(process, by: signal, afterSeeing: run.prefix, in: folder ?? scratch.url)
  }

  private func leftovers() throws -> [String] {
    let backups = bench.folder.file(".backups")
    let names = FileManager.default.fileExists(atPath: backups.path) ? try names(in: backups) : []
    return try self.names(in: scratch.url)
      + (self.names(in: bench.folder.url) + names).filter { $0.contains(".new-") }
  }

  @Test(arguments: runs.indices)
  func nothingStaysOfACommandThatIsToldToEnd(_ number: Int) throws {
    let run = Self.runs[number]
    let signal = [SIGINT, SIGTERM, SIGHUP][number % 3]
    try makeLargeStore(for: run)
    try interrupt(run, by: signal)
    #expect(try leftovers() == [])
    #expect(!FileManager.default.fileExists(atPath: bench.folder.file("new.sqlite").path))
    #expect(!FileManager.default.fileExists(atPath: bench.folder.file("page").path))
  }

  /// Copies go at the start of any command, a draft when the next one is made in its folder.
  @Test(arguments: runs) func whatAKilledOneLeftGoes(_ run: Run) throws {
    try makeLargeStore(for: run)
    try interrupt(run, by: SIGKILL)
    #expect(try leftovers() != [])
    let next = try start(["migrate", "dump"])
    next.waitUntilExit()
    #expect(try names(in: scratch.url) == [])
    for arguments in [
      ["inspect", "recover", "store.sqlite", "other.sqlite"],
      ["migrate", "backup", "store.sqlite"],
    ] { try bench.cellar(arguments, expecting: 0) }
    #expect(try leftovers() == [])
  }

  @Test func whatAKilledReplayLeftGoesWithTheNextFile() throws {
    #expect(mkfifo(bench.folder.file("feed").path, 0o600) == 0)
    let feed = open(bench.folder.file("feed").path, O_RDWR)
    defer { close(feed) }
    let replay = try start(["replay", "feed", "--store", "new.sqlite", "--batches", "batches"])
    try end(replay, by: SIGKILL, afterSeeing: ".batches.new-", in: bench.folder.url)
    try bench.cellar("inspect", "report", "store.sqlite", "--out", "page", expecting: 0)
    #expect(try leftovers() == [])
  }

  @Test func whatAKilledCommandLeftGoesAtTheNextStart() throws {
    let process = try start(slowChange + ["--dry-run"])
    try end(process, by: SIGKILL, afterSeeing: "cellar-contents-", in: scratch.url)
    #expect(try names(in: scratch.url).count == 2)
    let next = try start(["migrate", "dump"])
    next.waitUntilExit()
    #expect(try names(in: scratch.url) == [])
  }

  /// As `nohup` has it.
  @Test func aSignalThatIsIgnoredEndsNothing() throws {
    let outcome = try bench.shell(
      """
      trap '' HUP
      "$cellar" migrate set-content store.sqlite --type Book --through 'sleep 1; cat' --dry-run &
      sleep 0.5; kill -HUP $!; wait $!
      """)
    #expect(outcome.exitCode == 1 || outcome.exitCode == 0, "\(outcome)")
  }
}
