package import ListModel

/// Makes random changes that fit a tree, all kinds of them, from small pools of ids: so ids die and
/// come back, items change sections, and sections go with what is in them.
package struct RandomChanges {
  private let sectionPool: [SectionID]
  private let itemPool: [ItemID]
  private let cells: [CellName] = ["PlainCell", "WideCell", "TallCell"]
  private let hasSectionParts: Bool

  /// `hasSectionParts`: Whether sections are hidden, decorated, and have views of further kinds, and the
  /// list has meta.
  package init(sections: Int = 6, items: Int = 24, hasSectionParts: Bool = false) {
    self.hasSectionParts = hasSectionParts
    sectionPool = (0..<sections).map { SectionID(stringLiteral: "s\($0)") }
    itemPool = (0..<items).map { ItemID(stringLiteral: "i\($0)") }
  }

  /// A change that fits the tree.
  package func change(for tree: ListTree, using generator: inout SeededGenerator) -> Change {
    while true {
      if let change = attempt(tree, &generator), (try? tree.resolve(change).get()) != nil {
        return change
      }
    }
  }

  private func attempt(_ tree: ListTree, _ generator: inout SeededGenerator) -> Change? {
    let sections = tree.sections.map(\.id)
    let items = tree.sections.flatMap { $0.items.map(\.id) }
    switch generator.number(0..<100) {
    case 0..<9:
      let unused = sectionPool.filter { !sections.contains($0) }
      return generator.element(of: unused).map {
        .insertSection($0, attributes(&generator), at: place(among: sections, &generator))
      }
    case 9..<14: return generator.element(of: sections).map { .deleteSection($0) }
    case 14..<22:
      return generator.element(of: sections).map {
        .moveSection($0, to: place(among: sections, &generator))
      }
    case 22..<28:
      return generator.element(of: sections).map { .updateSection($0, sectionUpdate(&generator)) }
    case 28..<55:
      let unused = itemPool.filter { !items.contains($0) }
      guard let id = generator.element(of: unused),
        let section = tree.sections.randomElement(using: &generator)
      else { return nil }
      return .insertItem(
        Item(id: id, state: state(&generator)), in: section.id,
        at: place(among: section.items.map(\.id), &generator))
    case 55..<68: return generator.element(of: items).map { .deleteItem($0) }
    case 68..<86:
      guard let id = generator.element(of: items),
        let target = tree.sections.randomElement(using: &generator)
      else { return nil }
      let stays = generator.percent(40)
      return .moveItem(
        id, in: stays ? nil : target.id, to: place(among: target.items.map(\.id), &generator))
    case 86..<96: return generator.element(of: items).map { .updateItem($0, update(&generator)) }
    case 96..<98 where hasSectionParts: return .updateList(meta: meta(&generator))
    default: return generator.element(of: items).map { .touchItem($0) }
    }
  }

  private func place<Tag>(
    among siblings: [Identifier<Tag>], _ generator: inout SeededGenerator
  ) -> Place<Identifier<Tag>> {
    switch generator.number(0..<5) {
    case 0: return .start
    case 1: return .end
    case 2: return .index(generator.number(0..<(siblings.count + 1)))
    case 3: return generator.element(of: siblings).map { .after($0) } ?? .end
    default: return generator.element(of: siblings).map { .before($0) } ?? .start
    }
  }

  private func meta(_ generator: inout SeededGenerator) -> JSON? {
    generator.percent(70) ? content(&generator) : generator.percent(50) ? .null : nil
  }

  private func content(_ generator: inout SeededGenerator) -> JSON {
    JSON(stringLiteral: "{\"n\":\(generator.number(0..<4))}")
  }

  private func state(_ generator: inout SeededGenerator) -> ItemState {
    ItemState(
      cell: cells[generator.number(0..<cells.count)], content: content(&generator),
      type: generator.percent(20) ? "Book" : nil,
      action: generator.percent(20) ? Action(url: "cellar://\(generator.number(0..<3))") : nil)
  }

  private func update(_ generator: inout SeededGenerator) -> ItemUpdate {
    var update = ItemUpdate()
    if generator.percent(70) { update.content = .set(content(&generator)) }
    if generator.percent(30) { update.cell = .set(cells[generator.number(0..<cells.count)]) }
    if generator.percent(10) { update.type = .set(generator.percent(50) ? "Film" : nil) }
    if generator.percent(10) { update.action = .set(nil) }
    return update
  }

  private func attributes(_ generator: inout SeededGenerator) -> SectionAttributes {
    var attributes = SectionAttributes(
      layout: generator.percent(50)
        ? SectionLayout(
          kind: SectionLayout.Kind.allCases.randomElement(using: &generator),
          columns: generator.number(1..<4),
          insets: generator.percent(50) ? Insets(top: 1, left: 2.5, bottom: 0, right: -1) : nil)
        : nil,
      header: generator.percent(50)
        ? Supplementary(view: "Header", content: content(&generator)) : nil,
      footer: generator.percent(20)
        ? Supplementary(view: "Footer", content: content(&generator)) : nil,
      meta: generator.percent(20) ? content(&generator) : nil)
    guard hasSectionParts else { return attributes }
    if generator.percent(35) {
      attributes.visibility = generator.percent(50) ? .hidden : .hiddenWhenEmpty
    }
    for kind in ["badge", "background", "\u{E9}"] as [Supplementary.Kind]
    where generator.percent(15) {
      attributes[kind] = Supplementary(view: "View", content: content(&generator))
    }
    for _ in 0..<generator.number(0..<3) where generator.percent(40) {
      attributes.decorations.append(decoration(&generator))
    }
    return attributes
  }

  private func decoration(_ generator: inout SeededGenerator) -> Decoration {
    Decoration(
      view: generator.percent(50) ? "Card" : "Line",
      element: generator.element(of: Decoration.Element.allCases) ?? .section,
      zIndex: generator.number(0..<4) - 2,
      insets: generator.percent(50) ? Insets(top: 1, left: 2.5, bottom: 0, right: -1) : nil,
      content: generator.percent(50) ? content(&generator) : .null)
  }

  private func sectionUpdate(_ generator: inout SeededGenerator) -> SectionUpdate {
    let attributes = attributes(&generator)
    var update = SectionUpdate()
    if generator.percent(50) { update.layout = .set(attributes.layout) }
    if generator.percent(50) { update.header = .set(attributes.header) }
    if generator.percent(30) { update.footer = .set(attributes.footer) }
    if generator.percent(30) { update.meta = .set(attributes.meta) }
    guard hasSectionParts else { return update }
    if generator.percent(60) { update.visibility = .set(attributes.visibility) }
    if generator.percent(30) { update.supplementaries = .set(attributes.supplementaries) }
    if generator.percent(30) { update.decorations = .set(attributes.decorations) }
    return update
  }
}
