import Foundation

/// The command `cellar-relay`, as a process.
enum Command {
  /// Beside the program that runs the tests, where a build puts both.
  private static let program = URL(fileURLWithPath: CommandLine.arguments[0])
    .resolvingSymlinksInPath().deletingLastPathComponent().appendingPathComponent("cellar-relay")

  static var isThere: Bool { FileManager.default.isExecutableFile(atPath: program.path) }

  struct Run {
    let status: Int32
    let output: String
    let errors: String
  }

  /// Runs it to its end; it is ended after 20 seconds.
  static func run(_ arguments: [String], variables: [String: String] = [:]) throws -> Run {
    let process = Process()
    process.executableURL = program
    process.arguments = arguments
    process.environment = ProcessInfo.processInfo.environment
      .filter { !$0.key.hasPrefix("CELLAR_RELAY_") }.merging(variables) { $1 }
    let (output, errors) = (Pipe(), Pipe())
    process.standardOutput = output
    process.standardError = errors
    try process.run()
    let deadline = DispatchWorkItem { process.terminate() }
    DispatchQueue.global().asyncAfter(deadline: .now() + 20, execute: deadline)
    defer { deadline.cancel() }
    // Little is written to either, so one waits for the other.
    let text = try output.fileHandleForReading.readToEnd()
    let errorText = try errors.fileHandleForReading.readToEnd()
    process.waitUntilExit()
    return Run(
      status: process.terminationReason == .exit ? process.terminationStatus : -1,
      output: String(decoding: text ?? Data(), as: UTF8.self),
      errors: String(decoding: errorText ?? Data(), as: UTF8.self))
  }
}
