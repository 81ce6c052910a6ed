import ListModel

/// The first number of an entry in `change.entries`.
enum LogOperation: Int {
  case insertItem = 1
  case deleteItem = 2
  case moveItem = 3
  case updateItem = 4
  case touchItem = 5
  case insertSection = 6
  case deleteSection = 7
  case moveSection = 8
  case updateSection = 9
  case updateList = 10

  /// Whether it is about one item.
  var isOfItem: Bool {
    switch self {
    case .insertItem, .deleteItem, .moveItem, .updateItem, .touchItem: true
    case .insertSection, .deleteSection, .moveSection, .updateSection, .updateList: false
    }
  }
}

extension LogEntry {
  var operation: LogOperation {
    switch self {
    case .insertItem: .insertItem
    case .deleteItem: .deleteItem
    case .moveItem: .moveItem
    case .updateItem: .updateItem
    case .touchItem: .touchItem
    case .insertSection: .insertSection
    case .deleteSection: .deleteSection
    case .moveSection: .moveSection
    case .updateSection: .updateSection
    case .updateList: .updateList
    }
  }

  /// Where a section or an item was before an entry, and where it is after it; `item` is `nil` for
  /// a section.
  typealias Places = (
    from: (section: Int, item: Int?)?, to: (section: Int, item: Int?)?
  )

  /// The places of its section or item.
  var places: Places {
    switch self {
    case .insertItem(_, let path): (nil, (path.section, path.item))
    case .deleteItem(_, let path), .updateItem(_, let path, _, _), .touchItem(_, let path):
      ((path.section, path.item), nil)
    case .moveItem(_, let from, let to): ((from.section, from.item), (to.section, to.item))
    case .insertSection(_, _, let index): (nil, (index, nil))
    case .deleteSection(_, let index), .updateSection(_, let index, _, _): ((index, nil), nil)
    case .moveSection(_, let from, let to): ((from, nil), (to, nil))
    case .updateList: (nil, nil)
    }
  }
}
