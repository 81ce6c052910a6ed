/// A view of a section that is not an item: its header, its footer, a badge.
public struct Supplementary: Hashable, Sendable {
  /// Which view of a section it is: 1 to 256 bytes of UTF-8 without U+0000, equal by their bytes.
  ///
  /// ``Identifier/header``, ``Identifier/footer`` or one of the app's own, which the app's own layout
  /// places.
  public typealias Kind = Identifier<IdentifierTags.SupplementaryKind>

  /// The stable name of the view's class.
  public var view: ViewName
  /// What the view shows.
  public var content: JSON

  /// A view of a name that shows a content.
  public init(view: ViewName, content: JSON) {
    self.view = view
    self.content = content
  }
}

extension Identifier<IdentifierTags.SupplementaryKind> {
  /// The view before the items.
  public static var header: Self { "header" }
  /// The view after the items.
  public static var footer: Self { "footer" }

  /// The kind of a name; `nil` if the text can't be one.
  public init?(rawValue: String) {
    do { try self.init(rawValue) } catch { return nil }
  }
}

extension Supplementary {
  /// A hash of its name and the text of its content, the same everywhere and for ever.
  package var stableHash: UInt64 {
    XXHash64.hash(content.text, seed: XXHash64.hash(view.rawValue))
  }
}
