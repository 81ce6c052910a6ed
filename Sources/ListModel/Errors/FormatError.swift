/// Text that does not follow a format: it is not JSON, or JSON of another shape.
public struct FormatError: Error, Equatable, Sendable, CustomStringConvertible {
  /// The place in the document, such as `ops[3].layout.columns`; empty for the document itself.
  public private(set) var place: String
  /// What was expected and what was found.
  public let problem: String
  /// Whether the text has the right shape, but is too large or nested too deeply.
  public let isBeyondLimit: Bool

  package init(_ problem: String, at place: String = "", isBeyondLimit: Bool = false) {
    self.place = place
    self.problem = problem
    self.isBeyondLimit = isBeyondLimit
  }

  /// The same error, with its place as seen from the enclosing value.
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
