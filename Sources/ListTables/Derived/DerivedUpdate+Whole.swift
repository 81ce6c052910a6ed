import BatchUpdates
import DerivedLists
import GRDB
import ListModel

extension DerivedUpdate {
  /// Makes the list what its definition says, by the changes that lead there from what it is.
  ///
  /// `isDefined`: Whether that is because it was defined, and not because its source has changed: see
  /// ``fill(isDefined:)``.
  mutating func deriveAnew(isDefined: Bool = false) throws {
    // What goes, and later what comes.
    try redrawPresent()
    if target.sectionTotal == 0 {
      try fill(isDefined: isDefined)
      return try redrawPresent()
    }
    let wanted = try DerivedTree(rule, of: source) {
      Item(id: try ItemID($0.member.name), state: $0.state)
    }
    var states: [ItemID: ItemState] = [:]
    for section in wanted.sections {
      for item in section.items { states[item.id] = item.state }
    }
    let now = try target.uncheckedTree()
    // Borrowed first, so that what stays names rows that the source has.
    for (index, section) in now.sections.enumerated() {
      for (offset, item) in section.items.enumerated() {
        let path = ItemPath(section: index, item: offset)
        let old = try target.tree.member(at: offset, root: target.sectionRow(at: index).root)
        let lent = try source.member(of: item.id)
        if lent?.id != old.id { target.items.note(formerRow: old.id, of: item.id) }
        guard let lent, let state = states[item.id] else { continue }
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
    try redrawPresent()
    try setValues(wanted.counts)
  }

  /// Has views draw those items again that are to be, and that the list has now.
  private mutating func redrawPresent() throws {
    for id in redrawn.sorted() {
      if let path = try target.location(of: id)?.path { try redraw(id, at: path) }
    }
  }

  private func setValues(_ values: [SectionID: [ValueKey: Int]]) throws {
    for (section, values) in values {
      guard let row = try target.sectionRow(section) else { continue }
      try target.statements.setValues(values, ofSection: row.id)
    }
  }

  /// Makes a list without sections what its definition says.
  ///
  /// A long one that is defined has no log of that: no view would animate so much, and it would take as
  /// much room as the list.
  private mutating func fill(isDefined: Bool) throws {
    let wanted = try DerivedTree(rule, of: source) { ($0.member, $0.state) }
    if wanted.sections.isEmpty { return }
    var commit = forcedCommit()
    let count = wanted.sections.reduce(0) { $0 + $1.items.count }
    commit.isLogged = !isDefined || count <= Self.mostLogged
    commit.reserveCapacity(count + wanted.sections.count)
    defer {
      self.commit = commit
      target.lent = nil
    }
    for (index, section) in wanted.sections.enumerated() {
      try commit.apply(.insertSection(section.id, section.attributes, at: index))
      for (offset, (member, state)) in section.items.enumerated() {
        target.lent = member
        let item = Item(id: try ItemID(member.name), state: state)
        try commit.apply(.insertItem(item, at: ItemPath(section: index, item: offset)))
      }
    }
    try setValues(wanted.counts)
  }

  /// The longest list whose making is in its log.
  private static var mostLogged: Int { 10_000 }
}
