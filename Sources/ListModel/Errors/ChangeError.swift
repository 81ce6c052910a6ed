/// A change that does not fit the list that it was applied to; the list is then unchanged.
public enum ChangeError: Error, Equatable, Sendable {
  /// No section of this id is in the list.
  case unknownSection(SectionID)
  /// No item of this id is in the list.
  case unknownItem(ItemID)
  /// A section of this id is in the list already, at `index`.
  case duplicateSection(SectionID, index: Int)
  /// An item of this id is in the list already, at `path`.
  case duplicateItem(ItemID, path: ItemPath)
  /// The neighbour that the place names is not in the list, or is the moved section itself.
  case sectionAnchorNotFound(SectionID, anchor: SectionID)
  /// The neighbour that the place names is not in the section, or is the moved item itself.
  case itemAnchorNotFound(ItemID, anchor: ItemID, section: SectionID)
  /// The index is not in `0...count`; `count` leaves out the moved section.
  case sectionIndexOutOfBounds(SectionID, index: Int, count: Int)
  /// The index is not in `0...count` of the section; `count` leaves out the moved item.
  case itemIndexOutOfBounds(ItemID, index: Int, section: SectionID, count: Int)
  /// A layout holds a value that no view could use.
  case invalidLayout(SectionID, problem: String)
  /// A decoration holds a value that no view could use.
  case invalidDecoration(SectionID, index: Int, problem: String)
  /// The content of a gap is not that of a ``Gap``.
  case invalidGap(ItemID, problem: String)
  /// A logged change does not fit the list, because the log and the list have different histories.
  case logMismatch(String)
}

extension ChangeError: CustomStringConvertible {
  /// A sentence with the ids in quotes, and with the indexes that would fit.
  public var description: String {
    switch self {
    case .unknownSection(let id): "there is no section \"\(id)\""
    case .unknownItem(let id): "there is no item \"\(id)\""
    case .duplicateSection(let id, let index):
      "section \"\(id)\" is in the list already, at index \(index)"
    case .duplicateItem(let id, let path):
      "item \"\(id)\" is in the list already, at \(path)"
    case .sectionAnchorNotFound(let id, let anchor):
      id == anchor
        ? "section \"\(id)\" can't be placed next to itself"
        : "section \"\(id)\" can't be placed next to \"\(anchor)\", which is not in the list"
    case .itemAnchorNotFound(let id, let anchor, let section):
      id == anchor
        ? "item \"\(id)\" can't be placed next to itself"
        : "item \"\(id)\" can't be placed next to \"\(anchor)\", "
          + "which is not in section \"\(section)\""
    case .sectionIndexOutOfBounds(let id, let index, let count):
      "section \"\(id)\" can't be placed at index \(index): the list takes 0...\(count)"
    case .itemIndexOutOfBounds(let id, let index, let section, let count):
      "item \"\(id)\" can't be placed at index \(index): section \"\(section)\" takes 0...\(count)"
    case .invalidLayout(let id, let problem): "the layout of section \"\(id)\": \(problem)"
    case .invalidDecoration(let id, let index, let problem):
      "decoration \(index) of section \"\(id)\": \(problem)"
    case .invalidGap(let id, let problem): "the content of gap \"\(id)\": \(problem)"
    case .logMismatch(let problem): "the log does not fit the list: \(problem)"
    }
  }
}
