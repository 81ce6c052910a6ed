import ArgumentParser
import Foundation

/// Runs the schedules of many seeds.
struct Run: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Runs the schedules of many seeds, and saves those in which something is wrong.",
    discussion: """
      One in ten runs twice, and both runs must be alike. Ends with 0 if everything held, with 2 if \
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

  @Flag(help: "Run each schedule twice, not only one in ten.")
  var twice = false

  @Flag(help: "End at the first schedule in which something is wrong.")
  var stop = false

  func run() throws {
    let bounds = seeds.components(separatedBy: "..").map { Int($0) }
    guard bounds.count <= 2, let first = bounds[0], let last = bounds.last ?? first, first >= 0,
      last >= first
    else { throw ValidationError("--seeds is one number, or two as in 1..200.") }
    guard jobs > 0 else { throw ValidationError("--jobs is at least 1.") }
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
      if result.finding == nil, twice || Self.isSampled(seed) {
        let again = try Child(schedule(seed), slot: seed % jobs).wait().result
        if again.trace != result.trace { result.finding = "nondeterminism: two runs differ" }
      }
      count += 1
      work += result.work
      if let finding = result.finding {
        found += 1
        print("seed \(seed): \(finding)\n  \(try save(seed, result))")
      } else if keep {
        try save(seed, result)
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

  /// Whether a schedule is one of those that run twice: of each kind, one in ten.
  ///
  /// Kinds come again after five seeds.
  private static func isSampled(_ seed: Int) -> Bool { (seed / 5) % 10 == 0 }

  /// Saves a schedule, with what came of it: whoever replays it sees whether that was the same.
  ///
  /// - Returns: The file.
  @discardableResult
  private func save(_ seed: Int, _ result: Child.Result) throws -> String {
    let file = "\(out)/seed-\(seed).schedule"
    try FileManager.default.createDirectory(atPath: out, withIntermediateDirectories: true)
    let found = (result.finding ?? "everything held").replacing("\n", with: "\n# ")
    let text =
      "# \(found)\n# trace \(result.trace ?? "none")\n" + schedule(seed).text
    try text.write(toFile: file, atomically: true, encoding: .utf8)
    return file
  }
}
