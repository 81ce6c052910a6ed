import BatchUpdates
import GRDB
import ListModel

extension DerivedUpdate {
  /// Makes the list what its definition says, by the changes that lead there from what it is.
  mutating func deriveAnew(redrawing changed: ChangedItems? = nil) throws {
    let wanted = try DerivedTree(rule, of: source) {
      Item(id: try ItemID($0.name), state: $1)
    }
    var states: [ItemID: ItemState] = [:]
    for section in wanted.sections {
      for item in section.items { states[item.id] = item.state }
    }
    let now = try target.uncheckedTree()
    // Borrowed first, so that what stays names rows that the source has.
    for (index, section) in now.sections.enumerated() {
      for (offset, item) in section.items.enumerated() {
        guard let lent = try source.member(of: item.id), let state = states[item.id] else {
          continue
        }
        let path = ItemPath(section: index, item: offset)
        let old = try target.tree.member(at: offset, root: target.sectionRow(at: index).root)
        guard old.id != lent.id || old.content != lent.content else { continue }
        try target.borrowAnew(
          item.id, at: path, lent, isSame: item.state.isEquivalent(to: state))
      }
    }
    let sections = wanted.sections.map {
      ListTree.Section(id: $0.id, attributes: $0.attributes, items: $0.items)
    }
    for change in now.changes(to: sections) {
      switch try target.resolve(change) {
      case .success(.insertItem(let item, let path)):
        try apply(
          .insertItem(Item(id: item.id, state: states[item.id] ?? item.state), at: path))
      case .success(.updateItem(let id, let path, let before, let after)):
        try apply(
          .updateItem(id, at: path, before: before, after: states[id] ?? after))
      case .success(let entry): try apply(entry)
      case .failure(let error): throw DatabaseError.corrupt("\(error)")
      }
    }
    for id in changed?.order ?? [] where changed?.items[id]?.isTouched == true {
      if let path = try target.location(of: id)?.path { try apply(.touchItem(id, at: path)) }
    }
    for (section, values) in wanted.values {
      guard let row = try target.sectionRow(section) else { continue }
      try target.statements.setValues(values, ofSection: row.id)
    }
  }
}
