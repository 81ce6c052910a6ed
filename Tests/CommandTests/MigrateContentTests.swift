import Foundation
import TestSupport
import Testing

/// `cellar migrate`: names and contents in stores.
@Suite struct MigrateContentTests {
  private let bench: CommandBench

  init() throws {
    bench = try CommandBench()
    for list in ["home", "shelf"] {
      try bench.fill(
        #"{"t":"commit","list":"\#(list)","seq":"1","ops":[{"op":"insertSection","section":"s","#
          + #""header":{"view":"OldHeader","content":1}},"#
          + item("emma", "Book", #"{"title":"Emma"}"#) + ","
          + item("dune", "Book@2", #"{"name":"Dune"}"#) + "]}\n")
    }
  }

  private func item(_ id: String, _ type: String, _ content: String) -> String {
    #"{"op":"insertItem","item":"\#(id)","section":"s","cell":"BookCell","type":"\#(type)","#
      + #""content":\#(content)}"#
  }

  /// The commands, with what each changes and how a list shows it.
  private static let commands: [(arguments: [String], member: String, count: Int, shown: String)] =
    [
      (["rename-cell", "BookCell", "NovelCell"], "renamedItems", 2, #""cell":"NovelCell""#),
      (["rename-type", "Book", "Novel"], "renamedItems", 2, #""type":"Novel@2""#),
      (["rename-view", "OldHeader", "Header"], "renamedSections", 1, #""view":"Header""#),
      (
        ["set-content", "--type", "Book", "--with", "script.json"], "changedItems", 1,
        #""content":{"name":"Emma","liked":false}"#
      ),
      (
        ["set-content", "--type", "Book", "--through", "sed s/Emma/Persuasion/"], "changedItems",
        1, #""title":"Persuasion""#
      ),
    ]

  @Test(arguments: commands.indices)
  func aChangeIsCountedByListThenMadeOnceAndEarlierRevisionsStay(_ index: Int) throws {
    _ = try bench.folder.write(
      #"[{"rename":["title","name"]},{"set-if-missing":"liked","to":false}]"#, to: "script.json")
    let (arguments, member, count, shown) = Self.commands[index]
    let command = ["migrate"] + arguments + [bench.store]
    let counts = ["home": count, "shelf": count]
    let before = try FolderSnapshot(of: bench.folder.url)
    let dry = try bench.cellar(command + ["--dry-run", "--json"], expecting: 0)
    #expect(try dry.output.object()[member] as? [String: Int] == counts)
    #expect(try dry.output.object()["dryRun"] as? Bool == true)
    #expect(before.changes(to: try FolderSnapshot(of: bench.folder.url)) == [])
    let plain = try bench.cellar(command + ["--dry-run"], expecting: 0)
    #expect(plain.output.contains(": would "))

    let first = try bench.export("home")
    #expect(!first.contains(shown))
    let done = try bench.cellar(command + ["--json"], expecting: 0)
    #expect(try done.output.object()[member] as? [String: Int] == counts)
    for list in ["home", "shelf"] { #expect(try bench.export(list).contains(shown)) }
    #expect(try bench.export("home", at: 1) == first)
    let again = try bench.cellar(command + ["--json"], expecting: 0)
    #expect(try again.output.object()[member] as? [String: Int] == [:])
    #expect(try bench.cellar(command, expecting: 0).output.contains(": nothing to "))
    try bench.cellar("inspect", "check", bench.store, expecting: 0)
  }

  @Test(arguments: [
    (["rename-cell", "BokCell", "N"], "nearCells", ["BookCell"], "no item has the cell"),
    (["rename-type", "Bok", "N"], "nearTypes", ["Book"], "no item has the type"),
    (["rename-view", "OldHeadr", "N"], "nearViews", ["OldHeader"], "no section has the view"),
    (
      ["set-content", "--type", "Book@3", "--through", "cat"], "nearTypes", ["Book@2", "Book"],
      "no item has the type"
    ),
  ]) func anUnknownNameIsAnErrorThatNamesTheNearest(
    _ arguments: [String], _ member: String, _ near: [String], _ words: String
  ) throws {
    let before = try bench.export("home")
    for flags in [[], ["--dry-run"]] {
      let outcome = try bench.cellar(
        ["migrate"] + arguments + [bench.store, "--json"] + flags, expecting: 1)
      let result = try outcome.output.object()
      #expect(result[member] as? [String] == near)
      #expect(outcome.errors.contains(words) && outcome.errors.contains("near it: "))
      #expect(outcome.errors.contains("store.sqlite: "))
    }
    #expect(try bench.export("home") == before)
  }

  @Test func oneStoreWithoutTheNameDoesNotStopTheOthers() throws {
    try bench.cellar(
      "replay", "-", "--store", bench.folder.file("other.sqlite").path,
      input: commit(1, insertSection("s")), expecting: 0)
    let outcome = try bench.cellar(
      "migrate", "rename-type", "Book", "Novel", "--json", "other.sqlite", "store.sqlite",
      expecting: 1)
    let results = try outcome.output.objects()
    #expect(results.map { $0["error"] != nil } == [true, false])
    #expect(results[1]["renamedItems"] as? [String: Int] == ["home": 2, "shelf": 2])
  }

  @Test(arguments: [
    ("exit 3", "ended with exit code 3"), ("kill -9 $$", "was ended by signal 9"),
    ("head -n 0", "printed 0 lines for 1 item"), ("cat; echo {}", "printed 2 lines for 1 item"),
    ("sed s/emma/anna/", #"wrong line 1: id: expected "emma", found "anna""#),
    ("tr -d '}'", "printed a wrong line 1: "), ("sed s/content/contents/", "content: missing"),
    ("sleep 30", "took longer than 1 second"),
  ]) func aCommandThatFailsChangesNothing(_ command: String, _ words: String) throws {
    let before = try bench.export("home")
    let outcome = try bench.cellar(
      "migrate", "set-content", "--type", "Book", "--time-limit", "1", "--through", command,
      bench.store, expecting: 1)
    #expect(outcome.errors.contains(words), "\(outcome.errors)")
    #expect(outcome.errors.contains(#"nothing was changed of 1 item in list "home""#))
    #expect(try bench.export("home") == before)
  }

  @Test func theTimeLimitEndsAllThatTheCommandHasStarted() throws {
    let pipe = bench.folder.file("pipe").path
    #expect(mkfifo(pipe, 0o600) == 0)
    let reader = open(pipe, O_RDONLY | O_NONBLOCK)
    defer { close(reader) }
    _ = try bench.cellar(
      "migrate", "set-content", "--type", "Book", "--time-limit", "1", "--through",
      "touch begun; (sleep 60; touch late) >pipe & wait", bench.store, expecting: 1)
    // Ends when all that write to the pipe have ended.
    #expect(fcntl(reader, F_SETFL, 0) == 0)
    var byte: UInt8 = 0
    #expect(read(reader, &byte, 1) == 0)
    for (name, isThere) in [("begun", true), ("late", false)] {
      #expect(FileManager.default.fileExists(atPath: bench.folder.file(name).path) == isThere)
    }
  }

  @Test func aScriptThatDoesNotFitChangesNothing() throws {
    let before = try bench.export("home")
    let wrong = try bench.cellar(
      "migrate", "set-content", "--type", "Book", "--with", "-", bench.store,
      input: #"[{"renam":["a","b"]}]"#, expecting: 1)
    #expect(wrong.errors.contains(#"-: not a script: [0]: unknown operation "renam""#))
    let unfit = try bench.cellar(
      "migrate", "set-content", "--type", "Book", "--with", "-", bench.store,
      input: #"[{"set":"title.x","to":1}]"#, expecting: 1)
    #expect(unfit.errors.contains(#"item "emma" in list "home" can't be changed: title: expected"#))
    #expect(try bench.export("home") == before)
  }
}
