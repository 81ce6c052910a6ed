import Foundation
import GRDB
import TestSupport
import Testing

/// `cellar inspect`: looks, and says what it sees.
@Suite struct InspectTests {
  private let bench: CommandBench

  init() throws {
    bench = try CommandBench()
    try bench.fill(
      commit(1, insertSection("s"), insertItem("a")) + commit(2, insertItem("b", "[1,2]")))
  }

  @Test func aSummaryIsTextOrJSONAndChangesNothing() throws {
    let before = try FolderSnapshot(of: bench.folder.url)
    let plain = try bench.cellar("inspect", "summary", bench.store, expecting: 0)
    for fact in [
      "integrity: ok", "list \"l\"", "revision 2, 1 section, 2 items", "2 × C", "server",
    ] {
      #expect(plain.output.contains(fact), "\(fact)")
    }
    let json = try bench.cellar("inspect", "summary", bench.store, "--json", expecting: 0)
    let summary = try json.output.object()
    #expect(summary["formatVersion"] as? Int == 1)
    #expect(summary["integrity"] as? [String] == ["ok"])
    let list = try #require((summary["lists"] as? [[String: Any]])?.first)
    #expect(list["itemCount"] as? Int == 2)
    #expect(list["feedSequence"] as? Int == 2)
    #expect(plain.errors + json.errors == "")
    #expect(before.changes(to: try FolderSnapshot(of: bench.folder.url)) == [])
  }

  @Test(arguments: [
    ["info"], ["check"], ["ls", "--list", "l"], ["show", "a", "--list", "l"], ["log"], ["wal"],
    ["space"], ["sizes"], ["cells"], ["query", "SELECT * FROM itemInOrder"],
    ["export", "--list", "l", "--at", "1"],
  ])
  func aStoreAtRestIsReadInPlace(arguments: [String]) throws {
    let command = ["inspect", arguments[0], bench.store] + arguments.dropFirst()
    let copied = try bench.cellar(command, expecting: 0)
    let before = try FolderSnapshot(of: bench.folder.url)
    let found = try bench.cellar(command + ["--in-place"], expecting: 0)
    #expect(found.output == copied.output)
    #expect(before.changes(to: try FolderSnapshot(of: bench.folder.url)) == [])
  }

  @Test func aStoreThatAnAppHasOpenIsNotReadInPlace() throws {
    let app = try DatabaseQueue(path: bench.store)
    _ = try app.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM list") }
    let refused = try bench.cellar("inspect", "info", bench.store, "--in-place", expecting: 6)
    #expect(refused.output == "")
    #expect(refused.errors.contains("has the store open, and may write meanwhile"))
    try bench.cellar("inspect", "info", bench.store, expecting: 0)
    try app.close()
  }

  @Test func anExportIsOneLineAtEveryRevision() throws {
    let before = try FolderSnapshot(of: bench.folder.url)
    func printed(_ moment: String...) throws -> String {
      try bench.cellar(["inspect", "export", bench.store, "--list", "l"] + moment, expecting: 0)
        .output
    }
    #expect(try printed("--at", "0") == "{\"list\":\"l\",\"revision\":\"0\",\"sections\":[]}\n")
    #expect(try printed("--at", "2") == printed())
    // What other tests take for what is printed.
    #expect(try bench.export() == printed())
    #expect(
      try printed() == """
        {"list":"l","revision":"2","sections":[{"id":"s","items":[{"id":"a","cell":"C","content":{}},\
        {"id":"b","cell":"C","content":[1,2]}]}]}

        """)
    #expect(before.changes(to: try FolderSnapshot(of: bench.folder.url)) == [])
  }

  @Test func unknownListsAndRevisionsAreFailuresThatSayWhatThereIs() throws {
    let noList = try bench.cellar("inspect", "export", bench.store, "--list", "x", expecting: 1)
    #expect(noList.errors.contains("\"l\""))
    for revision in ["3", "-1", "9223372036854775807"] {
      let outcome = try bench.cellar(
        "inspect", "export", bench.store, "--list", "l", "--at=\(revision)", expecting: 1)
      #expect(outcome.errors.contains("0...2"))
      #expect(outcome.output == "")
    }
  }

  @Test func aMissingFileIsAFailureAndStaysMissing() throws {
    for arguments in [["summary", "none"], ["export", "none", "--list", "l"]] {
      let outcome = try BuiltProducts.run("cellar", ["inspect"] + arguments, in: bench.folder.url)
      #expect(outcome.exitCode == 1)
    }
    #expect(try FolderSnapshot(of: bench.folder.url).names == ["store.sqlite"])
  }

  @Test func aDamagedFileIsFoundWith2OrRefusedWith1() throws {
    let file = URL(fileURLWithPath: bench.store)
    let whole = try Data(contentsOf: file)
    var generator = SeededGenerator(seed: 4)
    var codes: Set<Int32> = []
    for _ in 0..<25 {
      var bytes = whole
      let page = generator.number(1..<(whole.count / 4_096)) * 4_096
      for offset in 0..<40 { bytes[page + offset] = UInt8(generator.number(0..<256)) }
      try bytes.write(to: file)
      let outcome = try bench.cellar("inspect", "summary", bench.store, "--json")
      codes.insert(outcome.exitCode)
      if outcome.exitCode == 2 {
        #expect((try outcome.output.object()["integrity"] as? [String])?.first != "ok")
      }
      #expect(try Data(contentsOf: file) == bytes)
    }
    #expect(codes.contains(1) || codes.contains(2))
    #expect(!codes.contains(64))
  }

  /// A store that nobody has open is read where it lies; what an app writes meanwhile makes the
  /// command look again, at a copy.
  @Test func anAnswerIsOfOneMomentAlsoIfAnAppOpensTheStoreMeanwhile() throws {
    let pause =
      "(WITH RECURSIVE c (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM c WHERE i < 6000000) "
      + "SELECT count(*) FROM c)"
    let process = Process()
    process.executableURL = BuiltProducts.program("cellar")
    process.arguments = [
      "query", bench.store,
      "SELECT \(pause), (SELECT itemCount FROM section), (SELECT group_concat(name) FROM item)",
    ]
    let output = Pipe()
    process.standardOutput = output
    process.standardError = FileHandle.nullDevice
    try process.run()
    while try !isRead(bench.store) { try #require(process.isRunning, "it was to be busy") }
    try bench.fill(commit(3, insertItem("c")))
    let bytes = output.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    #expect(process.terminationStatus == 0)
    #expect(String(decoding: bytes, as: UTF8.self).hasSuffix("\t3\ta,b,c\n"))
  }

  /// Whether another process holds the lock of a reader on a database.
  private func isRead(_ path: String) throws -> Bool {
    let file = try FileHandle(forReadingFrom: URL(fileURLWithPath: path))
    defer { try? file.close() }
    var lock = flock()
    lock.l_type = Int16(F_WRLCK)
    lock.l_whence = Int16(SEEK_SET)
    // SQLite's readers share these bytes.
    (lock.l_start, lock.l_len) = (0x4000_0002, 510)
    return fcntl(file.fileDescriptor, F_GETLK, &lock) == 0 && lock.l_type != Int16(F_UNLCK)
  }
}
