public import ListModel
public import ListItems

/// A section while its list is edited: what is appended goes behind its last item.
///
/// Of use as long as the ``ListEditor`` that gave it.
public struct SectionEditor {
  private let list: ListEditor
  /// The section.
  public let id: SectionID

  init(_ list: ListEditor, _ id: SectionID) {
    self.list = list
    self.id = id
  }

  /// Appends an item of the app's.
  ///
  /// - Returns: Where it is.
  @discardableResult
  public func append(_ value: some ListItem) throws(StoreError) -> ItemPath {
    try list.insert(value, in: id)
  }

  /// Appends items of the app's.
  ///
  /// - Returns: Where they are, in their order.
  @discardableResult
  public func append(_ values: [some ListItem]) throws(StoreError) -> [ItemPath] {
    try list.insert(values, in: id)
  }

  /// Appends an item.
  ///
  /// - Returns: Where it is.
  @discardableResult
  public func append(_ item: Item) throws(StoreError) -> ItemPath {
    try list.insert(item, in: id)
  }

  /// Appends items.
  ///
  /// - Returns: Where they are, in their order.
  @discardableResult
  public func append(_ items: [Item]) throws(StoreError) -> [ItemPath] {
    try list.insert(items, in: id)
  }
}

extension ListEditor {
  /// Appends an empty section.
  ///
  /// - Returns: The section, to insert into.
  @discardableResult
  public func appendSection(
    _ section: SectionID, _ attributes: SectionAttributes = .init()
  ) throws(StoreError) -> SectionID {
    try insertSection(section, attributes)
    return section
  }

  /// Appends a section, and items to it.
  ///
  /// ```swift
  /// try list.appendSection("today") { section in
  ///   for book in books { try section.append(book) }
  /// }
  /// ```
  ///
  /// - Parameters:
  ///   - section: Its id.
  ///   - attributes: Its layout, header, footer and meta.
  ///   - body: Appends the items. If it throws, the section stays with those that it has, as long as the
  ///     edit goes on.
  /// - Returns: The section.
  /// - Throws: ``/ListModel/StoreError``, or what `body` throws.
  @discardableResult
  public func appendSection(
    _ section: SectionID, _ attributes: SectionAttributes = .init(),
    _ body: (SectionEditor) throws -> Void
  ) throws -> SectionID {
    try appendSection(section, attributes)
    try body(SectionEditor(self, section))
    return section
  }

  /// Appends a section that was built, with its items.
  ///
  /// - Returns: The section.
  /// - Throws: `StoreError`: with ``/ListModel/StoreError/Code/invalidValue`` for an item
  ///   that can't be encoded, and then nothing was changed.
  @discardableResult
  public func appendSection(_ section: ListSection) throws(StoreError) -> SectionID {
    let stored: ListTree.Section
    do throws(ListBuildError) { stored = try ListTree.Section(built: section) } catch {
      throw unusable(error)
    }
    try insertSection(stored.id, stored.attributes, items: stored.items)
    return stored.id
  }

  /// Checks what the list is to be, before anything of it is done.
  package func check(_ sections: [ListTree.Section]) throws(StoreError) {
    do throws(ListBuildError) { try sections.checkIDs() } catch { throw unusable(error) }
    for section in sections {
      guard let error = section.attributes.error(of: section.id) else { continue }
      throw StoreError(.init(error), "\(error)", file: file, cause: error)
    }
  }

  /// What was built is no list.
  package func unusable(_ error: ListBuildError) -> StoreError {
    let code: StoreError.Code =
      switch error {
      case .duplicateSection, .duplicateItem: .duplicateID
      case .invalidItem: .invalidValue
      }
    return StoreError(code, "\(error)", file: file, cause: error)
  }

  /// The section of an id, to insert into; `nil` if there is none.
  public func section(_ id: SectionID) throws(StoreError) -> SectionID? {
    try index(of: id) == nil ? nil : id
  }

  /// The list as it is, whole, with the revision that the edit is to give it.
  ///
  /// - Complexity: O(*n*), *n* items.
  public func tree() throws(StoreError) -> ListTree { try ask { try $0.listTree() } }
}
