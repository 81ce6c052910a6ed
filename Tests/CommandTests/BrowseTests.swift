import Foundation
import TestSupport
import Testing

/// `cellar inspect browse` in a terminal.
@Suite struct BrowseTests {
  private let bench: CommandBench
  /// Where private copies lie.
  private let scratch: TemporaryFolder

  init() throws {
    bench = try CommandBench()
    scratch = try TemporaryFolder()
    try bench.fill(
      commit(1, insertSection("s"), insertItem("a", "{\"secret\":1}"), insertItem("b"))
        + commit(2, "{\"op\":\"moveItem\",\"item\":\"a\",\"before\":null}")
        + commit(3, "{\"op\":\"deleteItem\",\"item\":\"b\"}"))
  }

  private func browse(
    _ width: Int = 80, _ height: Int = 24, _ options: String...,
    environment: [String: String] = [:]
  ) throws -> Pseudoterminal {
    try Pseudoterminal(
      ["inspect", "browse", bench.store] + options, width: width, height: height,
      environment: environment.merging(["TMPDIR": scratch.url.path]) { old, _ in old },
      in: bench.folder.url)
  }

  /// What must hold however it ended.
  private func expectTidy(
    _ terminal: Pseudoterminal, sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    #expect(terminal.isAsBefore, sourceLocation: sourceLocation)
    let output = String(decoding: terminal.output, as: UTF8.self)
    #expect(output.hasPrefix("\u{1B}[?1049h"), sourceLocation: sourceLocation)
    #expect(output.hasSuffix("\u{1B}[?25h\u{1B}[?7h\u{1B}[?1049l"), sourceLocation: sourceLocation)
    let left = try FileManager.default.contentsOfDirectory(atPath: scratch.url.path)
    #expect(left == [], sourceLocation: sourceLocation)
  }

  @Test func theKeyboardLeadsThroughListsSectionsItemsAndRevisions() throws {
    let before = try FolderSnapshot(of: bench.folder.url)
    let terminal = try browse()
    let start = try terminal.wait(for: ">l")
    #expect(start[0] == "store.sqlite")
    // A closed store has a notice, which is no finding.
    #expect(start[1].trimmingCharacters(in: .whitespaces) == "1 list")
    terminal.press("\r")
    try terminal.wait(for: "revision 3 of 3, digest agrees: 1 deleteItem by server")
    terminal.press("\u{1B}[C")
    let items = try terminal.wait(for: "store.sqlite › l › s")
    #expect(
      items.contains(">0  a     C           12 bytes c4b8f7ea") || items[3].hasPrefix(">0  a"))
    #expect(!items.joined().contains("secret"))
    terminal.press("l")
    let item = try terminal.wait(for: "moveItem \"a\" from [0, 0] in \"s\" to [0, 1] in \"s\"")
    #expect(item.contains { $0.contains("content 12 bytes") })
    terminal.press("h[")
    let earlier = try terminal.wait(for: "revision 2 of 3, digest agrees: 1 moveItem")
    #expect(earlier[3].hasPrefix(">0  b"))
    #expect(earlier[4].hasPrefix(" 1  a"))
    terminal.press("[c")
    try terminal.wait(for: "insertItem \"b\" at [0, 1]")
    terminal.press("\u{7F}/b\r")
    #expect(try terminal.wait(for: ">1  b")[1].hasPrefix("revision 1 of 3"))
    terminal.press("]]/b\r")
    try terminal.wait(for: "no item and no section with this id")
    terminal.press("q")
    try terminal.waitForExit()
    #expect(terminal.process.terminationReason == .exit)
    #expect(terminal.process.terminationStatus == 0)
    try expectTidy(terminal)
    #expect(before.changes(to: try FolderSnapshot(of: bench.folder.url)) == [])
  }

  @Test(arguments: [SIGTERM, SIGINT, SIGHUP])
  func aSignalEndsItAndTheTerminalIsAsBefore(_ signal: Int32) throws {
    let terminal = try browse()
    try terminal.wait(for: "q quit")
    #expect(!terminal.isAsBefore)
    kill(terminal.process.processIdentifier, signal)
    try terminal.waitForExit()
    #expect(terminal.process.terminationReason == .uncaughtSignal)
    #expect(terminal.process.terminationStatus == signal)
    try expectTidy(terminal)
  }

  @Test func aStoreThatChangesMeanwhileIs70() throws {
    let terminal = try browse()
    try terminal.wait(for: "q quit")
    try bench.replay(commit(4, insertItem("c")))
    // Control and C.
    terminal.press("\u{3}")
    try terminal.waitForExit()
    #expect(terminal.process.terminationStatus == 70)
    try expectTidy(terminal)
  }

  @Test func aDamagedListIsShownWithAWarningAnd2() throws {
    try bench.change("PRAGMA foreign_keys = OFF", "UPDATE block SET members = 'x'")
    let terminal = try browse()
    try terminal.wait(for: "error")
    terminal.press("l")
    try terminal.wait(for: "DIGEST DOES NOT AGREE")
    terminal.press("f")
    try terminal.wait(for: "error: ")
    terminal.press("q")
    try terminal.waitForExit()
    #expect(terminal.process.terminationStatus == 2)
    try expectTidy(terminal)
  }

  @Test func aSmallTerminalIsEnoughAndAnotherSizeIsFollowed() throws {
    let terminal = try browse(20, 5)
    let lines = try terminal.wait(for: "1 of 1")
    #expect(lines.allSatisfy { $0.count <= 20 })
    terminal.press("ll")
    try terminal.wait(for: ">0  a")
    terminal.press("l\u{1B}[B\u{1B}[6~?hh")
    try terminal.wait(for: ">0  a")
    try terminal.resize(to: 60, 12)
    #expect(try terminal.wait(for: "c changes").count == 12)
    terminal.press("q")
    try terminal.waitForExit()
    #expect(terminal.process.terminationStatus == 0)
  }

  @Test func contentsAreShownOnRequestAndColorsAreNotUnlessWanted() throws {
    let terminal = try browse(80, 24, "--content", "full", environment: ["NO_COLOR": "1"])
    try terminal.wait(for: "q quit")
    terminal.press("ll")
    try terminal.wait(for: "{\"secret\":1}")
    terminal.press("q")
    try terminal.waitForExit()
    let output = String(decoding: terminal.output, as: UTF8.self)
    #expect(output.firstMatch(of: /\x{1B}\[[34][0-9]m/) == nil)
  }

  @Test func withoutATerminalItIsWrongUsage() throws {
    let outcome = try bench.cellar("inspect", "browse", bench.store, expecting: 64)
    #expect(outcome.output == "")
    #expect(outcome.errors.split(separator: "\n").count == 1)
    #expect(outcome.errors.contains("`cellar inspect ls`"))
    #expect(outcome.errors.contains("`report`"))
  }
}
