extension IdentifierTags {
  /// Tags ``NestedName``.
  public enum NestedList: IdentifierTag {
    /// "nested list's name".
    public static var noun: String { "nested list's name" }
  }
}

/// The name of a list that belongs to an item; unique among the lists of that item.
public typealias NestedName = Identifier<IdentifierTags.NestedList>
