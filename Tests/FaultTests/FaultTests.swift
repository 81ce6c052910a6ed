import Foundation
import TestSupport
import Testing

/// A call to the file system fails: what was acknowledged is there, and nothing half.
///
/// Each call that SQLite makes can fail; those of Foundation, which makes names and copies files,
/// are not among them. A few calls of each kind fail. Where `CELLAR_FAULTS` is `all`, each does;
/// where it is a part of an operation's name, each of that one, and none of the others.
@Suite struct FaultTests {
  static let wanted = ProcessInfo.processInfo.environment["CELLAR_FAULTS"]

  /// The numbers of the calls to fail, of so many.
  static func calls(
    _ fault: Fault, of count: Int, in operation: String, using generator: inout SeededGenerator
  ) -> [Int] {
    let all = (0..<count).map { $0 + 1 }
    if let wanted { return wanted == "all" || operation.contains(wanted) ? all : [] }
    return Array(all.shuffled(using: &generator).prefix(1))
  }

  @Test(arguments: FaultyOperation.all) func aFailingCallLosesNothing(
    _ operation: FaultyOperation
  ) throws {
    let run = try FaultRun(operation)
    var generator = SeededGenerator(seed: UInt64(operation.testDescription.utf8.count))
    var hits = 0
    for (fault, count) in zip(Fault.all, try run.numbersOfCalls()) {
      for call in Self.calls(
        fault, of: count, in: operation.testDescription, using: &generator)
      where try run.run(fault, at: call) {
        hits += 1
      }
    }
    #expect(hits > 5 || Self.wanted != nil, "the calls must fail")
  }
}
