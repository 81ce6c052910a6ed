public import ListModel

/// Something that whoever looks at a store should know.
///
/// Its JSON is an output format: names and meanings stay.
public struct Finding: Codable, Hashable, Sendable, CustomStringConvertible {
  /// How bad it is.
  public var severity: Severity
  /// What it is, as one word that scripts can compare.
  public var code: StoreProblem.Code
  /// Where it is: a file, a table, or a list; `nil` for the store as a whole.
  public var place: String?
  /// What was found, in a sentence.
  public var message: String
  /// What it means for the app.
  public var meaning: String
  /// What to do, with the command to type; `FILE` stands for the store.
  public var advice: String

  /// How bad a finding is.
  public enum Severity: String, Codable, Sendable, CaseIterable, Comparable {
    /// Nothing is wrong; it explains what is seen.
    case notice
    /// What is seen may not be all that the app has written.
    case warning
    /// Something in the file is damaged, or can't be read.
    case error

    /// Whether one is less bad than another.
    public static func < (lhs: Severity, rhs: Severity) -> Bool {
      allCases.firstIndex(of: lhs) ?? 0 < allCases.firstIndex(of: rhs) ?? 0
    }
  }

  /// Severity, place and message.
  public var description: String {
    "\(severity.rawValue): " + (place.map { "\($0): " } ?? "") + message
  }
}
