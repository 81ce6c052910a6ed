extension TableAdapter {
  /// The error for a view of a factory that the table can't use, or only once.
  public struct UnusableView: Error, Hashable, Sendable, CustomStringConvertible {
    /// The reuse identifier that the factory got.
    public let reuseIdentifier: String
    /// What the factory made: its class, and its reuse identifier if it has one.
    public let view: String

    /// What is wrong, and what to do.
    public var description: String {
      "the factory for reuse identifier \"\(reuseIdentifier)\" made \(view); let it make a cell, or a "
        + "header or footer, with the reuse identifier that it gets, or the table can't use it again"
    }
  }
}
