package import ListModel

extension ListTree {
  /// The changes that make this tree equal to another when they are applied one after another.
  ///
  /// They are few, but not provably the fewest. Elements that keep their order are left alone, as
  /// are contents with the same meaning.
  ///
  /// `meta`: The other tree's meta; unchanged where none is given.
  /// - Precondition: No id occurs twice in `sections`.
  /// - Complexity: O(*n* log *n*), *n* items and sections in both trees.
  package func changes(
    to sections: [ListTree.Section], meta: FieldUpdate<JSON?> = .unchanged
  ) -> [Change] {
    let newSections = Set(sections.map(\.id))
    let newItems = Set(sections.flatMap { $0.items.map(\.id) })
    var changes: [Change] = []
    for section in self.sections where newSections.contains(section.id) {
      for item in section.items where !newItems.contains(item.id) {
        changes.append(.deleteItem(item.id))
      }
    }
    changes += sectionChanges(to: sections)
    changes += itemChanges(to: sections)
    // Last, because items may move out of a section before it is deleted.
    for section in self.sections where !newSections.contains(section.id) {
      changes.append(.deleteSection(section.id))
    }
    return changes + self.changes(toMeta: meta)
  }

  private func changes(toMeta update: FieldUpdate<JSON?>) -> [Change] {
    var new = self
    update.apply(to: &new.meta)
    return meta.isEquivalent(to: new.meta) ? [] : [.updateList(meta: new.meta)]
  }

  private func sectionChanges(to sections: [ListTree.Section]) -> [Change] {
    var oldIndexes: [SectionID: Int] = [:]
    for (index, section) in self.sections.enumerated() { oldIndexes[section.id] = index }
    let survivors = sections.compactMap { section in
      oldIndexes[section.id].map { (id: section.id, index: $0) }
    }
    let still = Set(
      IncreasingSubsequence.longest(in: survivors.map(\.index)).map { survivors[$0].id })
    var changes: [Change] = []
    var place = Place<SectionID>.start
    for section in sections {
      if let index = oldIndexes[section.id] {
        if !still.contains(section.id) { changes.append(.moveSection(section.id, to: place)) }
        let update = SectionUpdate(
          from: self.sections[index].attributes, to: section.attributes)
        if update != SectionUpdate() { changes.append(.updateSection(section.id, update)) }
      } else {
        changes.append(.insertSection(section.id, section.attributes, at: place))
      }
      place = .after(section.id)
    }
    return changes
  }

  private func itemChanges(to sections: [ListTree.Section]) -> [Change] {
    var old: [ItemID: (section: SectionID, index: Int, state: ItemState)] = [:]
    for section in self.sections {
      for (index, item) in section.items.enumerated() {
        old[item.id] = (section.id, index, item.state)
      }
    }
    var changes: [Change] = []
    for section in sections {
      let stayers = section.items.compactMap { item in
        old[item.id].flatMap { $0.section == section.id ? (id: item.id, index: $0.index) : nil }
      }
      let still = Set(
        IncreasingSubsequence.longest(in: stayers.map(\.index)).map { stayers[$0].id })
      var place = Place<ItemID>.start
      for item in section.items {
        if let before = old[item.id] {
          if !still.contains(item.id) {
            changes.append(.moveItem(item.id, in: section.id, to: place))
          }
          let update = ItemUpdate(from: before.state, to: item.state)
          if update != ItemUpdate() { changes.append(.updateItem(item.id, update)) }
        } else {
          changes.append(.insertItem(item, in: section.id, at: place))
        }
        place = .after(item.id)
      }
    }
    return changes
  }
}
