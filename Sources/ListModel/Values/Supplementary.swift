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

  /// One of several views of a kind in a section, where the app's layout asks for more than one.
  ///
  /// ```swift
  /// try list.updateSection("today") {
  ///   $0[.numbered("badge", 2)] = try Supplementary(Badge(count: 3))
  /// }
  /// ```
  ///
  /// A layout asks for it as `kind` at the item `number` of the section. It is stored as a kind of
  /// its own, such as `badge[2]`. Views are registered for all numbers under `kind` itself.
  ///
  /// - Parameters:
  ///   - kind: The kind, without a number.
  ///   - number: From 0; 0 is `kind` itself.
  /// - Returns: The kind under which the view is stored.
  /// - Precondition: `number` is not negative, and `kind` with it is not longer than 256 bytes.
  public static func numbered(_ kind: Self, _ number: Int) -> Self {
    guard let numbered = Self(kind, number: number) else {
      preconditionFailure("\"\(kind)\" can't have the number \(number)")
    }
    return numbered
  }

  /// A kind with a number; `nil` if the number is negative or the text is too long.
  package init?(_ kind: Self, number: Int) {
    guard number >= 0 else { return nil }
    self.init(rawValue: number == 0 ? kind.rawValue : "\(kind)[\(number)]")
  }

  /// The number of a view among those of its kind, and the kind: see ``numbered(_:_:)``.
  package var numberAndBase: (number: Int, base: Self) {
    guard rawValue.hasSuffix("]"), let bracket = rawValue.lastIndex(of: "["),
      let number = Int(rawValue[bracket...].dropFirst().dropLast()), number > 0,
      let base = Self(rawValue: String(rawValue[..<bracket])),
      rawValue == "\(base)[\(number)]"
    else { return (0, self) }
    return (number, base)
  }

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
