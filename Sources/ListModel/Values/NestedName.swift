extension IdentifierTags {
  /// Tags ``NestedName``.
  public enum NestedList: IdentifierTag {
    /// "nested list's name".
    public static var noun: String { "nested list's name" }
  }
}

/// What an item calls a list of its own; unique among the lists of the item.
public typealias NestedName = Identifier<IdentifierTags.NestedList>
