public import ListModel

/// JSON text as a literal, for tests alone: text that is not JSON stops the process.
extension JSON: ExpressibleByStringLiteral {
  /// Reads the literal.
  public init(stringLiteral text: String) {
    do { try self.init(parsing: text) } catch { preconditionFailure("not JSON: \(error)") }
  }
}
