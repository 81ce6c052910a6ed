/// Text that is not what a format asks for: not JSON, or JSON of another shape.
public struct FormatError: Error, Equatable, Sendable, CustomStringConvertible {
  /// Where in the document: `ops[3].layout.columns`; empty for the document itself.
  public private(set) var place: String
  /// What was expected and what was there.
  public let problem: String
  /// Whether the text is of the right shape, but larger or deeper than it may be.
  public let isBeyondLimit: Bool

  package init(_ problem: String, at place: String = "", isBeyondLimit: Bool = false) {
    self.place = place
    self.problem = problem
    self.isBeyondLimit = isBeyondLimit
  }

  /// The same error as seen from one level further out.
  package func inside(_ outer: String) -> FormatError {
    var error = self
    if place.isEmpty {
      error.place = outer
    } else if place.hasPrefix("[") {
      error.place = outer + place
    } else {
      error.place = outer + "." + place
    }
    return error
  }

  /// The place, if there is one, and the problem.
  public var description: String { place.isEmpty ? problem : "\(place): \(problem)" }
}
