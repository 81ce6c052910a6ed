import ArgumentParser
import Dispatch
import Foundation
import ListModel
import StoreFiles

/// Handles many stores, several at once; their results are printed in the order of the stores.
final class StoreRun: Sendable {
  private let stores: [StoreSearch.Found]
  private let json: Bool
  private let latestVersion: Int
  private let handle: @Sendable (URL, (Double) -> Void) throws -> Migrate.Result
  private let state: Guarded<State>

  private struct State {
    var next = 0
    var results: [Migrate.Result?]
    var printedCount = 0
    var line = ProgressLine()
    /// Why nothing more can be printed.
    var failure: (any Error)?
  }

  init(
    _ stores: [StoreSearch.Found], json: Bool, latestVersion: Int,
    _ handle: @escaping @Sendable (URL, (Double) -> Void) throws -> Migrate.Result
  ) {
    self.stores = stores
    self.json = json
    self.latestVersion = latestVersion
    self.handle = handle
    state = Guarded(State(results: Array(repeating: nil, count: stores.count)))
  }

  /// Handles all stores and prints the closing line.
  ///
  /// - Throws: The exit code: that of the failures if they share one, else 1; without a failure, the
  ///   lowest of those that tell what was found. Or why nothing can be printed.
  func run(jobs: Int) throws {
    DispatchQueue.concurrentPerform(iterations: min(jobs, stores.count)) { _ in
      while let index = take() { finish(index, result(of: stores[index])) }
    }
    let (results, failure) = state.withValue { state in
      state.line.clear()
      return (state.results.compactMap(\.self), state.failure)
    }
    if let failure { throw failure }
    if stores.count > 1 { Output.note(Self.closingLine(of: results)) }
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

  private func result(of store: StoreSearch.Found) -> Migrate.Result {
    var result: Migrate.Result
    do {
      if let failure = store.failure { throw failure }
      result = try handle(URL(fileURLWithPath: store.path)) { done in show(store.path, done) }
    } catch {
      result = Migrate.Result()
      result.fail(error)
    }
    result.file = store.path
    result.latestVersion = latestVersion
    if result.error != nil { result.outcome = "failed" }
    return result
  }

  private func show(_ path: String, _ done: Double) {
    state.withValue { state in
      let count = state.results.count { $0 != nil }
      state.line.show(
        (stores.count > 1 ? "\(count) of \(stores.count) stores, " : "")
          + "\(path): \(Int(done * 100)) %")
    }
  }

  /// Keeps a result, and prints all that have none missing before them.
  private func finish(_ index: Int, _ result: Migrate.Result) {
    state.withValue { state in
      state.results[index] = result
      state.line.clear()
      do {
        while state.failure == nil, state.printedCount < stores.count,
          let result = state.results[state.printedCount]
        {
          state.printedCount += 1
          try print(result)
        }
      } catch {
        state.failure = error
      }
    }
  }

  private func print(_ result: Migrate.Result) throws {
    if json {
      try Output.json(try Output.jsonLine(of: result))
    } else {
      let lines = result.plainText(of: result.file)
      if !lines.isEmpty { try Output.lines(lines) }
    }
    if let error = result.error { Output.note("Error: " + error) }
  }

  /// How many stores had which outcome, and which of them have failed.
  private static func closingLine(of results: [Migrate.Result]) -> String {
    var counts: [(outcome: String, count: Int)] = []
    for outcome in results.map(\.outcome) where outcome != "failed" {
      if let index = counts.firstIndex(where: { $0.outcome == outcome }) {
        counts[index].count += 1
      } else {
        counts.append((outcome, 1))
      }
    }
    let failed = results.filter { $0.error != nil }.map(\.file)
    let most = 10
    let names =
      failed.prefix(most).joined(separator: ", ")
      + (failed.count > most ? " and \(failed.count - most) more" : "")
    return
      (counts.map { "\($0.count) \($0.outcome)" }
      + (failed.isEmpty ? [] : ["\(failed.count) failed: \(names)"])).joined(separator: ", ")
  }
}
