import ListModel

/// What taking a commit back must lead to, by the words of its documentation: found list by list
/// and id by id, without the changes that lead there.
struct UndoModel {
  /// The list before the commit, as the commit left it, and as later commits left that.
  let before: ListTree, after: ListTree, now: ListTree
  let entries: [LogEntry]

  /// What is wrong with a list that the commit was taken back from; `nil` if nothing is.
  func problem(with undone: ListTree) -> String? {
    metaProblem(undone) ?? sectionProblem(undone) ?? itemProblem(undone) ?? orderProblem(undone)
  }

  private func metaProblem(_ undone: ListTree) -> String? {
    var expected = now.meta
    setBack(&expected, from: after.meta, to: before.meta)
    return undone.meta == expected ? nil : "meta is \(undone.meta as Any)"
  }

  // MARK: Sections

  private func sectionProblem(_ undone: ListTree) -> String? {
    let (old, new) = (before.sectionsByID, after.sectionsByID)
    let (current, found) = (now.sectionsByID, undone.sectionsByID)
    for id in Set(old.keys).union(new.keys).union(current.keys).union(found.keys) {
      let isThere =
        switch (old[id], new[id]) {
        case (.some, nil): true
        // What the commit inserted goes, unless there is something in it.
        case (nil, .some): current[id] != nil && found[id]?.items.isEmpty == false
        default: current[id] != nil
        }
      if isThere != (found[id] != nil) { return "section \(id) is \(isThere ? "not " : "")there" }
      guard let section = found[id]?.attributes else { continue }
      let expected = attributes(
        old[id]?.attributes, new[id]?.attributes, current[id]?.attributes)
      if section != expected { return "section \(id) is \(section), not \(expected as Any)" }
    }
    return nil
  }

  private func attributes(
    _ old: SectionAttributes?, _ new: SectionAttributes?, _ current: SectionAttributes?
  ) -> SectionAttributes? {
    guard var current else { return old }
    guard let old, let new else { return current }
    setBack(&current.layout, from: new.layout, to: old.layout)
    setBack(&current.header, from: new.header, to: old.header)
    setBack(&current.footer, from: new.footer, to: old.footer)
    setBack(&current.meta, from: new.meta, to: old.meta)
    setBack(&current.visibility, from: new.visibility, to: old.visibility)
    setBack(&current.decorations, from: new.decorations, to: old.decorations)
    for kind in Set(old.supplementaries.keys).union(new.supplementaries.keys) {
      setBack(&current[kind], from: new[kind], to: old[kind])
    }
    return current
  }

  /// Of what later commits changed, nothing is set back.
  private func setBack<Part: Equatable>(_ part: inout Part, from new: Part, to old: Part) {
    if part == new { part = old }
  }

  // MARK: Items

  private func itemProblem(_ undone: ListTree) -> String? {
    let (old, new, current) = (before.itemsByID, after.itemsByID, now.itemsByID)
    let found = undone.itemsByID
    let sections = undone.sectionsByID
    for id in Set(old.keys).union(new.keys).union(current.keys).union(found.keys) {
      var expected = current[id]
      switch (old[id], new[id]) {
      case (.some(let old), nil):
        // What the commit deleted returns, if its section is there.
        if expected == nil, sections[old.section] != nil { expected = old }
      case (nil, .some): expected = nil
      case (.some(let old), .some(let new)):
        guard var item = expected else { break }
        if item.section == new.section, sections[old.section] != nil { item.section = old.section }
        setBack(&item.state.cell, from: new.state.cell, to: old.state.cell)
        setBack(&item.state.content, from: new.state.content, to: old.state.content)
        setBack(&item.state.type, from: new.state.type, to: old.state.type)
        setBack(&item.state.action, from: new.state.action, to: old.state.action)
        expected = item
      case (nil, nil): break
      }
      expected?.state.contentRevision = 0
      var item = found[id]
      item?.state.contentRevision = 0
      if item != expected { return "item \(id) is \(item as Any), not \(expected as Any)" }
    }
    return nil
  }

  // MARK: Order

  private func orderProblem(_ undone: ListTree) -> String? {
    let (touchedSections, touchedItems) = touched
    let order = undone.sections.map(\.id).filter { !touchedSections.contains($0) }
    let expected = now.sections.map(\.id).filter { !touchedSections.contains($0) }
    if order != expected { return "sections stand as \(order), not as \(expected)" }
    let current = now.sectionsByID
    for section in undone.sections {
      let order = section.items.map(\.id).filter { !touchedItems.contains($0) }
      let expected = (current[section.id]?.items.map(\.id) ?? [])
        .filter { !touchedItems.contains($0) }
      if order != expected { return "\(section.id) has \(order), not \(expected)" }
    }
    return neighbourProblem(undone)
  }

  /// What returns stands behind the nearest of those that stood before it and are there.
  private func neighbourProblem(_ undone: ListTree) -> String? {
    let (new, current, found) = (after.itemsByID, now.itemsByID, undone.sectionsByID)
    for section in before.sections {
      let order = found[section.id]?.items.map(\.id) ?? []
      var previous: ItemID?
      for item in section.items.map(\.id) {
        guard let index = order.firstIndex(of: item) else { continue }
        let returns = new[item] == nil && current[item] == nil
        if returns, (index > 0 ? order[index - 1] : nil) != previous {
          return "\(item) does not stand behind \(previous.map { "\($0)" } ?? "nothing")"
        }
        previous = item
      }
    }
    return nil
  }

  /// What the commit's entries are about.
  private var touched: (sections: Set<SectionID>, items: Set<ItemID>) {
    var (sections, items): (Set<SectionID>, Set<ItemID>) = ([], [])
    for entry in entries {
      switch entry {
      case .insertSection(let id, _, _), .moveSection(let id, _, _),
        .updateSection(let id, _, _, _):
        sections.insert(id)
      case .deleteSection(let section, _):
        sections.insert(section.id)
        items.formUnion(section.items.map(\.id))
      case .insertItem(let item, _), .deleteItem(let item, _): items.insert(item.id)
      case .moveItem(let id, _, _), .updateItem(let id, _, _, _): items.insert(id)
      case .updateList, .touchItem: break
      }
    }
    return (sections, items)
  }
}

extension ListTree {
  fileprivate struct Held: Equatable {
    var section: SectionID
    var state: ItemState
  }

  fileprivate var sectionsByID: [SectionID: ListTree.Section] {
    Dictionary(uniqueKeysWithValues: sections.map { ($0.id, $0) })
  }

  fileprivate var itemsByID: [ItemID: Held] {
    Dictionary(
      uniqueKeysWithValues: sections.flatMap { section in
        section.items.map { ($0.id, Held(section: section.id, state: $0.state)) }
      })
  }
}
