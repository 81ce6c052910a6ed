import ArgumentParser
import Foundation

/// Makes a schedule shorter in which something is wrong.
struct Shrink: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Leaves steps out of a schedule as long as the same check finds something.",
    discussion: """
      Prints the shortest schedule that it has found, and a test of it. Ends with 2 then, with 0 if everything \
      holds.
      """)

  @Argument(help: "A file with a schedule; - for the standard input.")
  var file: String

  func run() throws {
    try SteadyProcess.begin()
    var schedule = try Replay.schedule(file)
    guard let check = try Self.check(schedule) else {
      print("Everything holds.")
      return
    }
    var tries = 0
    func stillFails(_ shorter: Schedule) throws -> Bool {
      tries += 1
      return try Self.check(shorter) == check
    }
    // Delta debugging: halves, quarters and so on, down to single steps, until no step can go.
    var size = max(1, schedule.steps.count / 2)
    while true {
      var hasShrunk = false
      var start = 0
      while start < schedule.steps.count {
        var shorter = schedule
        shorter.steps.removeSubrange(start..<min(start + size, schedule.steps.count))
        if try stillFails(shorter) {
          schedule = shorter
          hasShrunk = true
        } else {
          start += size
        }
      }
      if size == 1, !hasShrunk { break }
      if !hasShrunk || size > schedule.steps.count { size = max(1, size / 2) }
    }
    for index in schedule.devices.indices.reversed() where schedule.devices.count > 1 {
      var shorter = schedule
      let name = shorter.devices.remove(at: index).name
      shorter.steps.removeAll { $0.subject == name }
      if try stillFails(shorter) { schedule = shorter }
    }
    for index in schedule.steps.indices {
      var shorter = schedule
      shorter.steps[index].pause = 0
      if schedule.steps[index].pause > 0, try stillFails(shorter) { schedule = shorter }
    }
    print("# \(check), \(schedule.steps.count) steps, \(tries) tries")
    print(schedule.text)
    print(Self.test(schedule, check))
    throw ExitCode(2)
  }

  /// The check that finds something; `nil` if everything holds.
  private static func check(_ schedule: Schedule) throws -> String? {
    try Child(schedule, slot: 0).wait().result.check
  }

  /// A test to paste into Tests/SimulationTests/ScheduleTests.swift.
  private static func test(_ schedule: Schedule, _ check: String) -> String {
    let lines = schedule.text.split(separator: "\n").map { "      \($0)" }.joined(separator: "\n")
    let words = check.split { !$0.isLetter }.prefix(6).map {
      $0.prefix(1).uppercased() + $0.dropFirst()
    }
    return """
        @Test func schedule\(words.joined())\(schedule.seed)Holds() throws {
          try expectHolds(
            \"\"\"
      \(lines)
            \"\"\")
        }
      """
  }
}
