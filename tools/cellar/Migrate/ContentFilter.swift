import Dispatch
import Foundation
import ListModel
import StoreFiles

/// A command that makes contents of contents: it reads a line of JSON an item, and writes one.
struct ContentFilter: Sendable {
  let command: String
  /// The seconds that a run may take.
  let timeLimit: Int

  /// The new contents of items, by one run of the command.
  ///
  /// Files stand for its input and its output, so that neither has to wait for the other.
  func contents(of items: [Item], in list: ListID) throws -> [JSON] {
    let folder: OwnedFolder
    do throws(OwnedFolder.Refusal) {
      folder = try OwnedFolder(named: Self.prefix, in: FileManager.default.temporaryDirectory)
    } catch {
      throw StoreError(.notWritable, "can't make a folder for contents: \(error)")
    }
    let (input, output) = (
      folder.url.appendingPathComponent(Self.names[0]),
      folder.url.appendingPathComponent(Self.names[1])
    )
    try Data(Self.lines(of: items, in: list)).write(to: input)
    try Data().write(to: output)
    return try withExtendedLifetime(folder) {
      do {
        try run(from: input, to: output)
        return try Self.contents(of: items, in: [UInt8](Data(contentsOf: output)))
      } catch let problem as Problem {
        throw StoreError(
          .invalidValue,
          "the command \(ShownText.quoted(command)) \(problem.words); nothing was changed of "
            + "\(Output.count(items.count, "item")) in list \(ShownText.quoted(list.rawValue))")
      }
    }
  }

  private static let prefix = "cellar-contents-"
  /// The files of the input and the output.
  private static let names = ["in", "out"]

  /// Removes what killed processes have left.
  static func removeAbandoned() {
    OwnedFolder.removeAbandoned(
      named: prefix, in: FileManager.default.temporaryDirectory, holding: Set(names))
  }

  /// What the command did wrong.
  private struct Problem: Error { let words: String }

  private static func lines(of items: [Item], in list: ListID) -> [UInt8] {
    items.flatMap { item in
      JSONWriter.utf8(ofObject: { writer in
        writer.member("id", item.id.rawValue)
        writer.member("list", list.rawValue)
        writer.member("content", item.state.content)
      }) + [UInt8(ascii: "\n")]
    }
  }

  private func run(from input: URL, to output: URL) throws {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/bin/sh")
    process.arguments = ["-c", command]
    process.standardInput = try FileHandle(forReadingFrom: input)
    process.standardOutput = try FileHandle(forWritingTo: output)
    let hasEnded = DispatchSemaphore(value: 0)
    process.terminationHandler = { _ in hasEnded.signal() }
    try process.run()
    if hasEnded.wait(timeout: .now() + .seconds(timeLimit)) == .timedOut {
      Self.kill(process)
      hasEnded.wait()
      throw Problem(words: "took longer than \(Output.count(timeLimit, "second"))")
    }
    if process.terminationReason == .uncaughtSignal {
      throw Problem(words: "was ended by signal \(process.terminationStatus)")
    }
    guard process.terminationStatus == 0 else {
      throw Problem(words: "ended with exit code \(process.terminationStatus)")
    }
  }

  /// Kills a shell with all that it has started.
  private static func kill(_ shell: Process) {
    let id = shell.processIdentifier
    // A process is started in a group of its own; never kill this command's own one.
    _ = getpgid(id) == id ? killpg(id, SIGKILL) : Foundation.kill(id, SIGKILL)
  }

  private static func contents(of items: [Item], in output: [UInt8]) throws -> [JSON] {
    let lines = output.split(separator: UInt8(ascii: "\n"))
    guard lines.count == items.count else {
      throw Problem(
        words: "printed \(Output.count(lines.count, "line")) for "
          + Output.count(items.count, "item"))
    }
    return try zip(items, lines).enumerated().map { index, pair in
      let (item, line) = pair
      do throws(FormatError) {
        // The line is one level more than the content.
        let object = try JSONNode(parsing: Array(line), maximumDepth: 33).object()
        let id = try object.required("id", as: String.self)
        guard id.utf8.elementsEqual(item.id.rawValue.utf8) else {
          throw FormatError(
            "expected \(ShownText.quoted(item.id.rawValue)), found \(ShownText.quoted(id))",
            at: "id")
        }
        return try object.required("content").value()
      } catch {
        throw Problem(words: "printed a wrong line \(index + 1): \(error)")
      }
    }
  }
}
