/// A view of a section that shows no item: its header, its footer or another one, such as a badge.
public struct Supplementary: Hashable, Sendable {
  /// The kind of a supplementary view: 1 to 256 bytes of UTF-8 without U+0000, compared by bytes.
  ///
  /// It is ``Identifier/header``, ``Identifier/footer``, or a kind of the app, which the app's own
  /// layout places.
  public typealias Kind = Identifier<IdentifierTags.SupplementaryKind>

  /// The stable name of the view's class.
  public var view: ViewName
  /// The content of the view.
  public var content: JSON

  /// A view with a name and a content.
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

  /// The kind of a name; `nil` if the text is not a valid kind.
  public init?(rawValue: String) {
    do { try self.init(rawValue) } catch { return nil }
  }
}

extension Supplementary {
  /// A hash of the name and the content's text; it is the same on every machine and in every
  /// version.
  package var stableHash: UInt64 {
    XXHash64.hash(content.text, seed: XXHash64.hash(view.rawValue))
  }
}
