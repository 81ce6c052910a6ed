public import ListItems
public import ListModel

extension ListEditor {
  /// Inserts an empty section.
  ///
  /// - Parameters:
  ///   - section: Its id, new to the list.
  ///   - attributes: Its layout, header, footer, decorations, visibility and meta.
  ///   - place: Where it goes in the list.
  /// - Returns: Its index in the list.
  /// - Throws: `StoreError`, with ``/ListModel/StoreError/Code/duplicateID`` if the list has the
  ///   id.
  @discardableResult
  public func insertSection(
    _ section: SectionID, _ attributes: SectionAttributes = .init(),
    at place: Place<SectionID> = .end
  ) throws(StoreError) -> Int {
    try requireKnown(attributes)
    let entry = try apply(.insertSection(section, attributes, at: place))
    guard case .insertSection(_, _, let index) = entry else { throw unexpected(entry) }
    return index
  }

  /// Inserts a section with its items.
  ///
  /// ```swift
  /// try list.insertSection(ListSection("today") { for book in books { book } }, at: .start)
  /// ```
  ///
  /// - Returns: Its index in the list.
  /// - Throws: `StoreError`, with ``/ListModel/StoreError/Code/invalidValue`` for an item that
  ///   can't be encoded; nothing is inserted then.
  @discardableResult
  public func insertSection(
    _ section: ListSection, at place: Place<SectionID> = .end
  ) throws(StoreError) -> Int {
    let built: ListTree.Section
    do throws(ListBuildError) { built = try ListTree.Section(built: section, requireKnown) } catch {
      throw unusable(error)
    }
    let index = try insertSection(built.id, built.attributes, at: place)
    try insert(built.items, in: built.id)
    return index
  }

  /// Inserts an empty section, unless the list has one with its id.
  ///
  /// - Returns: Whether it was inserted.
  @discardableResult
  public func insertSectionIfMissing(
    _ section: SectionID, _ attributes: SectionAttributes = .init(),
    at place: Place<SectionID> = .end
  ) throws(StoreError) -> Bool {
    guard try index(of: section) == nil else { return false }
    try insertSection(section, attributes, at: place)
    return true
  }

  /// Inserts a section with its items, unless the list has one with its id.
  ///
  /// So an app can set up its list at every launch; a section that is there keeps its attributes
  /// and items.
  ///
  /// ```swift
  /// try list.insertSectionIfMissing(ListSection("today") { Book(id: "emma", title: "Emma") })
  /// ```
  ///
  /// - Returns: Whether it was inserted.
  /// - Throws: As ``insertSection(_:at:)``.
  @discardableResult
  public func insertSectionIfMissing(
    _ section: ListSection, at place: Place<SectionID> = .end
  ) throws(StoreError) -> Bool {
    guard try index(of: section.id) == nil else { return false }
    try insertSection(section, at: place)
    return true
  }

  /// Moves a section with its items.
  ///
  /// - Parameters:
  ///   - section: The section.
  ///   - place: Where it goes in the list; an index does not count the section itself.
  /// - Returns: Its indexes in the list before and after; both are the same if it is there already.
  /// - Throws: `StoreError`, with ``/ListModel/StoreError/Code/sectionNotFound`` or
  ///   ``/ListModel/StoreError/Code/placeOutOfBounds``.
  @discardableResult
  public func moveSection(
    _ section: SectionID, to place: Place<SectionID>
  ) throws(StoreError) -> Move<Int> {
    let entry = try apply(.moveSection(section, to: place))
    guard case .moveSection(_, let from, let to) = entry else { throw unexpected(entry) }
    return Move(from: from, to: to)
  }

  /// Changes attributes of a section: its layout, header, footer and other views, decorations,
  /// visibility and meta.
  ///
  /// ```swift
  /// try list.updateSection("today") {
  ///   $0.header = try Supplementary(Title(text: "Today"))
  ///   $0.visibility = .hiddenWhenEmpty
  /// }
  /// ```
  ///
  /// - Returns: Its index in the list; `nil` if no attribute changed, and then there is no change
  ///   in the log either.
  /// - Throws: `StoreError`, with ``/ListModel/StoreError/Code/sectionNotFound`` if the list does
  ///   not have the section; or what `change` throws.
  @discardableResult
  public func updateSection(
    _ section: SectionID, _ change: (inout SectionAttributes) throws -> Void
  ) throws -> Int? {
    guard let before = try attributes(of: section) else {
      // Refused with the error that all changes of an unknown section have.
      try apply(.updateSection(section, SectionUpdate()))
      throw nothing(at: section)
    }
    var after = before
    try change(&after)
    let update = SectionUpdate(from: before, to: after)
    guard update != SectionUpdate() else { return nil }
    try requireKnown(after, besides: before)
    let entry = try apply(.updateSection(section, update))
    guard case .updateSection(_, let index, _, _) = entry else { throw unexpected(entry) }
    return index
  }

  /// Deletes a section with its items.
  ///
  /// - Returns: Its index in the list before.
  @discardableResult
  public func deleteSection(_ section: SectionID) throws(StoreError) -> Int {
    let entry = try apply(.deleteSection(section))
    guard case .deleteSection(_, let index) = entry else { throw unexpected(entry) }
    return index
  }

  /// Deletes sections with their items.
  ///
  /// - Parameter sections: The list has each of them, and none is named twice.
  /// - Returns: Their indexes in the list before the first deletion, in the order given.
  /// - Throws: `StoreError`, with ``/ListModel/StoreError/Code/sectionNotFound``.
  @discardableResult
  public func deleteSections(_ sections: [SectionID]) throws(StoreError) -> [Int] {
    var indexes: [Int] = []
    for section in sections {
      guard let index = try index(of: section) else { throw nothing(at: section) }
      indexes.append(index)
    }
    for section in sections { try deleteSection(section) }
    return indexes
  }

  /// Deletes all sections with their items.
  ///
  /// - Returns: How many sections there were.
  @discardableResult
  public func deleteAllSections() throws(StoreError) -> Int {
    let count = try numberOfSections()
    while let first = try sectionID(at: 0) { try deleteSection(first) }
    return count
  }

  // MARK: Building

  /// Checks a list that is to be stored, before anything of it is.
  package func check(_ sections: [ListTree.Section]) throws(StoreError) {
    do throws(ListBuildError) { try sections.checkIDs() } catch { throw unusable(error) }
    for section in sections {
      guard let error = section.attributes.error(of: section.id) else { continue }
      throw StoreError(.init(error), "\(error)", file: file, cause: error)
    }
  }

  /// Refuses a header or another view of a section that the list was not told of.
  ///
  /// `before`: What the section has already.
  package func requireKnown(
    _ attributes: SectionAttributes, besides before: SectionAttributes? = nil
  ) throws(StoreError) {
    do throws(SupplementaryTypeError) {
      try target.requireKnown(attributes, besides: before)
    } catch {
      throw StoreError(.invalidValue, "list \"\(target.list)\": \(error)", file: file, cause: error)
    }
  }

  /// The error for a built list that can't be stored.
  package func unusable(_ error: ListBuildError) -> StoreError {
    let code: StoreError.Code =
      switch error {
      case .duplicateSection, .duplicateItem: .duplicateID
      case .invalidItem: .invalidValue
      }
    return StoreError(code, "\(error)", file: file, cause: error)
  }
}
