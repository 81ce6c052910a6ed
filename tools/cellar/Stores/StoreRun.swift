import ArgumentParser
import Dispatch
import Foundation
import ListModel
import StoreFiles

/// Handles many stores, several at once.
///
/// Their results are printed in the order of the stores: JSON and what is known of a single store as
/// they come, lines for people at the end.
final class StoreRun: Sendable {
  private let stores: [StoreSearch.Found]
  private let json: Bool
  private let hasDetails: Bool
  private let latestVersion: Int
  private let handle: @Sendable (URL, (Double) -> Void) throws -> StoreResult
  private let state: Guarded<State>

  private struct State {
    var next = 0
    var handled: [FleetText.Handled?]
    var printedCount = 0
    var line = ProgressLine()
    /// Why nothing more can be printed.
    var failure: (any Error)?
  }

  init(
    _ stores: [StoreSearch.Found], json: Bool, hasDetails: Bool, latestVersion: Int,
    _ handle: @escaping @Sendable (URL, (Double) -> Void) throws -> StoreResult
  ) {
    self.stores = stores
    self.json = json
    self.hasDetails = hasDetails
    self.latestVersion = latestVersion
    self.handle = handle
    state = Guarded(State(handled: Array(repeating: nil, count: stores.count)))
  }

  /// Whether each store gets a line.
  private var isFleet: Bool { stores.count > 1 && !json }

  /// Handles all stores and prints what became of them.
  ///
  /// - Throws: The exit code: that of the failures if they share one, else 1; without a failure, the
  ///   lowest of those that tell what was found. Or why nothing can be printed.
  func run(jobs: Int) throws {
    DispatchQueue.concurrentPerform(iterations: min(jobs, stores.count)) { _ in
      while let index = take() { finish(index, self.handle(stores[index])) }
    }
    let (handled, failure) = state.withValue { state in
      state.line.clear()
      return (state.handled.compactMap(\.self), state.failure)
    }
    if let failure { throw failure }
    let results = handled.map(\.result)
    if isFleet { try Output.lines(FleetText(handled).lines(hasDetails: hasDetails)) }
    if let line = closingLine(of: results) { Output.note(line) }
    let failures = Set(results.filter { $0.error != nil }.map(\.exitCode))
    if let code = failures.first { throw failures.count == 1 ? ExitCode(code) : .failure }
    if let code = results.map(\.exitCode).filter({ $0 != 0 }).min() { throw ExitCode(code) }
  }

  /// The next store that nobody has handled; `nil` after the last one, or if nothing can be printed.
  private func take() -> Int? {
    state.withValue { state in
      guard state.next < stores.count, state.failure == nil else { return nil }
      defer { state.next += 1 }
      return state.next
    }
  }

  private func handle(_ store: StoreSearch.Found) -> FleetText.Handled {
    let start = Date()
    let byteCount = FileStatus(following: store.path)?.byteCount
    var result: StoreResult
    do {
      if let failure = store.failure { throw failure }
      result = try handle(URL(fileURLWithPath: store.path)) { done in show(store.path, done) }
    } catch {
      result = StoreResult()
      result.fail(error)
    }
    result.file = store.path
    result.latestVersion = latestVersion
    if result.error != nil { result.outcome = "failed" }
    return FleetText.Handled(
      result: result, seconds: Date().timeIntervalSince(start), byteCount: byteCount)
  }

  private func show(_ path: String, _ done: Double) {
    state.withValue { state in
      let count = state.handled.count { $0 != nil }
      state.line.show(
        (stores.count > 1 ? "\(count) of \(stores.count) stores, " : "")
          + "\(path): \(Int(done * 100)) %")
    }
  }

  /// Keeps a result, and prints all that have none missing before them.
  private func finish(_ index: Int, _ handled: FleetText.Handled) {
    state.withValue { state in
      state.handled[index] = handled
      if isFleet { return }
      state.line.clear()
      do {
        while state.failure == nil, state.printedCount < stores.count,
          let handled = state.handled[state.printedCount]
        {
          state.printedCount += 1
          try print(handled.result)
        }
      } catch {
        state.failure = error
      }
    }
  }

  private func print(_ result: StoreResult) throws {
    if json {
      try Output.json(try Output.jsonLine(of: result))
    } else {
      let lines = result.plainText(of: result.file)
      if !lines.isEmpty { try Output.lines(lines) }
    }
    if let error = result.error { Output.note("Error: " + error) }
  }

  /// How many stores had which outcome, where that is not printed already, and which have failed.
  private func closingLine(of results: [StoreResult]) -> String? {
    let failed = results.filter { $0.error != nil }.map(\.file)
    let most = 10
    let names =
      failed.prefix(most).joined(separator: ", ")
      + (failed.count > most ? " and \(failed.count - most) more" : "")
    if isFleet {
      return failed.isEmpty ? nil : "Error: \(failed.count) of \(stores.count) failed: \(names)"
    }
    guard stores.count > 1 else { return nil }
    return FleetText.outcomes(of: results) + (failed.isEmpty ? "" : ": \(names)")
  }
}
