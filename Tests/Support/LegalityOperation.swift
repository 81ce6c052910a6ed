/// One operation of a stage, so that stages can be made from lists of operations.
package enum LegalityOperation: Hashable, CustomStringConvertible {
  case deleteSection(Int)
  case insertSection(Int)
  case moveSection(Int, Int)
  case reloadSection(Int)
  case updateSection(Int)
  case deleteItem(Int, Int)
  case insertItem(Int, Int)
  case moveItem(Int, Int, to: Int, Int)
  case reloadItem(Int, Int)
  case reconfigureItem(Int, Int)

  package var description: String {
    switch self {
    case .deleteSection(let section): "DS\(section)"
    case .insertSection(let section): "IS\(section)"
    case .moveSection(let from, let to): "MS\(from)→\(to)"
    case .reloadSection(let section): "RS\(section)"
    case .updateSection(let section): "US\(section)"
    case .deleteItem(let section, let item): "D\(section),\(item)"
    case .insertItem(let section, let item): "I\(section),\(item)"
    case .moveItem(let section, let item, let toSection, let toItem):
      "M\(section),\(item)→\(toSection),\(toItem)"
    case .reloadItem(let section, let item): "R\(section),\(item)"
    case .reconfigureItem(let section, let item): "C\(section),\(item)"
    }
  }
}
