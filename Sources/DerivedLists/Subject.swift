package import ListModel

/// What conditions and keys read of an item.
protocol ReadableItem {
  var searcher: Searcher { get }

  /// Whether a test holds for the value at a path, or for `null` if there is none.
  func passes(_ test: Condition.Test, at path: ValuePath) -> Bool
  /// The scalar at a path.
  func key(at path: ValuePath) -> ValueKey
  /// Calls a closure with the texts at a path: see ``ListModel/JSONNode/forEachText(_:)``.
  func forEachText(at path: ValuePath, _ body: (String) -> Void)
}

extension ReadableItem {
  /// How well it matches a search; `nil` if it does not.
  func points(of search: Search) -> Int? { searcher.points(of: search, in: self) }

  /// The key that a sort compares.
  func key(for term: DerivedDefinition.SortTerm) -> ValueKey {
    term.collation.key(key(at: term.path))
  }
}

/// An item of a source, as conditions and keys read it.
package struct Subject: ReadableItem {
  /// Its id.
  package var id: ItemID
  /// Its cell, content and type.
  package var state: ItemState
  /// The section of the source that it stands in.
  package var section: SectionID
  private let content: JSONNode?
  let searcher: Searcher
  private let closures: [ComputedField: ComputedField.Closure]

  /// An item.
  ///
  /// `searcher`: Tells whether it matches a full-text search.
  /// `closures`: Those that this process has.
  package init(
    id: ItemID, state: ItemState, section: SectionID, _ searcher: Searcher,
    _ closures: [ComputedField: ComputedField.Closure] = [:]
  ) {
    self.closures = closures
    self.id = id
    self.state = state
    self.section = section
    self.searcher = searcher
    // What was validated when it was made is JSON.
    content = try? JSONNode(parsing: Array(state.content.text.utf8), maximumDepth: .max)
  }

  func passes(_ test: Condition.Test, at path: ValuePath) -> Bool {
    guard let node = node(at: path) else { return test.holds(for: key(at: path)) }
    return test.holds(for: node.kind, node: { node }, scalar: { test.holds(for: ValueKey(node)) })
  }

  /// The value at a path; `nil` if there is none in its content.
  private func node(at path: ValuePath) -> JSONNode? {
    guard case .content(let tokens) = path else { return nil }
    return content?.value(at: tokens)
  }

  /// The scalar at a path.
  package func key(at path: ValuePath) -> ValueKey {
    switch path {
    case .content: node(at: path).map(ValueKey.init) ?? .null
    case .id: ValueKey(id.rawValue)
    case .cell: ValueKey(state.cell.rawValue)
    case .type: state.type.map { ValueKey($0.rawValue) } ?? .null
    case .section: ValueKey(section.rawValue)
    case .rank: .null
    case .computed(let field): closures[field]?(Item(id: id, state: state)) ?? .null
    }
  }

  /// How well it matches a search; `nil` if it does not.
  package func points(of search: Search) -> Int? { searcher.points(of: search, in: self) }

  func forEachText(at path: ValuePath, _ body: (String) -> Void) {
    switch path {
    case .content: node(at: path)?.forEachText(body)
    case .id, .cell, .type, .section, .rank, .computed: key(at: path).string.map(body)
    }
  }
}

extension DerivedDefinition.Collation {
  /// The key whose bytes have the order of the collation.
  package func key(_ key: ValueKey) -> ValueKey {
    guard self == .caseless, let text = key.string else { return key }
    var lowered = ""
    for scalar in text.unicodeScalars { lowered += scalar.properties.lowercaseMapping }
    return ValueKey(lowered)
  }
}

extension DerivedDefinition {
  /// Whether an item of the source is in the list, but for the limit.
  package func includes(_ item: Subject) -> Bool {
    !item.state.isGap && conditions.allSatisfy { $0.holds(for: item) }
  }
}
