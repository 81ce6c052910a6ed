import Foundation
import TestSupport
import Testing

/// Every command explains itself and ends with the code that scripts rely on.
@Suite struct HelpTests {
  private let bench: CommandBench

  init() throws { bench = try CommandBench() }

  @Test(arguments: [
    ([], ["demo", "replay", "plan", "migrate", "inspect", "Exit codes: 0"]),
    (["demo"], ["--out <dir>", "cellar-demo"]),
    (
      ["replay"],
      [
        "<feed>", "--store <file>", "--batches <out>", "--coalesce <n>", "--from <revision>",
        "--json",
      ]
    ),
    (["plan"], ["diff", "check"]), (["plan", "diff"], ["<old.json>", "<new.json>"]),
    (["plan", "check"], ["<file>", "unsafe", "raise"]),
    (["migrate"], ["status", "up", "plan", "verify", "repair", "dump", "lint", "new"]),
    (["migrate", "status"], ["<file>", "--check", "--jobs <n>", "--json"]),
    (["migrate", "plan"], ["<file>", "--to <version>", "--jobs <n>", "--json"]),
    (["migrate", "up"], ["<file>", "--to <version>", "--backup <when>", "--jobs <n>", "--json"]),
    (["migrate", "down"], ["<file>", "--to <version>", "--jobs <n>", "--json"]),
    (["migrate", "backup"], ["<file>", "--out <file>", "--jobs <n>", "--json"]),
    (["migrate", "backups"], ["<file>", "--json"]),
    (["migrate", "restore"], ["<backup>", "<file>", "--yes", "--no-backup", "--json"]),
    (["migrate", "verify"], ["<file>", "--jobs <n>", "--json"]),
    (["migrate", "repair"], ["<file>", "--yes", "--accept-checksum <version>", "--json"]),
    (["migrate", "dump"], ["--version <version>"]),
    (["migrate", "lint"], ["--dir <folder>", "--json"]),
    (["migrate", "new"], ["<name>", "--dir <folder>"]),
    (["migrate"], ["rename-cell", "rename-type", "rename-view", "set-content"]),
    (["migrate", "rename-cell"], ["<old>", "<new>", "<file>", "--dry-run", "--json"]),
    (["migrate", "rename-type"], ["<old>", "<new>", "<file>", "--dry-run", "--json"]),
    (["migrate", "rename-view"], ["<old>", "<new>", "<file>", "--dry-run", "--json"]),
    (
      ["migrate", "set-content"],
      [
        "<file>", "--type <type>", "--with <script>", "--through <command>",
        "--time-limit <seconds>", "--keep-sizes", "--dry-run", "--json",
      ]
    ),
    (
      ["inspect"],
      ["info", "summary", "check", "wal", "space", "sizes", "cells", "query", "export"]
    ),
    (["inspect"], ["ls", "show", "log", "diff"]),
    (
      ["inspect", "ls"],
      ["<file>", "--list <id>", "--section <id>", "--first <n>", "--after <k>", "--long", "--json"]
    ),
    (
      ["inspect", "show"],
      ["<file>", "<item>", "--list <id>", "--section <id>", "--measurer <version>", "--content"]
    ),
    (
      ["inspect", "log"],
      [
        "--list <id>", "--author <name>", "--item <id>", "--section <id>", "--since <time>",
        "--until <time>", "--last <n>", "--entries <n>", "--rates", "--follow", "--content",
        "--json",
      ]
    ),
    (["inspect", "diff"], ["<file[@moment]>", "--list <id>", "--batch", "--content", "--json"]),
    (["inspect", "info"], ["<file>", "--in-place", "--json"]),
    (["inspect", "wal"], ["<file>", "--json"]),
    (["inspect", "check"], ["<file>", "--registry <names>", "--json"]),
    (["inspect", "space"], ["<file>", "--json"]),
    (["inspect", "sizes"], ["<file>", "--list <id>", "--stale", "--json"]),
    (["inspect", "cells"], ["<file>", "--registry <names>", "--json"]),
    (["inspect", "query"], ["<file>", "<sql>", "--limit <rows>", "--json"]),
    (["inspect", "export"], ["<file>", "--list <id>", "--at <revision|time|wal:K>"]),
    (
      ["inspect", "report"],
      ["<file>", "--out <page>", "--force", "--content <content>", "--json"]
    ),
    (["inspect", "recover"], ["<file>", "<new-file>", "--deleted", "--json"]),
    (
      ["inspect", "redact"],
      [
        "<file>", "<new-file>", "--redact-members", "--redact-names", "--redact-times",
        "--seed <number>", "--json",
      ]
    ),
  ])
  func everyCommandHasHelpThatNamesItsOptions(_ command: [String], _ words: [String]) throws {
    let outcome = try BuiltProducts.run("cellar", command + ["--help"])
    #expect(outcome.exitCode == 0)
    #expect(outcome.errors == "")
    #expect(outcome.output.contains("OVERVIEW: "))
    #expect(outcome.output.contains("USAGE: " + (["cellar"] + command).joined(separator: " ")))
    for word in words { #expect(outcome.output.contains(word), "\(command): \(word)") }
  }

  /// The parser has them for each command, or for none.
  @Test(arguments: [[], ["plan"], ["migrate", "up"]])
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
    ["inspect", "export", "s"], ["inspect", "export", "s", "--list", ""],
    ["inspect", "export", "s", "--list", "l", "--at", "x"],
    ["inspect", "query", "s"], ["inspect", "query", "s", "SELECT 1", "--limit", "0"],
    ["inspect", "export", "s", "--list", "l", "--at", "wal:"],
    ["inspect", "export", "s", "--list", "l", "--at", "2026-13-22"], ["demo", "--out"],
    ["demo", "extra"],
    ["inspect", "ls"], ["inspect", "ls", "s", "--section", "x"],
    ["inspect", "ls", "s", "--first", "-1"], ["inspect", "show", "s", "i"],
    ["inspect", "show", "s", "--list", "l"],
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
    (["inspct"], "Unknown command 'inspct'. Did you mean 'inspect'?"),
    (["inspect", "sumary", "s"], "Did you mean 'summary'?"),
    (["migrate", "rename-sell", "a", "b", "s"], "Did you mean 'rename-cell'?"),
    (["dance"], "There are demo, replay, plan, migrate, inspect."),
    (["demo", "--\u{9B}31m"], "Unknown option '--\\u{9b}31m'. There are --out"),
  ])
  func aMisspeltNameIsToldTheNearest(_ arguments: [String], _ words: String) throws {
    let outcome = try bench.cellar(arguments, expecting: 64)
    #expect(outcome.errors.contains(words), "\(outcome.errors)")
    #expect(outcome.errors.contains("Usage: cellar "))
  }

  @Test func namingACommandAloneShowsItsSubcommands() throws {
    for command in ["plan", "migrate", "inspect"] {
      let outcome = try bench.cellar(command)
      #expect((outcome.output + outcome.errors).contains("SUBCOMMANDS"), "\(command)")
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
