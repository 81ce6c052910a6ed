import Foundation
import GRDB
import ListInspection
import ListModel
import ListStore
import ListSync
import SchemaSupport
import TestSupport
import Testing

/// What a line of shell did.
struct ShellOutcome {
  var exitCode: Int32
  var output: String
  var errors: String
}

/// A folder of a test's own, and `cellar` run in it.
final class CommandBench: Sendable {
  let folder: TemporaryFolder
  var store: String { folder.file("store.sqlite").path }

  /// Elsewhere, because tests compare what is in the folder.
  private let migrations: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    migrations = try TemporaryFolder()
  }

  /// Runs `cellar` to its end; no command may end by a signal.
  @discardableResult
  func cellar(
    _ arguments: String..., input: String? = nil, expecting code: Int32? = nil,
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws -> BuiltProducts.Outcome {
    try cellar(arguments, input: input, expecting: code, sourceLocation: sourceLocation)
  }

  /// Runs `cellar` with arguments from a list.
  @discardableResult
  func cellar(
    _ arguments: [String], input: String? = nil, expecting code: Int32? = nil,
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws -> BuiltProducts.Outcome {
    let outcome = try BuiltProducts.run(
      "cellar", arguments, input: input.map { Data($0.utf8) }, in: folder.url)
    #expect(
      [0, 1, 2, 3, 4, 5, 6, 7, 9, 64, 70].contains(outcome.exitCode), "\(arguments): \(outcome)",
      sourceLocation: sourceLocation)
    if let code {
      #expect(outcome.exitCode == code, "\(arguments): \(outcome)", sourceLocation: sourceLocation)
    }
    if ![0, 2, 3, 4].contains(outcome.exitCode) {
      #expect(
        outcome.errors.contains("Error: "), "\(arguments) failed without a word",
        sourceLocation: sourceLocation)
    }
    return outcome
  }

  /// Runs `cellar migrate` with the migrations of the tests, which are more than the program's own.
  @discardableResult
  func migrate(
    _ arguments: String..., expecting code: Int32? = nil,
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws -> BuiltProducts.Outcome {
    try migrate(arguments, expecting: code, sourceLocation: sourceLocation)
  }

  /// Runs `cellar migrate` likewise, with arguments from a list.
  @discardableResult
  func migrate(
    _ arguments: [String], expecting code: Int32? = nil,
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws -> BuiltProducts.Outcome {
    try cellar(
      ["migrate"] + arguments + ["--migrations", migrationFolder()], expecting: code,
      sourceLocation: sourceLocation)
  }

  /// The folder with the migrations of the tests.
  func migrationFolder() throws -> String {
    let known = migrations.file("known")
    if !FileManager.default.fileExists(atPath: known.path) {
      try TestMigrations.write(to: known)
    }
    return known.path
  }

  /// Runs a line of shell, in which `$cellar` is the command.
  func shell(_ script: String) throws -> ShellOutcome {
    let scratch = try TemporaryFolder()
    let files = ["out", "err"].map { scratch.file($0) }
    for file in files { try Data().write(to: file) }
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/bin/sh")
    process.arguments = ["-c", script]
    process.currentDirectoryURL = folder.url
    process.environment = ProcessInfo.processInfo.environment.merging(
      ["cellar": BuiltProducts.program("cellar").path]) { _, new in new }
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = try FileHandle(forWritingTo: files[0])
    process.standardError = try FileHandle(forWritingTo: files[1])
    try process.run()
    process.waitUntilExit()
    return ShellOutcome(
      exitCode: process.terminationStatus,
      output: String(decoding: try Data(contentsOf: files[0]), as: UTF8.self),
      errors: String(decoding: try Data(contentsOf: files[1]), as: UTF8.self))
  }

  /// Replays a feed given as text.
  @discardableResult
  func replay(
    _ feed: String, expecting code: Int32? = 0, sourceLocation: SourceLocation = #_sourceLocation
  ) throws -> BuiltProducts.Outcome {
    try cellar(
      "replay", "-", "--store", store, input: feed, expecting: code,
      sourceLocation: sourceLocation)
  }

  /// Applies a feed given as text, without a process: for a test of what a command does with a
  /// store that is there.
  func fill(_ feed: String) throws {
    let file = try migrations.write(feed, to: "feed")
    try Repository(at: URL(fileURLWithPath: store)).apply(FeedReader(file: file))
  }

  /// What a list is, as `cellar inspect export` prints it, without a process.
  func export(_ list: String = "l", at revision: Int? = nil) throws -> String {
    let inspection = try Inspection(of: URL(fileURLWithPath: store))
    let text = try inspection.export(ListID(list), at: revision)
    #expect(inspection.refusal == nil)
    #expect(!inspection.findings.contains { [.bypassed, .digest].contains($0.code) })
    return ShownText.json(text) + "\n"
  }

  /// Runs SQL on the store.
  func change(_ sql: String..., in path: String? = nil) throws {
    let queue = try DatabaseQueue(path: path ?? store)
    try queue.write { db in for sql in sql { try db.execute(sql: sql) } }
    try queue.close()
  }
}

/// A feed's commit line, with its end.
func commit(_ sequence: Int, _ operations: String..., list: String = "l") -> String {
  "{\"t\":\"commit\",\"list\":\"\(list)\",\"seq\":\"\(sequence)\",\"by\":\"server\",\"ops\":["
    + operations.joined(separator: ",") + "]}\n"
}

func insertSection(_ id: String) -> String { "{\"op\":\"insertSection\",\"section\":\"\(id)\"}" }

func insertItem(_ id: String, _ content: String = "{}") -> String {
  "{\"op\":\"insertItem\",\"item\":\"\(id)\",\"section\":\"s\",\"cell\":\"C\","
    + "\"content\":\(content)}"
}

extension String {
  /// The one JSON object that this text is.
  func object(sourceLocation: SourceLocation = #_sourceLocation) throws -> [String: Any] {
    let value = try JSONSerialization.jsonObject(with: Data(utf8))
    return try #require(value as? [String: Any], sourceLocation: sourceLocation)
  }

  /// Its lines as JSON objects.
  func objects() throws -> [[String: Any]] {
    try split(separator: "\n").map { try String($0).object() }
  }
}
