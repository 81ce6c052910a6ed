import Foundation
import ListModel
import ListStore
import TestSupport
import Testing

/// A process that commits and acknowledges is killed at random moments.
@Suite struct KillTests {
  /// 200 kills, in parts that run side by side.
  ///
  /// `CELLAR_KILLS` asks for another number.
  private static let kills =
    ProcessInfo.processInfo.environment["CELLAR_KILLS"].flatMap(Int.init) ?? 200

  @Test(arguments: 0..<4) func noAcknowledgedCommitIsLost(_ part: Int) throws {
    let folder = try TemporaryFolder()
    let file = folder.file("store.sqlite")
    var generator = SeededGenerator(seed: UInt64(part))
    var kills = 0
    var acknowledged = 0
    var allAcknowledged = 0
    while kills < Self.kills / 4 {
      // Every tenth begins with no store, so that making one is killed as well.
      if kills % 10 == 0 {
        for name in try FileManager.default.contentsOfDirectory(atPath: folder.url.path) {
          try FileManager.default.removeItem(at: folder.file(name))
        }
        acknowledged = 0
      }
      let output = folder.file("output-\(kills)")
      try Data().write(to: output)
      let process = Process()
      process.executableURL = BuiltProducts.program("CommitUntilKilled")
      process.arguments = [file.path]
      process.standardOutput = try FileHandle(forWritingTo: output)
      process.standardError = FileHandle.nullDevice
      // A crash must end the process at once, as a kill does.
      process.environment = ["SWIFT_BACKTRACE": "enable=no"]
      try process.run()
      // Most die while they commit, some while they start, open or make the store.
      if generator.percent(80) { Self.waitForOutput(in: output, of: process) }
      usleep(UInt32(generator.number(0..<40_000)))
      kill(process.processIdentifier, SIGKILL)
      process.waitUntilExit()
      #expect(process.terminationReason == .uncaughtSignal, "it was killed, it did not fail")
      kills += 1

      let lines = String(decoding: try Data(contentsOf: output), as: UTF8.self)
        .split(separator: "\n")
      acknowledged = lines.last.flatMap { Int($0) } ?? acknowledged
      allAcknowledged += lines.count
      let hint = "part \(part), kill \(kills)"
      guard FileManager.default.fileExists(atPath: file.path) else {
        #expect(acknowledged == 0, "\(hint)")
        continue
      }
      let repository = try Repository(at: file)
      let revision = try repository.lists().isEmpty ? 0 : repository.revision(of: "list")
      // One commit may have been stored without its acknowledgement getting out.
      #expect((acknowledged...(acknowledged + 1)).contains(revision), "\(hint)")
      acknowledged = revision
      if revision > 0 { try checkLogAgreesWithRows(of: "list", in: repository, hint) }
      try checkInvariants(of: file, hint)
    }
    #expect(allAcknowledged > kills, "the kills must hit a process at work")
  }

  /// Returns once a process has written something, or has ended.
  private static func waitForOutput(in file: URL, of process: Process) {
    func size() -> Int {
      let attributes = try? FileManager.default.attributesOfItem(atPath: file.path)
      return attributes?[.size] as? Int ?? 0
    }
    while size() == 0, process.isRunning { usleep(500) }
  }
}
