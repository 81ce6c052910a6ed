import BatchUpdates
import ListModel

extension Inspection.Difference {
  mutating func compareSections(
    _ old: ListTree, _ new: ListTree, _ detail: Inspection.ContentDetail
  ) {
    func facts(_ section: ListTree.Section) -> Inspection.ContentFacts? {
      .init(section.attributes, detail)
    }
    let before = Dictionary(
      zip(old.sections.map(\.id), old.sections.indices), uniquingKeysWith: { first, _ in first })
    let after = Set(new.sections.map(\.id))
    for (index, section) in old.sections.enumerated() where !after.contains(section.id) {
      sections.append(
        SectionChange(
          section: section.id.rawValue, kinds: [.deleted], from: index, before: facts(section)))
    }
    let moved = Self.moved(new.sections.compactMap { before[$0.id] })
    for (index, section) in new.sections.enumerated() {
      guard let place = before[section.id] else {
        sections.append(
          SectionChange(
            section: section.id.rawValue, kinds: [.inserted], to: index, after: facts(section)))
        continue
      }
      var change = SectionChange(
        section: section.id.rawValue, kinds: moved.contains(place) ? [.moved] : [], from: place,
        to: index)
      if !section.attributes.isEquivalent(to: old.sections[place].attributes) {
        change.kinds.append(.updated)
        (change.before, change.after) = (facts(old.sections[place]), facts(section))
      }
      if !change.kinds.isEmpty { sections.append(change) }
    }
  }

  mutating func compareItems(
    _ old: ListTree, _ new: ListTree, _ detail: Inspection.ContentDetail
  ) {
    var before: [ItemID: ItemPath] = [:]
    old.forEachItem { item, path in before[item.id] = path }
    var after: Set<ItemID> = []
    new.forEachItem { item, _ in after.insert(item.id) }
    old.forEachItem { item, path in
      guard !after.contains(item.id) else { return }
      items.append(
        ItemChange(
          item: item.id.rawValue, kinds: [.deleted], from: old.place(path),
          before: .init(item.state, detail)))
    }
    for (index, section) in new.sections.enumerated() {
      let places = section.items.map { item in
        before[item.id].flatMap { old.sections[$0.section].id == section.id ? $0.item : nil }
      }
      let moved = Self.moved(places.compactMap(\.self))
      for (offset, item) in section.items.enumerated() {
        let to = new.place(ItemPath(section: index, item: offset))
        guard let path = before[item.id] else {
          items.append(
            ItemChange(
              item: item.id.rawValue, kinds: [.inserted], to: to,
              after: .init(item.state, detail)))
          continue
        }
        let isMoved = places[offset].map(moved.contains) ?? true
        let state = old.sections[path.section].items[path.item].state
        var change = ItemChange(
          item: item.id.rawValue, kinds: isMoved ? [.moved] : [], from: old.place(path), to: to)
        if !state.isEquivalent(to: item.state) {
          change.kinds.append(.updated)
          (change.before, change.after) = (.init(state, detail), .init(item.state, detail))
        }
        if !change.kinds.isEmpty { items.append(change) }
      }
    }
  }

  /// The fewest of some places before, in their order after, that must move.
  private static func moved(_ places: [Int]) -> Set<Int> {
    let stays = IncreasingSubsequence.stays(
      places.map { .init(old: $0, count: 1, preference: 0) })
    guard let stays else { return [] }
    return Set(zip(places, stays).lazy.filter { !$0.1 }.map(\.0))
  }
}

extension ListTree {
  fileprivate func forEachItem(_ body: (Item, ItemPath) -> Void) {
    for (index, section) in sections.enumerated() {
      for (offset, item) in section.items.enumerated() {
        body(item, ItemPath(section: index, item: offset))
      }
    }
  }

  fileprivate func place(_ path: ItemPath) -> Inspection.Timeline.Place {
    var place = Inspection.Timeline.Place(path)
    place.section = sections[path.section].id.rawValue
    return place
  }
}
