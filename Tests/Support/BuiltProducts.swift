package import Foundation

/// The programs that were built with the tests.
package enum BuiltProducts {
  /// A program beside the test bundle.
  package static func program(_ name: String) -> URL {
    // Linux runs the bundle itself; on Apple's systems a host loads it.
    let bundle = Bundle.allBundles.first { $0.bundlePath.hasSuffix(".xctest") }
    let folder =
      bundle?.bundleURL.deletingLastPathComponent()
      ?? URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent()
    return folder.appendingPathComponent(name)
  }

  /// What a program did.
  package struct Outcome: Sendable {
    package var exitCode: Int32
    package var output: String
    package var errors: String
  }

  /// Runs a program to its end.
  package static func run(
    _ name: String, _ arguments: [String], input: Data? = nil, in folder: URL? = nil
  ) throws -> Outcome {
    let scratch = try TemporaryFolder()
    // Files instead of pipes: no reader has to keep up, and nothing can deadlock.
    let files = ["in", "out", "err"].map { scratch.file($0) }
    try (input ?? Data()).write(to: files[0])
    for file in files[1...] { try Data().write(to: file) }
    let process = Process()
    process.executableURL = program(name)
    process.arguments = arguments
    process.standardInput = try FileHandle(forReadingFrom: files[0])
    process.standardOutput = try FileHandle(forWritingTo: files[1])
    process.standardError = try FileHandle(forWritingTo: files[2])
    if let folder { process.currentDirectoryURL = folder }
    try process.run()
    process.waitUntilExit()
    return Outcome(
      exitCode: process.terminationStatus,
      output: String(decoding: try Data(contentsOf: files[1]), as: UTF8.self),
      errors: String(decoding: try Data(contentsOf: files[2]), as: UTF8.self))
  }
}
