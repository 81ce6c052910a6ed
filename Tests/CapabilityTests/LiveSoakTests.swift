import Cellar
import CellarUIKit
import Foundation
import HeadlessUIKit
import ScreenSupport
import SuiteSupport
import TestSupport
import Testing

/// Two processes write one list, one of them a feed too; two read it live: a third, and this one,
/// which scrolls three screens.
@Suite(.timeLimit) @MainActor struct LiveSoakTests {
  private static let wantedSeconds =
    ProcessInfo.processInfo.environment["CELLAR_SOAK"].flatMap(Double.init)

  private let bookcase: Bookcase

  init() throws {
    // The writers may be waited for as long as the machine is busy.
    bookcase = try Bookcase(busyTimeout: 60)
    try list.edit { list throws in
      for section in ["a", "b"] as [SectionID] { try list.insertSection(section) }
      try list.insert(Book(id: "anchor"), in: "a")
    }
  }

  private var list: LiveList {
    bookcase.repository.liveList(
      "list", items: [Book.self], policy: UpdatePolicy(budget: .unlimited))
  }

  /// 2 seconds; `CELLAR_SOAK` asks for another number, and for the figures.
  ///
  /// One writer stops now and then in the middle of a transaction, for a second. The times of the
  /// feed's lines jump by decades, as with a clock that is set. The clocks of the processes are the
  /// system's, which a test can't set; Cellar waits by those that nobody sets, and only notes the
  /// time of a commit.
  @Test func allProcessesEndWithOneList() async throws {
    let seconds = Self.wantedSeconds ?? 2
    let screens = try ScreenKind.allCases.map { try FollowingScreen(Screen($0, showing: list)) }
    let reader = try SoakProcess(bookcase, ["follow", "end"])
    while try reader.lines().isEmpty { try await Task.sleep(nanoseconds: 1_000_000) }
    let stopped = try SoakProcess(bookcase, ["shelve-and-stop", "A", "\(seconds)", "5"])
    let feeding = try SoakProcess(bookcase, ["shelve-beside-a-feed", "B", "\(seconds)", "5"])
    stopped.goOnAfterStops()
    var generator = SeededGenerator(seed: 19)
    while stopped.isRunning || feeding.isRunning {
      for screen in screens { screen.step(scrollingTo: .random(in: 0...1, using: &generator)) }
      try await Task.sleep(nanoseconds: 2_000_000)
    }
    #expect(stopped.hasSucceeded && feeding.hasSucceeded)
    try checkLog(stopped.lines(), feeding.lines())

    let deadline = Date(timeIntervalSinceNow: 600)
    func showAll() async throws {
      let revision = try list.tree().revision
      while screens.contains(where: { $0.revision < revision }), Date() < deadline {
        try await Task.sleep(nanoseconds: 1_000_000)
        for screen in screens { screen.step(scrollingTo: nil) }
      }
    }
    try await showAll()
    // The last commit, which tells the reader to end. The screens get it by itself: where the machine was
    // so busy that all before it came at once, too, they update more than once.
    try await list.edit { list throws in try list.insert(Book(id: "end"), in: "b") }
    let tree = try list.tree()
    try await showAll()
    while reader.isRunning, Date() < deadline { try await Task.sleep(nanoseconds: 1_000_000) }
    #expect(reader.hasSucceeded, "it has not heard the last commit")
    for screen in screens {
      // The last update may have begun at the end of the animations before it.
      screen.step(scrollingTo: nil)
      screen.expect(tree)
    }
    let told = try reader.lines()
    #expect(told.last == "digest \(tree.stateDigest)")
    let reloads = told.filter { $0.hasPrefix("reload") }
    #expect(reloads == [])
    #expect(bookcase.repository.diagnostics.isEmpty, "\(bookcase.repository.diagnostics)")
    if Self.wantedSeconds != nil {
      print("\(tree.revision) commits; reader: \(told)")
      for screen in screens { print(screen) }
    }
  }

  /// Nothing is lost or doubled: the log has what each writer says that it has committed.
  private func checkLog(_ stopped: [Substring], _ feeding: [Substring]) throws {
    let log = try list.commits()
    func lines(by author: String) -> [String] {
      log.filter { $0.author.name == author }.enumerated().map { "\($1.revision) \($0 + 1)" }
    }
    for (author, said) in [("A", stopped), ("B", feeding)] {
      let committed = said.filter { $0.first?.isNumber == true }
      #expect(committed.map { "\($0)" } == lines(by: author))
    }
    let stops = stopped.count { $0 == "stopped" }
    #expect(stops >= 1)
    #expect(lines(by: "stopped").count == stops)
    let feedCount = feeding.last { $0.hasPrefix("feed") }.flatMap { Int($0.dropFirst(5)) }
    #expect(lines(by: "server").count == feedCount)
    if Self.wantedSeconds != nil {
      let busy = (stopped + feeding).count { $0 == "busy" }
      print("A \(lines(by: "A").count), B \(lines(by: "B").count), feed \(feedCount ?? 0)")
      print("busy \(busy)")
    }
  }
}

/// A screen that is scrolled, and counts its updates.
@MainActor private final class FollowingScreen: @MainActor CustomStringConvertible {
  let screen: Screen
  private var batches = 0
  private var reloads: [String: Int] = [:]
  private var raised: [HeadlessException] = []

  init(_ screen: Screen) {
    self.screen = screen
    screen.checkBooks()
    screen.layOut()
    screen.adapter.onProblem = { Issue.record("\($0)") }
    screen.adapter.onUpdate = { [unowned self] update in
      if case .reload(let why) = update.mode {
        reloads["\(why)", default: 0] += 1
      } else {
        batches += 1
      }
    }
  }

  var revision: Int { screen.adapter.provider.revision }

  var description: String { "\(screen.kind): batches \(batches), reloads \(reloads)" }

  /// Lets some time pass on the screen.
  func step(scrollingTo share: Double?) {
    raised += HeadlessException.raised {
      if let share { screen.scroll(to: share) }
      screen.layOut()
      screen.finishAnimations()
    }
  }

  /// Checks that it shows a list, and how it came there.
  func expect(_ tree: ListTree) {
    #expect(screen.adapter.provider.tree == tree, "\(screen.kind)")
    #expect(raised.map(\.description) == [], "\(screen.kind)")
    #expect(reloads == [:], "\(screen.kind)")
    #expect(batches > 1, "\(screen.kind)")
    screen.expectBalance()
  }
}

/// The program `CommitUntilKilled` at work on a bookcase.
private final class SoakProcess: @unchecked Sendable {
  // Nothing in it changes, and `Process` may be asked from any thread.
  private let process = Process()
  private let output: URL

  init(_ bookcase: Bookcase, _ arguments: [String]) throws {
    output = bookcase.folder.file(arguments[0])
    try Data().write(to: output)
    process.executableURL = BuiltProducts.program("CommitUntilKilled")
    process.arguments = [bookcase.repository.file.path] + arguments
    process.standardOutput = try FileHandle(forWritingTo: output)
    try process.run()
  }

  deinit {
    if process.isRunning { kill(process.processIdentifier, SIGKILL) }
  }

  var isRunning: Bool { process.isRunning }

  /// Lets it go on a second after each time that it has stopped itself.
  ///
  /// On a thread of its own: the main one has other tests to run, and nobody waits for a lock for long.
  func goOnAfterStops() {
    Thread.detachNewThread { [self] in
      var (count, begin) = (0, Date())
      while isRunning {
        let found = (try? lines().count { $0 == "stopped" }) ?? count
        if found > count { (count, begin) = (found, Date()) }
        // Again and again, because it may not have stopped yet when it had said so.
        if count > 0, Date().timeIntervalSince(begin) > 1 {
          kill(process.processIdentifier, SIGCONT)
          begin = Date()
        }
        Thread.sleep(forTimeInterval: 0.1)
      }
    }
  }

  /// Whether it has ended by itself.
  var hasSucceeded: Bool {
    !process.isRunning && process.terminationReason == .exit && process.terminationStatus == 0
  }

  /// What it has said.
  func lines() throws -> [Substring] {
    String(decoding: try Data(contentsOf: output), as: UTF8.self).split(separator: "\n")
  }
}
