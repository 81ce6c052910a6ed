import FaultVFS
import Foundation
import SimulatedSystem

/// A process that runs one schedule.
struct Child {
  /// What is known of a run.
  struct Result {
    /// Identifies all that happened; `nil` if the process crashed.
    var trace: String?
    /// What was found; `nil` if everything held.
    var finding: String?
    /// How much ran.
    var work = 0

    /// The check that found something: the finding without its particulars.
    var check: String? {
      guard let finding else { return nil }
      if finding.hasPrefix("crash") { return String(finding.filter { !$0.isNumber }.prefix(90)) }
      return finding.split(separator: ":").first.map(String.init)
    }
  }

  let process: Int32
  private let slot: Int
  private var output: String { "\(Self.folder)-\(getpid())-\(slot).out" }

  private static let folder =
    (FileManager.default.fileExists(atPath: "/dev/shm") ? "/dev/shm" : "/tmp")
    + "/cellar-simulation"

  /// Begins to run a schedule.
  ///
  /// `slot`: A number of those that run at the same time.
  init(_ schedule: Schedule, slot: Int, printsTrace: Bool = false) throws {
    self.slot = slot
    let folder = "\(Self.folder)-\(getpid())-\(slot)"
    process = simulation_fork(folder + ".out")
    if process < 0 { throw POSIXError(.EAGAIN) }
    if process > 0 { return }
    simulation_print_trace(printsTrace)
    do {
      let outcome = try Self.run(schedule, in: URL(fileURLWithPath: folder))
      print("trace \(hexadecimal(outcome.trace)) \(outcome.work)")
      if let violation = outcome.violation { print("step \(outcome.step + 1): \(violation)") }
      simulation_exit(outcome.violation == nil ? 0 : 2)
    } catch {
      print("error: \(error)")
      simulation_exit(1)
    }
  }

  /// Deletes what processes have left that were ended.
  static func tidy() {
    let folder = URL(fileURLWithPath: folder)
    let (parent, prefix) = (folder.deletingLastPathComponent(), folder.lastPathComponent + "-")
    let names = (try? FileManager.default.contentsOfDirectory(atPath: parent.path)) ?? []
    for name in names where name.hasPrefix(prefix) {
      let owner = name.dropFirst(prefix.count).prefix { $0.isNumber }
      guard let owner = Int32(owner), kill(owner, 0) != 0, errno == ESRCH else { continue }
      try? FileManager.default.removeItem(at: parent.appendingPathComponent(name))
    }
  }

  /// Runs a schedule in this process, so that its children find ready what the libraries look up once.
  ///
  /// Not where something is wrong with it: a child tries it first.
  static func warmUp() throws {
    let output = "\(folder)-\(getpid())-warm.out"
    defer { try? FileManager.default.removeItem(atPath: output) }
    let child = simulation_fork(output)
    if child < 0 { throw POSIXError(.EAGAIN) }
    if child == 0 { simulation_exit((try? runFirst()) == true ? 0 : 1) }
    var status: Int32 = 0
    while waitpid(child, &status, 0) < 0, errno == EINTR {}
    if status == 0 { _ = try runFirst() }
  }

  /// Returns: Whether everything held.
  private static func runFirst() throws -> Bool {
    let schedule = try Schedule(
      parsing: """
        cellar-schedule 1
        seed 1
        device a flow full
        device b table normal
        device c placed full
        100 a edit 1
        0 a note 2
        0 a unnote 3
        0 b search 4
        0 b inbox 5
        100 c widget 6
        0 server change 7
        100 c drag 8
        """)
    let folder = "\(Self.folder)-\(getpid())-warm"
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let outcome = try run(schedule, in: URL(fileURLWithPath: folder))
    try MainActor.assumeIsolated { try World.makeEmptyStore(in: URL(fileURLWithPath: folder)) }
    return outcome.violation == nil
  }

  private static func run(_ schedule: Schedule, in folder: URL) throws -> World.Outcome {
    try? FileManager.default.removeItem(at: folder)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    // The layers of the disk: SQLite's own, the one that fails, the one that knows processes.
    let scope = fault_scope_begin("/nowhere/", false)
    fault_scope_end(scope)
    guard simulated_disk_register() else { throw CocoaError(.featureUnsupported) }
    return try MainActor.assumeIsolated { try World.run(schedule, in: folder) }
  }

  /// Waits for the end.
  func wait() -> (result: Result, output: String) {
    var status: Int32 = 0
    while waitpid(process, &status, 0) < 0, errno == EINTR {}
    let data = FileManager.default.contents(atPath: output) ?? Data()
    let text = String(decoding: data, as: UTF8.self)
    for path in [output, "\(Self.folder)-\(getpid())-\(slot)"] {
      try? FileManager.default.removeItem(atPath: path)
    }
    var result = Result()
    if let line = text.split(separator: "\n").last(where: { $0.hasPrefix("trace ") }) {
      let words = line.split(separator: " ")
      result.trace = String(words[1])
      result.work = Int(words[2]) ?? 0
    }
    if let start = text.range(of: "\nstep ") {
      let line = text[start.upperBound...]
      result.finding = line.split(separator: ":", maxSplits: 1).last.map {
        $0.trimmingCharacters(in: .whitespacesAndNewlines)
      }
    } else if status != 0 || result.trace == nil {
      let lines = text.split(separator: "\n")
      let words = lines.first { $0.contains("rror:") } ?? lines.last ?? "without a word"
      result.finding = "crash: \(words)"
    }
    return (result, text)
  }
}

func hexadecimal(_ number: UInt64) -> String {
  let digits = String(number, radix: 16)
  return String(repeating: "0", count: 16 - digits.count) + digits
}

/// A process in which the same things happen each time.
enum SteadyProcess {
  /// Starts the program anew if Swift's hashes and its addresses are random in it.
  static func begin() throws {
    if ProcessInfo.processInfo.environment["SWIFT_DETERMINISTIC_HASHING"] != nil {
      return try Child.warmUp()
    }
    // Before it starts anew: nothing of that may be in its memory.
    Child.tidy()
    setenv("SWIFT_DETERMINISTIC_HASHING", "1", 1)
    simulation_keep_addresses()
    setenv("SWIFT_BACKTRACE", "enable=no", 0)
    var arguments = CommandLine.arguments.map { strdup($0) } + [nil]
    execv("/proc/self/exe", &arguments)
    throw POSIXError(.ENOEXEC)
  }
}
