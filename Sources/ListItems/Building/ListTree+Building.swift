public import ListModel

/// An error in a built list.
public enum ListBuildError: Error, Hashable, Sendable, CustomStringConvertible {
  /// Two sections have one id.
  case duplicateSection(SectionID, index: Int, otherIndex: Int)
  /// Two items have one id, in one section or in two.
  case duplicateItem(
    ItemID, section: SectionID, path: ItemPath, otherSection: SectionID, otherPath: ItemPath)
  /// An item has an empty or too long id, or can't be encoded.
  case invalidItem(String, section: SectionID, why: String)

  /// What is wrong, and where.
  public var description: String {
    switch self {
    case .duplicateSection(let id, let index, let otherIndex):
      "section \"\(id)\" is there twice, at index \(index) and at index \(otherIndex)"
    case .duplicateItem(let id, let section, let path, let other, let otherPath):
      "item \"\(id)\" is there twice: in section \"\(section)\" at \(path), and in section "
        + "\"\(other)\" at \(otherPath)"
    case .invalidItem(let id, let section, let why):
      "item \"\(id)\" of section \"\(section)\": \(why)"
    }
  }
}

extension ListTree {
  /// A list of built sections.
  ///
  /// ```swift
  /// try ListTree(list: "shelf") {
  ///   ListSection("today") { Book(id: "emma", title: "Emma") }
  /// }
  /// ```
  ///
  /// - Parameters:
  ///   - list: The list's id.
  ///   - revision: The list's revision.
  ///   - content: The sections, in their order.
  /// - Throws: ``ListBuildError``, or what `content` throws.
  public init(
    list: ListID, revision: Int = 0, @ListBuilder _ content: () throws -> [ListSection]
  ) throws {
    self.init(
      list: list, revision: revision, sections: try [ListTree.Section](built: content()))
  }
}

extension [ListTree.Section] {
  /// Built sections in their stored form.
  ///
  /// - Throws: ``ListBuildError``, also if an id occurs twice.
  package init(
    built sections: [ListSection],
    _ requireKnown: ListElement.RequireKnown = { _, _ throws(ItemTypeError) in }
  ) throws(ListBuildError) {
    self = []
    reserveCapacity(sections.count)
    for section in sections { append(try ListTree.Section(built: section, requireKnown)) }
    try checkIDs()
  }

  /// Checks that no two sections and no two items have the same id.
  ///
  /// - Throws: ``ListBuildError`` with the places of both.
  package func checkIDs() throws(ListBuildError) {
    var indexes: [SectionID: Int] = [:]
    var paths: [ItemID: ItemPath] = [:]
    for (index, section) in enumerated() {
      if let other = indexes.updateValue(index, forKey: section.id) {
        throw .duplicateSection(section.id, index: other, otherIndex: index)
      }
      for (offset, item) in section.items.enumerated() {
        let path = ItemPath(section: index, item: offset)
        if let other = paths.updateValue(path, forKey: item.id) {
          throw .duplicateItem(
            item.id, section: self[other.section].id, path: other, otherSection: section.id,
            otherPath: path)
        }
      }
    }
  }
}

extension ListTree.Section {
  /// A built section in its stored form.
  ///
  /// - Throws: ``ListBuildError/invalidItem(_:section:why:)``.
  package init(
    built section: ListSection, _ requireKnown: ListElement.RequireKnown
  ) throws(ListBuildError) {
    self.init(id: section.id, attributes: section.attributes)
    items.reserveCapacity(section.items.count)
    for element in section.items { items.append(try element.item(in: section.id, requireKnown)) }
  }
}
