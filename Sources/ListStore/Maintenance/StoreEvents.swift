import GRDB
import ListItems
import ListModel
import Logging
import StoreFiles
import StoreSchema

/// What happens in a store that no call returns or throws.
///
/// It counts events by name, keeps the last errors, and writes errors to swift-log under the label
/// `Cellar`: with the store's id and SQLite's codes, but with nothing that a list holds.
package final class StoreEvents: Sendable {
  private let file: String
  /// `nil` for a file that is inspected: what is wrong with it is a finding.
  private let logger: Logger?
  private let state = Guarded(State())
  /// The most errors that are kept.
  private static let maximumFailureCount = 20

  private struct State {
    var counts: [String: Int] = [:]
    var failures: [StoreError] = []
    var storeID: String?
  }

  init(file: String, _ logger: Logger?) {
    self.file = file
    self.logger = logger
  }

  /// How often each event happened.
  var counts: [String: Int] { state.withValue { $0.counts } }

  /// The last errors that were reported, the newest last.
  var failures: [StoreError] { state.withValue { $0.failures } }

  /// Counts an event.
  func note(_ name: String) { state.withValue { $0.counts[name, default: 0] += 1 } }

  /// Has the store's id in later lines of the log.
  func identify(_ storeID: [UInt8]) {
    state.withValue { state in
      if state.storeID == nil {
        state.storeID = storeID.reduce(into: "") { text, byte in
          text += (byte < 16 ? "0" : "") + String(byte, radix: 16)
        }
      }
    }
  }

  /// Keeps an error that nobody gets, counts it as `failure`, and logs it.
  ///
  /// The same error several times in a row is kept and logged once. That the store is closed,
  /// suspended, in an edit or only read is no failure.
  ///
  /// - Parameters:
  ///   - error: The error.
  ///   - attempt: What failed; goes into the log, so it names no list and no item.
  package func report(_ error: any Error, _ attempt: StaticString) {
    let failure: StoreError =
      switch error {
      case is FormatError, is ChangeError: .damaged(file, because: "\(error)", cause: error)
      default: .wrap(error, attempt: "\(attempt)", file: file)
      }
    if [.closed, .suspended, .nestedEdit, .readOnly].contains(failure.code) { return }
    let isNew = state.withValue { state in
      state.counts["failure", default: 0] += 1
      let last = state.failures.last
      let isNew = last?.code != failure.code || last?.message != failure.message
      if isNew {
        state.failures.append(failure)
        if state.failures.count > Self.maximumFailureCount { state.failures.removeFirst() }
      }
      return isNew
    }
    if isNew { log(failure, attempt) }
  }

  /// Logs an error: the code of a `StoreError`, of others the type, and of a screen's what is wrong.
  ///
  /// - Parameters:
  ///   - error: The error.
  ///   - attempt: What failed; names no list and no item.
  package func log(_ error: any Error, _ attempt: StaticString) {
    guard let logger else { return }
    let failure = error as? StoreError
    var metadata: Logger.Metadata = [
      "store": "\(state.withValue { $0.storeID } ?? "not read yet")",
      "error": "\(failure?.code.description ?? "\(type(of: error))")",
    ]
    if let problem = error as? any LoggedProblem { metadata["why"] = "\(problem.logText)" }
    if let error = failure?.cause as? DatabaseError {
      metadata["sqlite"] = "\(error.extendedResultCode.rawValue)"
    }
    logger.error("can't \(attempt)", metadata: metadata)
  }
}
