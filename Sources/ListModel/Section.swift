/// A run of items with a layout of its own, and a header and a footer if it has them.
public struct Section: Hashable, Sendable, Identifiable {
  /// Unique among the sections of the list.
  public let id: SectionID
  /// Its layout, header, footer and meta.
  public var attributes: SectionAttributes
  /// In the order in which the view shows them.
  public var items: [Item]

  /// A section of the given items, in their order.
  public init(id: SectionID, attributes: SectionAttributes = .init(), items: [Item] = []) {
    self.id = id
    self.attributes = attributes
    self.items = items
  }
}

/// What a section is besides its identity, its place and its items.
public struct SectionAttributes: Hashable, Sendable {
  /// `nil` also where a layout was set that says nothing.
  public var layout: SectionLayout? {
    didSet { if layout == SectionLayout() { layout = nil } }
  }
  /// The view before the items.
  public var header: Supplementary?
  /// The view after the items.
  public var footer: Supplementary?
  /// The app's own data about the section; `null` is the same as none.
  public var meta: JSON? {
    didSet { if meta == .null { meta = nil } }
  }

  /// Attributes; a layout that says nothing counts as none.
  public init(
    layout: SectionLayout? = nil, header: Supplementary? = nil, footer: Supplementary? = nil,
    meta: JSON? = nil
  ) {
    self.layout = layout == SectionLayout() ? nil : layout
    self.header = header
    self.footer = footer
    self.meta = meta == .null ? nil : meta
  }
}

/// A view of a section that is not an item: its header, its footer.
public struct Supplementary: Hashable, Sendable {
  /// Which view of a section it is.
  public enum Kind: String, Hashable, Sendable, CaseIterable {
    /// The view before the items.
    case header
    /// The view after the items.
    case footer
  }

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

extension Supplementary {
  /// A hash of its name and the text of its content, the same everywhere and for ever.
  package var stableHash: UInt64 {
    XXHash64.hash(content.text, seed: XXHash64.hash(view.rawValue))
  }
}

extension SectionAttributes {
  /// The view of a kind; `nil` if there is none.
  public subscript(kind: Supplementary.Kind) -> Supplementary? {
    switch kind {
    case .header: header
    case .footer: footer
    }
  }

  /// Whether a view shows both alike: contents are compared by meaning, see ``JSON``.
  public func isEquivalent(to other: SectionAttributes) -> Bool {
    layout == other.layout
      && header.isEquivalent(to: other.header)
      && footer.isEquivalent(to: other.footer)
      && meta.isEquivalent(to: other.meta)
  }
}

extension Optional<Supplementary> {
  fileprivate func isEquivalent(to other: Supplementary?) -> Bool {
    guard let self, let other else { return self == nil && other == nil }
    return self.view == other.view && self.content.isEquivalent(to: other.content)
  }
}

extension Optional<JSON> {
  func isEquivalent(to other: JSON?) -> Bool {
    guard let self, let other else { return self == nil && other == nil }
    return self.isEquivalent(to: other)
  }
}
