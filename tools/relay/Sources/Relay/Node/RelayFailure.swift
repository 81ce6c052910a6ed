import FeedServing
import ListModel
import RelayEngine

/// Why a node does not do what a request wants; the HTTP side makes a status of it.
struct RelayFailure: Error, CustomStringConvertible {
  enum Kind: Sendable {
    /// It may go better later; whether an edit was made is unknown.
    case unavailable
    /// The list does not end where the request says.
    case conflict
    /// The request itself is wrong.
    case wrongRequest
    /// The credentials are missing, wrong or expired.
    case unauthorized
    /// This user may not do this.
    case forbidden
    /// There is no such list, or no such address.
    case notFound
    /// The lines that are asked for are gone.
    case gone
    /// A quota is used up; it is whole again after so many seconds.
    case tooMuch(retryAfter: Int)
    /// The body is longer than is read.
    case tooLong
    /// The body takes longer to come than is waited.
    case tooSlow
  }

  let kind: Kind
  let message: String
  /// Where the list ends, after a conflict; `nil` for one without a line.
  private(set) var end: LinePosition?

  init(_ kind: Kind, _ message: String) {
    self.kind = kind
    self.message = message
  }

  /// The failure that another error is for a request.
  init(_ error: any Error) {
    switch error {
    case let failure as RelayFailure: self = failure
    case let error as EngineError: self.init(.unavailable, error.message)
    case let error as EditRefusal: self.init(.unavailable, error.why)
    default: self.init(.unavailable, "\(error)")
    }
  }

  /// The list does not end where the request says.
  static func conflict(_ end: LinePosition?) -> RelayFailure {
    var failure = RelayFailure(
      .conflict, end.map { "the list ends at \($0)" } ?? "the list has no line")
    failure.end = end
    return failure
  }

  /// What a log may say of an error: nothing of a list's content, nor ids of what is in it.
  static func logged(_ error: any Error) -> String {
    switch error {
    case let failure as RelayFailure: "\(failure.kind)"
    case let error as EngineError: error.message
    case let error as StoreError: "\(error.code)"
    default: "\(type(of: error))"
    }
  }

  var description: String { message }
}
