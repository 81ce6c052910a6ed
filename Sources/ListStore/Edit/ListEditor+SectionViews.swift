public import ListModel

// Whether a section is shown, and the views around its items.
extension ListEditor {
  /// What a section is besides its items; `nil` if there is no such section.
  public func attributes(of section: SectionID) throws(StoreError) -> SectionAttributes? {
    try ask { rows in
      guard let row = try rows.sectionRow(section) else { return nil }
      return try rows.attributes(of: row.id)
    }
  }

  /// Says whether a view is shown a section.
  ///
  /// - Returns: Its index in the list; `nil` if it had that visibility: nothing is changed then.
  @discardableResult
  public func setVisibility(
    _ visibility: SectionVisibility, of section: SectionID
  ) throws(StoreError) -> Int? {
    guard try knownAttributes(of: section).visibility != visibility else { return nil }
    return try updateSection(section, SectionUpdate(visibility: .set(visibility)))
  }

  /// Lets a view show a section, also without items.
  ///
  /// - Returns: Its index in the list; `nil` if that was so.
  @discardableResult
  public func show(_ section: SectionID) throws(StoreError) -> Int? {
    try setVisibility(.shown, of: section)
  }

  /// Hides a section from a view; it stays in the list, with its items.
  ///
  /// - Returns: Its index in the list; `nil` if that was so.
  @discardableResult
  public func hide(_ section: SectionID) throws(StoreError) -> Int? {
    try setVisibility(.hidden, of: section)
  }

  // MARK: Supplementaries

  /// Gives a section a view of a kind, or takes it away: a header or a footer too.
  ///
  /// - Parameters:
  ///   - view: The view; `nil`: none.
  ///   - kind: Which view of the section.
  ///   - section: The section.
  /// - Returns: The index of the section in the list; `nil` if it had that view, or none: nothing is
  ///   changed then.
  /// - Throws: `StoreError`, with ``/ListModel/StoreError/Code/sectionNotFound`` if there is no
  ///   such section.
  @discardableResult
  public func setSupplementary(
    _ view: Supplementary?, kind: Supplementary.Kind, of section: SectionID
  ) throws(StoreError) -> Int? {
    let attributes = try knownAttributes(of: section)
    guard attributes[kind] != view else { return nil }
    switch kind {
    case .header: return try updateSection(section, SectionUpdate(header: .set(view)))
    case .footer: return try updateSection(section, SectionUpdate(footer: .set(view)))
    default:
      var views = attributes.supplementaries
      views[kind] = view
      return try updateSection(section, SectionUpdate(supplementaries: .set(views)))
    }
  }

  // MARK: Decorations

  /// Sets the decorations of a section, all of them.
  ///
  /// - Returns: The index of the section in the list; `nil` if it had these: nothing is changed then.
  @discardableResult
  public func setDecorations(
    _ decorations: [Decoration], of section: SectionID
  ) throws(StoreError) -> Int? {
    guard try knownAttributes(of: section).decorations != decorations else { return nil }
    return try updateSection(section, SectionUpdate(decorations: .set(decorations)))
  }

  /// Adds a decoration behind those that a section has.
  ///
  /// - Returns: Its number among them, from 0.
  @discardableResult
  public func addDecoration(
    _ decoration: Decoration, to section: SectionID
  ) throws(StoreError) -> Int {
    let decorations = try knownAttributes(of: section).decorations
    try setDecorations(decorations + [decoration], of: section)
    return decorations.count
  }

  /// Takes decorations from a section.
  ///
  /// - Parameters:
  ///   - section: The section.
  ///   - goes: Whether a decoration goes.
  /// - Returns: Those that went, in their order; without any, nothing is changed.
  /// - Throws: `StoreError`, with ``/ListModel/StoreError/Code/sectionNotFound`` if there is no
  ///   such section.
  @discardableResult
  public func removeDecorations(
    of section: SectionID, where goes: (Decoration) -> Bool = { _ in true }
  ) throws(StoreError) -> [Decoration] {
    var gone: [Decoration] = []
    var rest: [Decoration] = []
    for decoration in try knownAttributes(of: section).decorations {
      if goes(decoration) { gone.append(decoration) } else { rest.append(decoration) }
    }
    try setDecorations(rest, of: section)
    return gone
  }

  /// The attributes of a section, or why there are none.
  private func knownAttributes(of section: SectionID) throws(StoreError) -> SectionAttributes {
    guard let attributes = try attributes(of: section) else {
      // The change that would not fit says it as it does for all others.
      try updateSection(section, SectionUpdate())
      throw nothing(at: section)
    }
    return attributes
  }
}
