import FaultVFS
import Foundation
import Testing

/// The files below a folder, whose I/O calls can be made to fail.
///
/// For what goes through SQLite. Files that Foundation copies, links and removes are served as
/// ever.
final class FaultScope {
  private let scope: OpaquePointer

  /// Begins a scope.
  ///
  /// - Parameters:
  ///   - folder: Whose files are in it.
  ///   - isOfThisThread: Whether files that other threads open are not.
  /// - Throws: Where there is no such folder, or SQLite has no file system.
  init(_ folder: URL, isOfThisThread: Bool = false) throws {
    // As SQLite knows it: without links in its path.
    let path = try #require(realpath(folder.path, nil))
    defer { free(path) }
    scope = try #require(fault_scope_begin(String(cString: path) + "/", isOfThisThread))
  }

  deinit { fault_scope_end(scope) }

  // MARK: Failing calls

  /// Lets calls fail, from the one with a number on, which counts from 1.
  func arm(_ fault: Fault, at call: Int) {
    fault_scope_arm(
      scope,
      FaultPlan(
        kinds: fault.kinds.rawValue, first: Int64(call), lasts: fault.lasts,
        isShort: fault.isShort, systemError: fault.systemError, result: fault.result))
  }

  /// Only counts calls.
  func count() {
    fault_scope_arm(
      scope,
      FaultPlan(kinds: 0, first: 0, lasts: false, isShort: false, systemError: 0, result: 0))
  }

  func disarm() { fault_scope_disarm(scope) }

  /// Calls that a fault can meet.
  func calls(of fault: Fault) -> Int { Int(fault_scope_calls(scope, fault.kinds.rawValue)) }

  /// Calls that failed.
  var failures: Int { Int(fault_scope_failures(scope)) }

  // MARK: Power failures

  /// Writes what power failures leave into a folder, one after about so many calls that change
  /// files.
  func recordPowerFailures(in folder: URL, every interval: Int, seed: Int) {
    fault_scope_record(scope, folder.path, Int32(interval), UInt64(seed))
  }

  /// Keeps a number with each later power failure.
  func note(_ number: Int) { fault_scope_note(scope, Int64(number)) }

  /// The number that was noted last before each power failure; the folder of each has its index as
  /// its name.
  var notesAtPowerFailures: [Int] {
    (0..<fault_scope_cuts(scope)).map { Int(fault_scope_cut_note(scope, $0)) }
  }
}
