/// The data of a section besides its id, its place and its items.
public struct SectionAttributes: Hashable, Sendable {
  /// The layout; an empty one becomes `nil`.
  public var layout: SectionLayout? {
    didSet { if layout == SectionLayout() { layout = nil } }
  }
  /// The view before the items.
  public var header: Supplementary?
  /// The view after the items.
  public var footer: Supplementary?
  /// The app's own data about the section; JSON's `null` is the same as `nil`.
  public var meta: JSON? {
    didSet { if meta == .null { meta = nil } }
  }
  /// Whether views show the section.
  public var visibility: SectionAttributes.Visibility
  /// The other supplementary views by kind; a header or footer that is set here moves to its
  /// property.
  public var supplementaries: [Supplementary.Kind: Supplementary] {
    didSet { settleHeaderAndFooter() }
  }
  /// The views behind or in front of the section's parts; the app decides what their order means.
  public var decorations: [Decoration]

  /// Attributes; an empty layout becomes `nil`.
  public init(
    layout: SectionLayout? = nil, header: Supplementary? = nil, footer: Supplementary? = nil,
    meta: JSON? = nil, visibility: SectionAttributes.Visibility = .shown,
    supplementaries: [Supplementary.Kind: Supplementary] = [:], decorations: [Decoration] = []
  ) {
    self.layout = layout == SectionLayout() ? nil : layout
    self.header = header
    self.footer = footer
    self.meta = meta == .null ? nil : meta
    self.visibility = visibility
    self.supplementaries = supplementaries
    self.decorations = decorations
    settleHeaderAndFooter()
  }

  /// Moves a header and a footer out of ``supplementaries``; removing them calls this once more.
  private mutating func settleHeaderAndFooter() {
    if let view = supplementaries[.header] {
      header = view
      supplementaries[.header] = nil
    }
    if let view = supplementaries[.footer] {
      footer = view
      supplementaries[.footer] = nil
    }
  }
}

extension SectionAttributes {
  /// The view of a kind; `nil` if there is none.
  public subscript(kind: Supplementary.Kind) -> Supplementary? {
    get {
      switch kind {
      case .header: header
      case .footer: footer
      default: supplementaries[kind]
      }
    }
    set {
      switch kind {
      case .header: header = newValue
      case .footer: footer = newValue
      default: supplementaries[kind] = newValue
      }
    }
  }

  /// The kinds of views that the section has: header, footer, then the others ordered by their
  /// bytes.
  public var supplementaryKinds: [Supplementary.Kind] {
    var kinds: [Supplementary.Kind] = []
    if header != nil { kinds.append(.header) }
    if footer != nil { kinds.append(.footer) }
    if !supplementaries.isEmpty { kinds += supplementaries.keys.sorted() }
    return kinds
  }

  /// Whether both are the same; contents are compared by meaning, see ``JSON``.
  public func isEquivalent(to other: SectionAttributes) -> Bool {
    looksTheSame(as: other) && visibility == other.visibility
      && meta.isEquivalent(to: other.meta)
  }

  /// Whether both look the same: layout, supplementary views and decorations are equal.
  ///
  /// ``meta`` is never drawn, and ``visibility`` only decides whether the section is in the view.
  package func looksTheSame(as other: SectionAttributes) -> Bool {
    layout == other.layout
      && header.isEquivalent(to: other.header)
      && footer.isEquivalent(to: other.footer)
      && supplementaries.isEquivalent(to: other.supplementaries)
      && decorations.isEquivalent(to: other.decorations)
  }

  /// The error of the first invalid value; `nil` if all are valid.
  package func error(of section: SectionID) -> ChangeError? {
    if let problem = layout?.problem { return .invalidLayout(section, problem: problem) }
    for (index, decoration) in decorations.enumerated() {
      guard let problem = decoration.problem else { continue }
      return .invalidDecoration(section, index: index, problem: problem)
    }
    return nil
  }
}

extension Optional<Supplementary> {
  fileprivate func isEquivalent(to other: Supplementary?) -> Bool {
    guard let self, let other else { return self == nil && other == nil }
    return self.view == other.view && self.content.isEquivalent(to: other.content)
  }
}

extension [Supplementary.Kind: Supplementary] {
  fileprivate func isEquivalent(to other: Self) -> Bool {
    count == other.count && allSatisfy { $0.value.isEquivalent(to: other[$0.key]) }
  }
}

extension Supplementary {
  fileprivate func isEquivalent(to other: Supplementary?) -> Bool {
    Optional(self).isEquivalent(to: other)
  }
}

extension [Decoration] {
  fileprivate func isEquivalent(to other: [Decoration]) -> Bool {
    count == other.count && zip(self, other).allSatisfy { $0.isEquivalent(to: $1) }
  }
}

extension Optional<JSON> {
  /// Whether both are absent, or mean the same.
  package func isEquivalent(to other: JSON?) -> Bool {
    guard let self, let other else { return self == nil && other == nil }
    return self.isEquivalent(to: other)
  }
}
