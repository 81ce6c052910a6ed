import ArgumentParser
import Foundation

/// Runs the schedules of many seeds.
struct Run: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Runs the schedules of many seeds, and saves those in which something is wrong.",
    discussion: """
      Each tenth one runs twice, and both runs must be alike. Ends with 0 if everything held, with 2 if \
      a check found something.
      """)

  @Option(help: "The seeds: one, or the first and the last, as in 1..200.")
  var seeds: String

  @Option(help: "How many processes share the work.")
  var jobs = 2

  @Option(help: "The folder for schedules in which something is wrong.")
  var out = "."

  @Flag(help: "Small schedules: one device, at most eight steps.")
  var small = false

  @Flag(help: "Save every schedule, also where everything held.")
  var keep = false

  @Flag(help: "Run each schedule twice, not only each tenth.")
  var twice = false

  @Flag(help: "End at the first schedule in which something is wrong.")
  var stop = false

  func run() throws {
    let bounds = seeds.components(separatedBy: "..").compactMap { Int($0) }
    guard let first = bounds.first, let last = bounds.last, (0...last).contains(first), jobs > 0
    else { throw ValidationError("--seeds is one number, or two as in 1..200.") }
    try SteadyProcess.begin()
    let begin = Date()
    var (count, found, work) = (0, 0, 0)
    var running: [(seed: Int, child: Child)] = []
    var next = first
    while next <= last && !(stop && found > 0) || !running.isEmpty {
      while running.count < jobs, next <= last, !(stop && found > 0) {
        running.append((next, try Child(schedule(next), slot: next % jobs)))
        next += 1
      }
      let (seed, child) = running.removeFirst()
      var result = child.wait().result
      if result.finding == nil, twice || seed % 10 == 0 {
        let again = try Child(schedule(seed), slot: seed % jobs).wait().result
        if again.trace != result.trace { result.finding = "nondeterminism: two runs differ" }
      }
      count += 1
      work += result.work
      if let finding = result.finding {
        found += 1
        print("seed \(seed): \(finding)\n  \(try save(seed))")
      } else if keep {
        try save(seed)
      }
    }
    let seconds = String(format: "%.1f", Date().timeIntervalSince(begin))
    print(
      "\(count) schedules in \(seconds) s, \(work) pieces of work: "
        + (found == 0 ? "everything held" : "in \(found) something is wrong"))
    if found > 0 { throw ExitCode(2) }
  }

  private func schedule(_ seed: Int) -> Schedule {
    Schedule(random: UInt64(seed), isSmall: small)
  }

  /// - Returns: The file.
  @discardableResult
  private func save(_ seed: Int) throws -> String {
    let file = "\(out)/seed-\(seed).schedule"
    try FileManager.default.createDirectory(atPath: out, withIntermediateDirectories: true)
    try schedule(seed).text.write(toFile: file, atomically: true, encoding: .utf8)
    return file
  }
}
