import Foundation
import TestSupport
import Testing

/// The program `CommitUntilKilled` at work on a store.
struct StoreProcess {
  private let process = Process()
  private let output: URL

  /// Starts it.
  ///
  /// - Parameters:
  ///   - file: The store.
  ///   - arguments: The mode and what belongs to it.
  ///   - output: Where it writes what it has done; in a folder that outlives this object.
  /// - Throws: What starting a process throws.
  init(_ file: URL, _ arguments: [String] = [], output: URL) throws {
    self.output = output
    try Data().write(to: output)
    process.executableURL = BuiltProducts.program("CommitUntilKilled")
    process.arguments = [file.path] + arguments
    process.standardOutput = try FileHandle(forWritingTo: output)
    process.standardError = FileHandle.nullDevice
    // A crash must end the process at once, as a kill does.
    process.environment = ["SWIFT_BACKTRACE": "enable=no"]
    try process.run()
  }

  var isRunning: Bool { process.isRunning }

  var processIdentifier: Int32 { process.processIdentifier }

  /// Returns once it has written something, or has ended.
  func waitForOutput() {
    func size() -> Int {
      let attributes = try? FileManager.default.attributesOfItem(atPath: output.path)
      return attributes?[.size] as? Int ?? 0
    }
    while size() == 0, process.isRunning { usleep(500) }
  }

  /// Stops it where it is; it keeps what it has, locks as well.
  func stop() { kill(process.processIdentifier, SIGSTOP) }

  /// Kills it.
  ///
  /// - Returns: The lines that it had written.
  func killAndRead(sourceLocation: SourceLocation = #_sourceLocation) throws -> [Substring] {
    kill(process.processIdentifier, SIGKILL)
    process.waitUntilExit()
    #expect(
      process.terminationReason == .uncaughtSignal, "it was killed, it did not fail",
      sourceLocation: sourceLocation)
    return try lines()
  }

  /// Waits until it has ended by itself.
  ///
  /// - Returns: The lines that it has written.
  func waitAndRead(sourceLocation: SourceLocation = #_sourceLocation) throws -> [Substring] {
    process.waitUntilExit()
    #expect(
      process.terminationReason == .exit && process.terminationStatus == 0,
      sourceLocation: sourceLocation)
    return try lines()
  }

  private func lines() throws -> [Substring] {
    String(decoding: try Data(contentsOf: output), as: UTF8.self).split(separator: "\n")
  }
}
