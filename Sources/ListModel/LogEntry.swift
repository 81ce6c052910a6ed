/// A change as it happened: with the paths that it had at that moment and the state before it, so
/// that it can be replayed without looking anything up, and undone.
///
/// Paths and indexes named `from` or `at` of a delete or an update count in the list before this
/// entry; `to` and `at` of an insert count in the list after it.
public enum LogEntry: Hashable, Sendable {
  case insertSection(SectionID, SectionAttributes, at: Int)
  /// The section as it was, its items included.
  case deleteSection(Section, at: Int)
  case moveSection(SectionID, from: Int, to: Int)
  case updateSection(SectionID, at: Int, before: SectionAttributes, after: SectionAttributes)
  case insertItem(Item, at: ItemPath)
  case deleteItem(Item, at: ItemPath)
  case moveItem(ItemID, from: ItemPath, to: ItemPath)
  case updateItem(ItemID, at: ItemPath, before: ItemState, after: ItemState)
  case touchItem(ItemID, at: ItemPath)
}

extension LogEntry {
  /// The entries that lead back to the list before this one, in the order in which they apply.
  ///
  /// One entry, but for a deleted section: first the section, then its items.
  package var inverse: [LogEntry] {
    switch self {
    case .insertSection(let id, let attributes, let index):
      return [.deleteSection(Section(id: id, attributes: attributes), at: index)]
    case .deleteSection(let section, let index):
      let items = section.items.enumerated().map { offset, item in
        LogEntry.insertItem(item, at: ItemPath(section: index, item: offset))
      }
      return [.insertSection(section.id, section.attributes, at: index)] + items
    case .moveSection(let id, let from, let to): return [.moveSection(id, from: to, to: from)]
    case .updateSection(let id, let index, let before, let after):
      return [.updateSection(id, at: index, before: after, after: before)]
    case .insertItem(let item, let path): return [.deleteItem(item, at: path)]
    case .deleteItem(let item, let path): return [.insertItem(item, at: path)]
    case .moveItem(let id, let from, let to): return [.moveItem(id, from: to, to: from)]
    case .updateItem(let id, let path, let before, let after):
      return [.updateItem(id, at: path, before: after, after: before)]
    case .touchItem: return [self]
    }
  }
}

/// The changes of one transaction of a list.
public struct Commit: Hashable, Sendable {
  /// The list that was changed.
  public let list: ListID
  /// The list's revision after this commit: 1 for its first, then +1 each.
  public let revision: Int
  /// Who made it.
  public let author: Author
  /// When it was made, in milliseconds since 1970.
  ///
  /// Informative: nothing is ordered by it.
  public let time: Int?
  /// In the order in which they happened.
  public let entries: [LogEntry]

  package init(list: ListID, revision: Int, author: Author, time: Int?, entries: [LogEntry]) {
    self.list = list
    self.revision = revision
    self.author = author
    self.time = time
    self.entries = entries
  }
}

/// Who wrote a commit: the app, a widget, a feed.
///
/// 1 to 64 bytes of UTF-8 without U+0000.
public struct Author: Hashable, Sendable, CustomStringConvertible {
  /// The name as it was given.
  public let name: String

  /// - Throws: ``FormatError`` if the name is empty, longer than 64 bytes or contains U+0000.
  public init(_ name: String) throws(FormatError) {
    guard (1...64).contains(name.utf8.count), !name.utf8.contains(0) else {
      throw FormatError("an author is 1 to 64 bytes of UTF-8 without U+0000")
    }
    self.name = name
  }

  private init(known name: String) { self.name = name }

  /// The app itself.
  public static let app = Author(known: "app")
  /// A feed whose lines name no author.
  public static let feed = Author(known: "feed")

  /// Compares bytes of UTF-8.
  public static func == (lhs: Author, rhs: Author) -> Bool { lhs.name.hasSameBytes(as: rhs.name) }
  /// Hashes bytes of UTF-8.
  public func hash(into hasher: inout Hasher) { hasher.combine(bytesOf: name) }
  /// The name itself.
  public var description: String { name }
}
