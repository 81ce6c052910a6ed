import ListModel
import Providers

/// The questions that a change asks, answered by a list in memory.
struct ServedLookup: ListLookup {
  private let list: Provider

  init(_ list: Provider) { self.list = list }

  func listMeta() -> JSON? { list.meta }

  func sectionCount() -> Int { list.numberOfSections }

  func sectionID(at index: Int) -> SectionID {
    guard let id = list.sectionID(at: index) else { missing("section \(index)") }
    return id
  }

  func sectionIndex(of id: SectionID) -> Int? { list.index(of: id) }

  func attributes(ofSection id: SectionID, at index: Int) -> SectionAttributes {
    guard let attributes = list.attributes(ofSection: index) else { missing("section \(index)") }
    return attributes
  }

  func section(_ id: SectionID, at index: Int) -> ListTree.Section {
    guard let section = list.section(at: index) else { missing("section \(index)") }
    return section
  }

  func itemCount(inSection id: SectionID, at index: Int) -> Int {
    list.numberOfItems(inSection: index)
  }

  func itemID(at path: ItemPath) -> ItemID {
    guard let id = list.itemID(at: path) else { missing("item \(path)") }
    return id
  }

  func location(of id: ItemID) -> ItemLocation? {
    list.path(of: id).map {
      ItemLocation(section: sectionID(at: $0.section), path: $0)
    }
  }

  func state(of id: ItemID, at path: ItemPath) -> ItemState {
    guard let item = list.item(at: path) else { missing("item \(path)") }
    return item.state
  }

  // A server's list is whole.
  func gapCount() -> Int { 0 }
  func gapIDs() -> [ItemID] { [] }

  func isGap(at path: ItemPath) -> Bool { false }

  /// Whoever asks has got the index or path from this list.
  private func missing(_ what: String) -> Never {
    preconditionFailure("list \"\(list.list)\" has no \(what)")
  }
}
