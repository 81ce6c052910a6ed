import Foundation
import RelaySupport
import Testing

/// The command, run as a process; `swift test` builds it beside the tests.
@Suite(.enabled(if: Command.isThere)) struct CommandTests {
  private let folder: URL

  init() throws { folder = try TestFolder.make() }

  private func path(_ name: String) -> String { folder.appendingPathComponent(name).path }

  private func makeSQLite(_ name: String, _ statements: String) throws {
    let tool = Process()
    tool.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    tool.arguments = ["sqlite3", path(name), statements]
    try tool.run()
    tool.waitUntilExit()
    try #require(tool.terminationStatus == 0)
  }

  // MARK: Files

  @Test(arguments: ["check", "export", "compact"])
  func lookingAtAFileOfSomethingElseChangesNothing(_ command: String) throws {
    try Data().write(to: URL(fileURLWithPath: path("empty")))
    try Data("hello, this is text and no database at all".utf8)
      .write(to: URL(fileURLWithPath: path("text")))
    try makeSQLite("foreign", "CREATE TABLE note (text TEXT); INSERT INTO note VALUES ('mine')")
    for name in ["empty", "text", "foreign"] {
      let before = try Data(contentsOf: URL(fileURLWithPath: path(name)))
      let run = try Command.run([command, "--file", path(name)])
      #expect(run.status == 1 && run.errors.contains(path(name)))
      #expect(try Data(contentsOf: URL(fileURLWithPath: path(name))) == before)
    }
    #expect(try Command.run([command, "--file", path("none/log")]).status == 1)
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
        == ["empty", "foreign", "text"])
  }

  @Test func aForeignFileIsNotServed() throws {
    try makeSQLite("foreign", "CREATE TABLE note (text TEXT)")
    let run = try Command.run(["serve", "--port", "0", "--file", path("foreign")])
    #expect(run.status == 1 && run.errors.contains("has no logs"))
  }

  @Test func anImportNamesFileAndLine() throws {
    try Data("\n{\"t\":\"commit\"}\n".utf8).write(to: URL(fileURLWithPath: path("feed")))
    let run = try Command.run(["import", "--file", path("log"), path("feed")])
    #expect(run.status == 1 && run.errors.contains("\(path("feed")), line 2: "))
    #expect(try Command.run(["import", "--file", path("log"), path("none")]).status == 64)
  }

  @Test func anExportThatLeavesLinesOutSaysSo() throws {
    let lines = (1...3).map {
      #"{"t":"commit","list":"home","seq":"\#($0)","at":1,"by":"ann","ops":[{"op":"updateList","meta":\#($0)}]}"#
    }
    try Data((lines.joined(separator: "\n") + "\n").utf8)
      .write(to: URL(fileURLWithPath: path("feed")))
    let log = ["--file", path("log")]
    #expect(try Command.run(["import"] + log + [path("feed")]).status == 0)
    let whole = try Command.run(["export"] + log)
    #expect(whole.status == 0 && whole.errors.isEmpty)
    #expect(whole.output.split(separator: "\n").count == 3)
    // Without ids: it is in no queue.
    let compacted = try Command.run(
      ["compact", "--keep-days", "0", "--keep-answers-days", "0"] + log)
    #expect(compacted.status == 0 && compacted.errors.contains("1 lists, 2 lines dropped"))
    let rest = try Command.run(["export"] + log)
    #expect(rest.status == 0 && rest.output.split(separator: "\n").count == 1)
    #expect(rest.errors.contains(#"list "home": a snapshot stands for the lines up to 3"#))
  }

  // MARK: Tokens

  @Test func aKeyFileIsNotOverwritten() throws {
    let keys = ["token", "--keys", path("keys")]
    #expect(try Command.run(keys + ["--new"]).status == 0)
    let before = try Data(contentsOf: URL(fileURLWithPath: path("keys")))
    let again = try Command.run(keys + ["--new"])
    #expect(again.status == 1 && again.errors.contains("already"))
    #expect(try Data(contentsOf: URL(fileURLWithPath: path("keys"))) == before)
  }

  @Test func tokensThatNoRelayTakesAreNotMade() throws {
    #expect(try Command.run(["token", "--new", "--keys", path("keys")]).status == 0)
    func token(_ more: String...) throws -> Command.Run {
      try Command.run(
        ["token", "--keys", path("keys"), "--issuer", "i", "--audience", "a"] + more)
    }
    #expect(try token("--subject", "ann", "home=read").status == 0)
    let long = String(repeating: "x", count: 64)
    #expect(try token("--subject", long, "home=read").status == 0)
    let run = try token("--subject", long + "x", "home=read")
    #expect(run.status == 1 && run.output.isEmpty && run.errors.contains("64 bytes"))
    #expect(try token("--subject", "ann", "=read").status == 1)
    for expires in ["1e30", "inf", "nan", "0", "-1"] {
      let run = try token("--subject", "ann", "--expires=\(expires)", "home=read")
      #expect(run.status == 64 && run.errors.contains("--expires"))
    }
  }

  @Test func aKeyFileThatIsMissingIsASentence() throws {
    let named = ["--keys", path("none"), "--issuer", "i", "--audience", "a"]
    for command in [
      ["serve", "--port", "0", "--file", path("log")] + named,
      ["token", "--subject", "ann", "home=read"] + named,
    ] {
      let run = try Command.run(command)
      #expect(run.status == 1 && run.errors.contains("there is no key file \(path("none"))"))
      #expect(!run.errors.contains("NSCocoa"))
    }
  }

  // MARK: Serving

  @Test func aTakenPortIsASentence() throws {
    let taken = try TakenPort()
    let run = try Command.run(["serve", "--port", "\(taken.number)", "--file", path("log")])
    #expect(run.status == 1)
    #expect(run.errors.contains("port \(taken.number) of 127.0.0.1 is taken"))
    #expect(!run.errors.contains("bind("))
  }

  @Test(arguments: [
    "edits-per-second", "bytes-per-second", "read-bytes-per-second", "connections", "lists",
    "refusals-per-second", "body-bytes", "look-every", "compact-every", "most-items", "most-lists",
    "postgres-connections", "postgres-patience",
  ])
  func whatIsNoLimitIsRefused(_ option: String) throws {
    for value in ["-5", "0", "nan", "inf"] {
      let run = try Command.run(["serve", "--file", path("log"), "--\(option)=\(value)"])
      #expect(run.status == 64 && run.errors.contains("--\(option)"))
    }
  }

  // MARK: The environment

  private func check(_ given: [String], _ variables: [String: String]) throws -> Command.Run {
    try Command.run(["check"] + given, variables: variables)
  }

  @Test func whatIsGivenCounts() throws {
    try Data().write(to: URL(fileURLWithPath: path("feed")))
    #expect(try Command.run(["import", "--file", path("log"), path("feed")]).status == 0)
    let postgres = ["CELLAR_RELAY_POSTGRES": "postgresql://nobody@127.0.0.1:1/none"]
    #expect(try check(["--file", path("log")], postgres).status == 0)
    #expect(try check(["--file=\(path("log"))"], postgres).status == 0)
    let file = ["CELLAR_RELAY_FILE": path("log")]
    #expect(try check([], file).status == 0)
    #expect(try check(["--file", path("none")], file).status == 1)
    let run = try check(["--postgres", "postgresql://nobody@127.0.0.1:1/none"], file)
    #expect(run.status == 1 && !run.errors.contains("not in both"))
    #expect(try check([], file.merging(postgres) { $1 }).status == 64)
  }

  @Test func onlyURLsOfServersAreSplit() throws {
    try FileManager.default.createDirectory(
      atPath: path("my dir"), withIntermediateDirectories: true)
    try Data().write(to: URL(fileURLWithPath: path("feed")))
    #expect(try Command.run(["import", "--file", path("my dir/log"), path("feed")]).status == 0)
    #expect(try check([], ["CELLAR_RELAY_FILE": path("my dir/log")]).status == 0)
    // One connection string, not two: the second word alone would be another user.
    for value in ["host=127.0.0.1 port=1", "postgresql://127.0.0.1:1 postgresql://127.0.0.1:2"] {
      let run = try check([], ["CELLAR_RELAY_POSTGRES": value])
      #expect(run.status == 1 && !run.errors.contains("missing \"=\""))
    }
  }

  @Test func aMisspeltVariableIsReportedWithoutItsValue() throws {
    try Data().write(to: URL(fileURLWithPath: path("feed")))
    #expect(try Command.run(["import", "--file", path("log"), path("feed")]).status == 0)
    let run = try check(
      ["--file", path("log")],
      ["CELLAR_RELAY_SHAREDAGE": "secret", "CELLAR_RELAY_PORT": "1", "CELLAR_RELAY_KEYS": ""])
    #expect(run.status == 0)
    #expect(run.errors.contains("CELLAR_RELAY_SHAREDAGE is ignored"))
    #expect(!run.errors.contains("secret") && !run.errors.contains("CELLAR_RELAY_PORT"))
  }
}
