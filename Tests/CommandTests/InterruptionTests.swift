import Foundation
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
    try bench.fill(commit(1, insertSection("s"), insertItem("a")))
    try bench.change("UPDATE content SET type = 'Book'", "UPDATE store SET isBypassed = 0")
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
