import Foundation
import Testing

/// Schedules in which something was wrong once, as `cellar-simulate shrink` prints them.
@Suite struct ScheduleTests {
  /// Power failures, one right after the other, lose no note of a store that is durable in full.
  @Test func notesOutlastTwoPowerFailures() throws {
    try expectHolds(
      """
      cellar-schedule 1
      seed 16
      device a flow full
      0 a note 3847
      0 a power 7371
      0 a power 4960
      """)
  }
}

/// Runs a schedule twice in the program that stands beside the tests.
private func expectHolds(
  _ schedule: String, _ location: SourceLocation = #_sourceLocation
) throws {
  let products = Bundle.main.bundleURL
  let program = [products, products.deletingLastPathComponent()]
    .map { $0.appendingPathComponent("cellar-simulate") }
    .first { FileManager.default.isExecutableFile(atPath: $0.path) }
  let process = Process()
  process.executableURL = try #require(program, "swift build makes it")
  process.arguments = ["replay", "--twice", "-"]
  let (input, output) = (Pipe(), Pipe())
  process.standardInput = input
  process.standardOutput = output
  try process.run()
  input.fileHandleForWriting.write(Data((schedule + "\n").utf8))
  try input.fileHandleForWriting.close()
  let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
  process.waitUntilExit()
  #expect(process.terminationStatus == 0, "\(text)", sourceLocation: location)
}
