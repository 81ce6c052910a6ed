import Foundation
import TestSupport
import Testing

/// Every command explains itself and ends with the code that scripts rely on.
@Suite struct HelpTests {
  private let bench: CommandBench

  init() throws { bench = try CommandBench() }

  private static let options: [(command: [String], words: [String])] = [
    (
      [],
      [
        "LOOK INTO A STORE", "info", "check", "ls", "show", "log", "diff", "export", "query",
        "report", "redact", "MIGRATE AND REPAIR", "status", "up", "down", "repair", "backup",
        "restore", "rename", "set-content", "erase", "MAKE AND REPLAY", "demo", "replay", "derive",
        "check-batch", "Exit codes: 0",
      ]
    ),
    (["demo"], ["--out <dir>", "cellar-demo"]),
    (
      ["replay"],
      [
        "<feed>", "--store <file>", "--batches <out>", "--coalesce <n>", "--from <revision>",
        "--json",
      ]
    ),
    (["check-batch"], ["<file>", "unsafe", "raise"]),
    (["status"], ["<file>", "--check", "--details", "--jobs <n>", "--json"]),
    (
      ["up"],
      [
        "<file>", "--to <version>", "--dry-run", "--backup <when>", "--details", "--jobs <n>",
        "--json",
      ]
    ),
    (["down"], ["<file>", "--to <version>", "--jobs <n>", "--json"]),
    (["backup"], ["<file>", "--list", "--out <file>", "--jobs <n>", "--json"]),
    (["restore"], ["<backup>", "<file>", "--yes", "--no-backup", "--json"]),
    (
      ["check"],
      ["<file>", "--registry <names>", "--in-place", "--details", "--jobs <n>", "--json"]
    ),
    (["repair"], ["<file>", "--yes", "--accept-checksum <version>", "--json"]),
    (["dump"], ["--version <version>"]),
    (["lint"], ["--dir <folder>", "--json"]),
    (["new"], ["<name>", "--dir <folder>"]),
    (["rename"], ["<kind>", "<old>", "<new>", "<file>", "--dry-run", "--json"]),
    (
      ["set-content"],
      [
        "<file>", "--type <type>", "--cell <cell>", "--with <script>", "--through <command>",
        "--time-limit <seconds>", "--keep-sizes", "--dry-run", "--json",
      ]
    ),
    (
      ["ls"],
      [
        "<file>", "--list <id>", "--section <id>", "--at <revision|time|wal:K>", "--find <text>",
        "--sections <n>", "--first <n>", "--after <k>", "--long", "--json",
      ]
    ),
    (
      ["show"],
      [
        "<file>", "<item>", "--list <id>", "--section <id>", "--at <revision|time|wal:K>",
        "--measurer <version>", "--content",
      ]
    ),
    (
      ["log"],
      [
        "--list <id>", "--author <name>", "--item <id>", "--section <id>", "--find <text>",
        "--since <time>", "--until <time>", "--last <n>", "--entries <n>", "--rates", "--follow",
        "--content", "--json",
      ]
    ),
    (
      ["diff"],
      [
        "<file>", "--at <revision|time|wal:K>", "--list <id>", "--batch", "--stat", "--content",
        "--json",
      ]
    ),
    (
      ["erase"],
      ["<file>", "--list <id>", "--item <id>", "--section <id>", "--yes", "--dry-run", "--json"]
    ),
    (
      ["info"],
      [
        "<file>", "--sizes", "--cells", "--space", "--wal", "--list <id>", "--stale",
        "--registry <names>", "--in-place", "--json",
      ]
    ),
    (
      ["query"], ["<file>", "<sql>", "--param <[name=]value>", "--csv", "--limit <rows>", "--json"]
    ),
    (["export"], ["<file>", "--list <id>", "--at <revision|time|wal:K>"]),
    (["report"], ["<file>", "--out <page>", "--force", "--content <content>", "--json"]),
    (["recover"], ["<file>", "<new-file>", "--deleted", "--json"]),
    (
      ["redact"],
      [
        "<file>", "<new-file>", "--redact-members", "--redact-names", "--redact-times",
        "--seed <number>", "--json",
      ]
    ),
  ]

  @Test(arguments: options)
  func everyCommandHasHelpThatNamesItsOptions(_ command: [String], _ words: [String]) throws {
    let outcome = try BuiltProducts.run("cellar", command + ["--help"])
    #expect(outcome.exitCode == 0)
    #expect(outcome.errors == "")
    #expect(outcome.output.contains("OVERVIEW: "))
    #expect(outcome.output.contains("USAGE: " + (["cellar"] + command).joined(separator: " ")))
    for word in words { #expect(outcome.output.contains(word), "\(command): \(word)") }
  }

  @Test func theHelpHasALineACommand() throws {
    let help = try bench.cellar("--help", expecting: 0).output
    let commands = try #require(help.components(separatedBy: "LOOK INTO A STORE").last)
      .split(separator: "\n").filter { $0.hasPrefix("  ") }
    #expect(commands.count == 23)
    #expect(commands.allSatisfy { !$0.hasPrefix("   ") }, "an abstract takes two lines")
  }

  @Test(arguments: [
    "info", "check", "ls", "show", "log", "diff", "export", "query", "report", "redact", "status",
    "up", "down", "repair", "backup", "restore", "rename", "set-content", "erase", "demo", "replay",
    "derive", "check-batch", "lint", "new", "dump", "recover",
  ])
  func theExampleOfEachIsUsageThatParses(_ command: String) throws {
    let help = try BuiltProducts.run("cellar", [command, "--help"], in: bench.folder.url).output
    let examples = help.components(separatedBy: "\nExample: ").dropFirst().map { part in
      // Help is broken into lines of 80 columns.
      part.components(separatedBy: "\n\n")[0].components(separatedBy: "\nExample")[0]
        .replacingOccurrences(of: "\n", with: " ")
    }
    #expect(!examples.isEmpty)
    for example in examples {
      let words = example.dropFirst("cellar".count)
      let outcome = try bench.shell("\"$cellar\"\(words)")
      #expect(outcome.exitCode != 64, "\(example): \(outcome)")
    }
  }

  private static let earlierNames: [(earlier: String, now: String)] = [
    ("inspect info", "info"), ("inspect summary", "info"), ("inspect check", "check"),
    ("inspect ls", "ls"), ("inspect show", "show"), ("inspect log", "log"),
    ("inspect diff", "diff"), ("inspect sizes", "info"), ("inspect cells", "info"),
    ("inspect space", "info"), ("inspect wal", "info"), ("inspect export", "export"),
    ("inspect query", "query"), ("inspect report", "report"), ("inspect recover", "recover"),
    ("inspect redact", "redact"), ("migrate status", "status"), ("migrate plan", "up"),
    ("migrate up", "up"), ("migrate down", "down"), ("migrate verify", "check"),
    ("migrate repair", "repair"), ("migrate backup", "backup"), ("migrate restore", "restore"),
    ("migrate backups", "backup"), ("migrate dump", "dump"), ("migrate lint", "lint"),
    ("migrate new", "new"), ("migrate rename-cell", "rename"), ("migrate rename-type", "rename"),
    ("migrate rename-view", "rename"), ("migrate set-content", "set-content"),
    ("plan diff", "diff"), ("plan check", "check-batch"),
  ]

  /// Scripts use the names that commands had in groups; no help lists them.
  @Test(arguments: earlierNames)
  func earlierNamesGoOnWorkingUnlisted(_ earlier: String, _ now: String) throws {
    let help = try bench.cellar([now, "--help"], expecting: 0).output
    let names = earlier.split(separator: " ").map(String.init)
    #expect(try bench.cellar(names + ["--help"], expecting: 0).output == help)
    #expect(try bench.cellar(["help"] + names, expecting: 0).output == help)
    let root = try bench.cellar(["--help"], expecting: 0).output
    #expect(!root.contains("\n  \(names[0]) "), "\(names[0])")
  }

  /// The parser has them for each command, or for none.
  @Test(arguments: [[], ["up"], ["ls"]])
  func helpIsThereUnderAllItsNames(_ command: [String]) throws {
    let help = try bench.cellar(command + ["--help"], expecting: 0)
    #expect(!help.output.isEmpty)
    for arguments in [command + ["-h"], ["help"] + command] {
      let outcome = try bench.cellar(arguments, expecting: 0)
      #expect(outcome.output == help.output, "\(arguments)")
      #expect(outcome.errors == "")
    }
  }

  @Test func theVersionIsOneLine() throws {
    let outcome = try bench.cellar("--version", expecting: 0)
    #expect(outcome.output.split(separator: "\n").count == 1)
    #expect(outcome.output.first?.isNumber == true)
  }

  @Test(arguments: [
    ["dance"], ["--dance"], ["replay"], ["replay", "--store", "s"], ["replay", "feed"],
    ["replay", "feed", "--store"], ["replay", "feed", "--store", "s", "--coalesce", "0"],
    ["replay", "feed", "--store", "s", "--coalesce", "-1"],
    ["replay", "feed", "--store", "s", "--coalesce", "many"],
    ["replay", "feed", "--store", "s", "--dance"], ["plan", "diff"], ["plan", "diff", "one"],
    ["plan", "diff", "one", "two", "three"], ["plan", "check"], ["plan", "dance"],
    ["migrate", "status"], ["migrate", "up"], ["migrate", "dance", "s"],
    ["migrate", "up", "s", "--to", "0"], ["migrate", "plan", "s", "--to", "x"],
    ["migrate", "up", "s", "--to", "99"], ["migrate", "status", "s", "--jobs", "0"],
    ["migrate", "repair", "s", "--accept-checksum", "99"], ["migrate", "new"],
    ["migrate", "down", "s"], ["migrate", "down", "s", "--to", "0"], ["migrate", "restore", "s"],
    ["migrate", "up", "s", "--backup", "some"], ["migrate", "backup", "a", "b", "--out", "c"],
    ["migrate", "rename-cell", "a", "b"], ["migrate", "rename-type", "", "b", "s"],
    ["migrate", "set-content", "s", "--type", "T"], ["migrate", "set-content", "s", "--with", "f"],
    ["migrate", "set-content", "s", "--type", "T", "--with", "f", "--through", "cat"],
    [
      "migrate", "set-content", "s", "--type", "T", "--through", "cat", "--time-limit", "0",
    ], ["inspect", "summary"],
    ["inspect", "export"], ["inspect", "export", "s", "--list", ""],
    ["inspect", "export", "s", "--list", "l", "--at", "x"],
    ["inspect", "query", "s"], ["inspect", "query", "s", "SELECT 1", "--limit", "0"],
    ["inspect", "export", "s", "--list", "l", "--at", "wal:"],
    ["inspect", "export", "s", "--list", "l", "--at", "2026-13-22"], ["demo", "--out"],
    ["demo", "extra"],
    ["inspect", "ls"], ["ls", "s", "--sections", "-1"], ["ls", "s", "--find", ""],
    ["diff", "s"], ["diff", "s", "t", "--at", "1"],
    ["diff", "s", "--at", "1", "--batch", "--stat"],
    ["query", "s", "SELECT 1", "--csv", "--json"], ["info", "s", "--stale"],
    ["info", "s", "--sizes", "--space"], ["info", "s", "--registry", "r"],
    ["rename", "cells", "a", "b"],
    ["set-content", "s", "--through", "cat"], ["backup", "s", "--list", "--out", "t"],
    ["log", "s", "--find", ""],
    ["inspect", "ls", "s", "--first", "-1"], ["inspect", "show", "s", "--list", "l"],
    ["inspect", "show", "s", "i", "--list", "l", "--section", "x"],
    ["inspect", "log", "s", "--since", "yesterday"], ["inspect", "log", "s", "--last", "-1"],
    ["inspect", "log", "s", "t", "--follow"], ["inspect", "log", "s", "--follow", "--rates"],
    ["inspect", "log", "s", "--follow", "--in-place"],
    ["inspect", "log", "s", "--content", "some"], ["inspect", "diff", "s", "--list", "l"],
    ["inspect", "diff", "s", "t", "--list", "l", "--batch", "--json"],
    ["replay", "feed", "--store", "feed2", "--batches", "feed"],
    ["replay", "feed", "--store", "s", "--batches", "./s"],
    ["replay", "feed", "--store", "s", "--batches", ""],
    ["replay", "feed", "--store", "s", "--from", "0"],
    ["replay", "--store", "s", "--batches", "o", "--from", "-1"],
    ["replay", "--store", "s", "--batches", "o", "--from", "x"],
    ["replay", "--store", "s", "--batches", "o", "--from", "=1"],
  ])
  func wrongUsageIs64AndDoesNothing(_ arguments: [String]) throws {
    _ = try bench.folder.write(commit(1), to: "feed")
    let before = try FolderSnapshot(of: bench.folder.url)
    let outcome = try BuiltProducts.run("cellar", arguments, in: bench.folder.url)
    #expect(outcome.exitCode == 64, "\(outcome)")
    #expect(outcome.output == "")
    #expect(outcome.errors.contains("Error: "))
    #expect(before.changes(to: try FolderSnapshot(of: bench.folder.url)) == [])
  }

  @Test(arguments: [
    (["replay", "f", "--stor", "s"], "Unknown option '--stor'. Did you mean '--store'?"),
    (["replay", "f", "--stor=s"], "Unknown option '--stor'. Did you mean '--store'?"),
    (["replay", "f", "--store", "s", "--coalese", "2"], "Did you mean '--coalesce'?"),
    (["inspect", "export", "s", "--lst", "l"], "Did you mean '--list'?"),
    (["stats", "s"], "Unknown command 'stats'. Did you mean 'status'?"),
    (["inspect", "exprt", "s"], "Unknown command 'exprt'. Did you mean 'export'?"),
    (["set-contents", "s"], "Did you mean 'set-content'?"),
    (["dance"], "There are info, check, ls, "),
    (["demo", "--\u{9B}31m"], "Unknown option '--\\u{9b}31m'. There are --out"),
  ])
  func aMisspeltNameIsToldTheNearest(_ arguments: [String], _ words: String) throws {
    let outcome = try bench.cellar(arguments, expecting: 64)
    #expect(outcome.errors.contains(words), "\(outcome.errors)")
    #expect(outcome.errors.contains("Usage: cellar "))
  }

  @Test func namingAnEarlierGroupAloneShowsAllCommands() throws {
    for arguments in [[], ["plan"], ["migrate"], ["inspect"]] {
      let outcome = try bench.cellar(arguments)
      #expect((outcome.output + outcome.errors).contains("MIGRATE AND REPAIR"), "\(arguments)")
    }
  }

  // Linux alone has such a device.
  @Test(.enabled(if: FileManager.default.fileExists(atPath: "/dev/full")))
  func outputThatCannotBeWrittenIsAFailure() throws {
    try bench.fill(commit(1, insertSection("s")))
    for command in [
      "inspect summary store.sqlite", "inspect summary store.sqlite --json",
      "inspect export store.sqlite --list l", "migrate status store.sqlite",
      "migrate up --json store.sqlite", "demo --out d",
    ] {
      let outcome = try bench.shell("exec \"$cellar\" \(command) >/dev/full")
      #expect(outcome.exitCode == 9, "\(command)")
      #expect(
        outcome.errors.contains("standard output can't be written: no space left"),
        "\(command): \(outcome.errors)")
    }
  }
}
