import Foundation
import TestSupport
import Testing

/// Articles that show what the command prints: each line of shell is run.
extension FormatArticle {
  /// A line of shell in the article, with what it prints there.
  struct Step {
    let heading: String
    let script: String
    var output: [String] = []
  }

  /// The lines of shell in the article's blocks of a console.
  func steps() throws -> [Step] {
    var steps: [Step] = []
    for block in blocks where block.language == "console" {
      for line in block.lines {
        if line.hasPrefix("$ ") {
          steps.append(Step(heading: block.heading, script: String(line.dropFirst(2))))
        } else {
          try #require(!steps.isEmpty)
          steps[steps.count - 1].output.append(line)
        }
      }
    }
    return steps
  }

  /// Runs a line of shell in a folder whose `bin` has the command.
  func shell(_ script: String, in folder: TemporaryFolder) throws -> String {
    let bin = folder.file("bin")
    if !FileManager.default.fileExists(atPath: bin.path) {
      try FileManager.default.createDirectory(at: bin, withIntermediateDirectories: false)
      try FileManager.default.createSymbolicLink(
        at: bin.appendingPathComponent("cellar"),
        withDestinationURL: BuiltProducts.program("cellar"))
    }
    let file = try folder.write("", to: "output.txt")
    defer { try? FileManager.default.removeItem(at: file) }
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/bin/sh")
    process.arguments = ["-c", script]
    process.currentDirectoryURL = folder.url
    var environment = ProcessInfo.processInfo.environment
    environment["PATH"] = bin.path + ":/usr/bin:/bin"
    process.environment = environment
    process.standardInput = FileHandle.nullDevice
    let handle = try FileHandle(forWritingTo: file)
    _ = try handle.seekToEnd()
    process.standardOutput = handle
    process.standardError = handle
    try process.run()
    process.waitUntilExit()
    return String(decoding: try Data(contentsOf: file), as: UTF8.self)
  }

  /// Whether an output is the printed one, in which `…` stands for any text.
  private static func matches(_ output: String, _ printed: [String]) throws -> Bool {
    var expected = printed.map { $0 + "\n" }.joined(), found = output
    if expected.hasPrefix("{\n") {
      // How JSON is laid out differs between systems.
      (expected, found) = (expected.filter { !$0.isWhitespace }, found.filter { !$0.isWhitespace })
    }
    let pattern = expected.components(separatedBy: "…")
      .map(NSRegularExpression.escapedPattern).joined(separator: "(?s:.+?)")
    return found.range(of: "\\A\(pattern)\\z", options: .regularExpression) != nil
  }

  /// Runs all lines one after another in a folder, and compares what they print.
  func run(in folder: TemporaryFolder) throws {
    for step in try steps() {
      let output = try shell(step.script, in: folder)
      #expect(try Self.matches(output, step.output), "\(step.script)\n\(output)")
    }
  }
}
