import Foundation
import TestSupport
import Testing

/// `cellar replay --batches OUT`: destroys nothing, and what was not written can be had afterwards.
@Suite struct BatchFileTests {
  private let bench: CommandBench

  init() throws { bench = try CommandBench() }

  /// A feed of one list whose batch updates fill a pipe several times: by the length of its ids,
  /// because commits take their time.
  private func longFeed(_ count: Int = 1_000) -> String {
    let rest = String(repeating: "-", count: 240)
    return commit(1, insertSection("s"))
      + (2...count).map { commit($0, insertItem("i\($0)\(rest)")) }.joined()
  }

  private func text(_ name: String) throws -> String {
    try String(contentsOf: bench.folder.file(name), encoding: .utf8)
  }

  /// The batch updates of a replay that nothing disturbs.
  private func undisturbed(_ feed: String, coalescing: Int = 1) throws -> String {
    try CommandBench().cellar(
      "replay", "-", "--store", "store.sqlite", "--batches", "-", "--coalesce", "\(coalescing)",
      input: feed, expecting: 0
    ).output
  }

  // MARK: What is not overwritten

  /// Replays into an OUT that must be refused; nothing may change.
  private func expectRefusal(
    _ out: String, store: String = "store.sqlite", input: String? = nil,
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    let before = try FolderSnapshot(of: bench.folder.url)
    let outcome = try bench.cellar(
      "replay", "feed", "--store", store, "--batches", out, expecting: 64,
      sourceLocation: sourceLocation)
    #expect(outcome.errors.contains("--batches would overwrite"), sourceLocation: sourceLocation)
    let changes = before.changes(to: try FolderSnapshot(of: bench.folder.url))
    #expect(changes == [], "\(out)", sourceLocation: sourceLocation)
  }

  @Test func aStoreAndAFeedAreNotOverwrittenUnderAnyName() throws {
    try bench.replay(commit(1, insertSection("s")))
    _ = try bench.folder.write(commit(1, insertSection("s")), to: "feed")
    let files = FileManager.default
    for name in ["store.sqlite", "feed"] {
      try files.linkItem(at: bench.folder.file(name), to: bench.folder.file("\(name)-hard"))
      try files.createSymbolicLink(
        atPath: bench.folder.file("\(name)-soft").path, withDestinationPath: name)
      for out in [name, "./\(name)", "../\(bench.folder.url.lastPathComponent)/\(name)"] {
        try expectRefusal(out)
      }
      try expectRefusal("\(name)-hard")
      try expectRefusal("\(name)-soft")
    }
    for suffix in ["-wal", "-shm", "-journal"] {
      try expectRefusal("store.sqlite\(suffix)")
      try expectRefusal("store.sqlite\(suffix)", store: "store.sqlite-soft")
    }
  }

  @Test func aStoreThatIsNotThereYetIsNotOverwrittenEither() throws {
    _ = try bench.folder.write(commit(1, insertSection("s")), to: "feed")
    try FileManager.default.createSymbolicLink(
      atPath: bench.folder.file("link").path, withDestinationPath: "store.sqlite")
    for out in ["store.sqlite", "./store.sqlite", "link", "store.sqlite-wal", "store.sqlite-shm"] {
      try expectRefusal(out)
    }
  }

  @Test func standardInputIsNotOverwritten() throws {
    _ = try bench.folder.write(commit(1, insertSection("s")), to: "feed")
    let outcome = try bench.shell("\"$cellar\" replay - --store s --batches feed <feed")
    #expect(outcome.exitCode == 64)
    #expect(try text("feed") == commit(1, insertSection("s")))
    let appended = try bench.shell("\"$cellar\" replay feed --store s --batches - >>feed")
    #expect(appended.exitCode == 64)
    #expect(try text("feed") == commit(1, insertSection("s")))
  }

  @Test func anotherStoreIsNotOverwritten() throws {
    try bench.replay(commit(1, insertSection("s")))
    let before = try Data(contentsOf: URL(fileURLWithPath: bench.store))
    let outcome = try bench.cellar(
      "replay", "-", "--store", "other", "--batches", "store.sqlite", input: commit(1),
      expecting: 1)
    #expect(outcome.errors.contains("an SQLite database"))
    #expect(try Data(contentsOf: URL(fileURLWithPath: bench.store)) == before)
    #expect(try FolderSnapshot(of: bench.folder.url).names == ["store.sqlite"])
  }

  @Test func anOutThatCannotBeWrittenIsFoundBeforeTheStoreIsMade() throws {
    _ = try bench.folder.write(commit(1, insertSection("s")), to: "feed")
    _ = try bench.folder.write("", to: "file")
    for (out, words) in [
      ("no/out", "there is no folder no"), (".", "is a directory"), ("file/out", "not a directory"),
      ("x/", "x"),
    ] {
      let outcome = try bench.cellar(
        "replay", "feed", "--store", "store.sqlite", "--batches", out, expecting: 1)
      #expect(outcome.errors.contains("can't be written"), "\(outcome.errors)")
      #expect(outcome.errors.contains(words), "\(outcome.errors)")
      #expect(!outcome.errors.contains("Cocoa"))
      #expect(try FolderSnapshot(of: bench.folder.url).names == ["feed", "file"])
    }
  }

  // MARK: What is written

  @Test(arguments: ["o", "out.ndjson", String(repeating: "x", count: 250)])
  func aFileIsReplacedWhenAllIsWrittenAndNothingLiesBeside(_ name: String) throws {
    _ = try bench.folder.write("old\n", to: name)
    try FileManager.default.setAttributes(
      [.posixPermissions: 0o640], ofItemAtPath: bench.folder.file(name).path)
    _ = try bench.folder.write("left over", to: ".\(name.prefix(180)).new-\(UUID())")
    let feed = longFeed(20)
    _ = try bench.cellar(
      "replay", "-", "--store", "store.sqlite", "--batches", name, input: feed, expecting: 0)
    #expect(try text(name) == undisturbed(feed))
    #expect(try FolderSnapshot(of: bench.folder.url).names == [name, "store.sqlite"].sorted())
    let attributes = try FileManager.default.attributesOfItem(
      atPath: bench.folder.file(name).path)
    #expect(attributes[.posixPermissions] as? Int == 0o640)
  }

  @Test func aDraftThatIsInUseStays() throws {
    let name = ".out.new-\(UUID())"
    let draft = try bench.folder.write("mine", to: name)
    let handle = try FileHandle(forUpdating: draft)
    #expect(flock(handle.fileDescriptor, LOCK_EX | LOCK_NB) == 0)
    _ = try bench.cellar(
      "replay", "-", "--store", "store.sqlite", "--batches", "out", input: commit(1), expecting: 0)
    #expect(try text(name) == "mine")
    try handle.close()
    _ = try bench.cellar(
      "replay", "-", "--store", "store.sqlite", "--batches", "out", input: commit(1), expecting: 0)
    #expect(try FolderSnapshot(of: bench.folder.url).names == ["out", "store.sqlite"])
  }

  @Test func aLinkStaysALinkAndDevicesAndPipesAreWrittenDirectly() throws {
    let feed = longFeed(20)
    _ = try bench.folder.write(feed, to: "feed")
    let expected = try undisturbed(feed)
    try FileManager.default.createSymbolicLink(
      atPath: bench.folder.file("link").path, withDestinationPath: "target")
    _ = try bench.cellar("replay", "feed", "--store", "s1", "--batches", "link", expecting: 0)
    #expect(try text("target") == expected)
    #expect(
      try FileManager.default.destinationOfSymbolicLink(atPath: bench.folder.file("link").path)
        == "target")
    for out in ["-", "/dev/stdout", "/dev/fd/1"] {
      let outcome = try bench.cellar(
        "replay", "feed", "--store", "s\(out.utf8.count)+", "--batches", out, expecting: 0)
      #expect(outcome.output == expected)
      #expect(outcome.errors.contains("20 commits applied"))
    }
    let pipe = try bench.shell(
      "mkfifo pipe && { cat pipe >piped & \"$cellar\" replay feed --store s3 --batches pipe && wait; }"
    )
    #expect(pipe.exitCode == 0, "\(pipe)")
    #expect(try text("piped") == expected)
    _ = try bench.cellar("replay", "feed", "--store", "s4", "--batches", "/dev/null", expecting: 0)
  }

  @Test func anErrorKeepsTheLinesBeforeItAndSaysSo() throws {
    let feed = longFeed(20)
    let outcome = try bench.cellar(
      "replay", "-", "--store", "store.sqlite", "--batches", "out", input: feed + "nonsense\n",
      expecting: 1)
    #expect(try text("out") == undisturbed(feed))
    #expect(outcome.errors.contains("out has 20 batch updates"))
    #expect(try FolderSnapshot(of: bench.folder.url).names == ["out", "store.sqlite"])
  }

  @Test func aStoreThatCannotBeOpenedLeavesOutAsItWas() throws {
    _ = try bench.folder.write("old\n", to: "out")
    _ = try bench.folder.write("Dear diary", to: "store.sqlite")
    _ = try bench.cellar(
      "replay", "-", "--store", "store.sqlite", "--batches", "out", input: commit(1), expecting: 1)
    #expect(try text("out") == "old\n")
    #expect(try FolderSnapshot(of: bench.folder.url).names == ["out", "store.sqlite"])
  }

  @Test func aFeedInFilesMakesTheBatchUpdatesOfTheWhole() throws {
    let lines = [commit(1, insertSection("s"))] + (2...8).map { commit($0, insertItem("i\($0)")) }
    let whole = try undisturbed(lines.joined(), coalescing: 3)
    for (index, part) in [lines[..<2], lines[2..<4], lines[4...]].enumerated() {
      _ = try bench.folder.write(part.joined(), to: "part\(index)")
    }
    let arguments = [
      "replay", "part0", "part1", "part2", "--store", "store.sqlite", "--batches", "-",
      "--coalesce", "3",
    ]
    #expect(try bench.cellar(arguments, expecting: 0).output == whole)
    // What was stored before one is not there is told, too.
    let other = try CommandBench()
    _ = try other.folder.write(lines[..<2].joined(), to: "part")
    _ = try other.folder.write(lines[2...4].joined() + "{", to: "torn")
    let torn = try other.cellar(
      "replay", "part", "torn", "--store", "store.sqlite", "--batches", "-", "--coalesce", "3",
      expecting: 1)
    let told = torn.output.split(separator: "\n").prefix(2)
    #expect(told.count == 2 && told.first == whole.split(separator: "\n").first)
    #expect(told.last?.contains(#""from":"3","to":"5""#) == true, "\(torn)")
  }

  // MARK: From a revision

  @Test(arguments: [1, 2, 7]) func theLogGivesTheSameLinesAfterwards(_ coalescing: Int) throws {
    let releases = PackageFiles.releases.path
    let options = ["--store", "store.sqlite", "--coalesce", "\(coalescing)", "--batches"]
    try bench.cellar(["replay", releases] + options + ["whole"], expecting: 0)
    try bench.cellar(["replay"] + options + ["again", "--from", "0"], expecting: 0)
    for list in ["debian", "ubuntu"] {
      func lines(_ name: String) throws -> [Substring] {
        try text(name).split(separator: "\n").filter { $0.contains("\"list\":\"\(list)\"") }
      }
      let whole = try lines("whole")
      #expect(whole.count > 3)
      #expect(try lines("again") == whole)
      let one = try bench.cellar(
        ["replay"] + options + ["-", "--from", "\(list)=\(2 * coalescing)"], expecting: 0)
      let rest = Array(whole.dropFirst(2))
      #expect(one.output.split(separator: "\n") == rest)
    }
  }

  @Test func whatAKilledReplayDidNotWriteCanBeHad() throws {
    // Much more than a pipe holds.
    let feed = longFeed(900)
    _ = try bench.folder.write(feed, to: "feed")
    let whole = try undisturbed(feed).split(separator: "\n")
    // Who reads goes away: the system ends the replay.
    let killed = try bench.shell(
      """
      mkfifo pipe
      head -n 100 pipe >part &
      "$cellar" replay feed --store store.sqlite --batches pipe
      """)
    #expect(killed.exitCode > 128, "\(killed)")
    #expect(try text("part").split(separator: "\n") == Array(whole.prefix(100)))
    let log = try bench.cellar(
      "replay", "--store", "store.sqlite", "--batches", "-", "--from", "l=100", expecting: 0)
    let logged = log.output.split(separator: "\n")
    let same = Array(whole[100..<100 + logged.count])
    #expect(logged == same)
    // And on with the feed, in one go.
    _ = try bench.cellar(
      "replay", "feed", "--store", "store.sqlite", "--batches", "rest", "--from", "100",
      expecting: 0)
    #expect(try text("rest").split(separator: "\n") == Array(whole.dropFirst(100)))
  }

  @Test func whatDidNotFitCanBeHadByTheCommandThatIsTold() throws {
    let feed = longFeed()
    let full = try bench.cellar(
      "replay", "-", "--store", "store.sqlite", "--batches", "/dev/full", input: feed, expecting: 9)
    #expect(full.errors.contains("no space left on device"))
    let line = try #require(
      full.errors.split(separator: "\n").first { $0.contains("cellar replay --store") })
    #expect(line.contains("--store store.sqlite --batches <out> --from l=0"), "\(line)")
    _ = try bench.cellar(
      "replay", "-", "--store", "store.sqlite", "--batches", "out", "--from", "l=0", input: feed,
      expecting: 0)
    #expect(try text("out") == undisturbed(feed))
  }

  /// Whether a small disk can be made here: it takes the superuser, and not every container lets.
  private static let canMount: Bool = {
    guard geteuid() == 0, let bench = try? CommandBench() else { return false }
    let outcome = try? bench.shell("mkdir m && mount -t tmpfs -o size=1m tmpfs m && umount m")
    return outcome?.exitCode == 0
  }()

  @Test(.enabled(if: canMount)) func aFullDiskKeepsWholeLinesAndTheLogHasTheRest() throws {
    let feed = longFeed()
    _ = try bench.folder.write(feed, to: "feed")
    let full = try bench.shell(
      """
      mkdir disk && mount -t tmpfs -o size=100k tmpfs disk || exit 99
      "$cellar" replay feed --store store.sqlite --batches disk/out
      code=$?
      cp disk/out part && ls -A disk >names
      umount disk
      exit $code
      """)
    #expect(full.exitCode == 9, "\(full)")
    #expect(try text("names") == "out\n")
    let whole = try undisturbed(feed)
    let part = try text("part")
    let count = part.split(separator: "\n").count
    #expect(part.hasSuffix("\n") && count > 100)
    #expect(whole.hasPrefix(part))
    #expect(full.errors.contains("disk/out has \(count) batch updates"), "\(full.errors)")
    #expect(full.errors.contains("--from l=\(count)\n"), "\(full.errors)")
    _ = try bench.cellar(
      "replay", "feed", "--store", "store.sqlite", "--batches", "rest", "--from", "l=\(count)",
      expecting: 0)
    #expect(part + (try text("rest")) == whole)
  }

  @Test func aRevisionThatIsNotThereIsAFailureThatWritesNothing() throws {
    try bench.replay(longFeed(5))
    for (start, words) in [("l=6", "0...5"), ("m=0", "near it"), ("other=1", "there is \"l\"")] {
      let outcome = try bench.cellar(
        "replay", "--store", "store.sqlite", "--batches", "out", "--from", start, expecting: 1)
      if start != "m=0" { #expect(outcome.errors.contains(words), "\(outcome.errors)") }
    }
    #expect(try FolderSnapshot(of: bench.folder.url).names == ["store.sqlite"])
    let beyond = try bench.cellar(
      "replay", "--store", "store.sqlite", "--batches", "-", "--from", "6", expecting: 0)
    #expect(beyond.output == "", "no list has so many commits")
    let missing = try bench.cellar(
      "replay", "--store", "none", "--batches", "-", "--from", "0", expecting: 1)
    #expect(missing.errors.contains("there is no such file"))
  }

  @Test func fromBeforeTheLogIsAReload() throws {
    try bench.replay(longFeed(300))
    try bench.change(
      "DELETE FROM change WHERE revision <= 100", "DELETE FROM listCommit WHERE revision <= 100",
      "UPDATE list SET logFloor = 100, floorChain = (SELECT chain FROM list)")
    let outcome = try bench.cellar(
      "replay", "--store", "store.sqlite", "--batches", "-", "--from", "50", expecting: 0)
    let update = try outcome.output.object()
    #expect(update["mode"] as? String == "reload")
    #expect(update["from"] as? String == "50")
    #expect(update["to"] as? String == "300")
  }
}
