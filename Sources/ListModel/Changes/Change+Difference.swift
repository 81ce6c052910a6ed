extension SectionUpdate {
  /// The fields in which a section's attributes differ from its new ones, JSON compared by meaning.
  package init(from old: SectionAttributes, to new: SectionAttributes) {
    self.init()
    if old.layout != new.layout { layout = .set(new.layout) }
    if !SectionAttributes(header: old.header).isEquivalent(to: .init(header: new.header)) {
      header = .set(new.header)
    }
    if !SectionAttributes(footer: old.footer).isEquivalent(to: .init(footer: new.footer)) {
      footer = .set(new.footer)
    }
    if !SectionAttributes(meta: old.meta).isEquivalent(to: .init(meta: new.meta)) {
      meta = .set(new.meta)
    }
    if old.visibility != new.visibility { visibility = .set(new.visibility) }
    if !SectionAttributes(supplementaries: old.supplementaries)
      .isEquivalent(to: .init(supplementaries: new.supplementaries))
    {
      supplementaries = .set(new.supplementaries)
    }
    if !SectionAttributes(decorations: old.decorations)
      .isEquivalent(to: .init(decorations: new.decorations))
    {
      decorations = .set(new.decorations)
    }
  }
}

extension ItemUpdate {
  /// The fields in which an item's state differs from its new one, JSON compared by meaning.
  package init(from old: ItemState, to new: ItemState) {
    self.init()
    if old.cell != new.cell { cell = .set(new.cell) }
    if !old.content.isEquivalent(to: new.content) { content = .set(new.content) }
    if old.type != new.type { type = .set(new.type) }
    var withAction = old
    withAction.action = new.action
    if !old.isEquivalent(to: withAction) { action = .set(new.action) }
  }
}
