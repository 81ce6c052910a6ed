package import BatchUpdates
package import ListModel

/// A view without a screen that checks batch updates.
///
/// It keeps cells as a collection view does. It refuses a batch update that would make a collection
/// view raise, show a wrong or an outdated cell, or lose a cell. It compares every cell, so it is
/// for tests and demonstrations.
package struct CheckingView: Sendable {
  /// The sections with their cells.
  private var sections: [ShownSection]
  /// How many stages it has performed.
  package private(set) var performedStages = 0
  /// How many cells it has made; moved and reconfigured ones don't count.
  package private(set) var madeCells = 0

  private struct ShownSection {
    /// `nil` from the insertion to the end of the update: a view does not know ids.
    var id: SectionID?
    var attributes: SectionAttributes?
    var cells: [Cell]

    init(_ section: ListTree.Section) {
      id = section.id
      attributes = section.attributes
      cells = section.items.map { Cell(item: $0) }
    }

    /// A section that was just inserted.
    init() { cells = [] }
  }

  private struct Cell {
    /// `nil` from the insertion to the end of the update.
    var item: Item?
    var isMarkedForReload = false
    var isMarkedForReconfigure = false
  }

  /// The reason why an update is wrong.
  package struct Refusal: Error, Equatable, Sendable, CustomStringConvertible {
    /// The error, its place and its stage.
    package let description: String

    package init(_ description: String) { self.description = description }
  }

  /// Shows a list.
  package init(showing tree: ListTree) {
    sections = tree.sections.map(ShownSection.init)
    madeCells = tree.sections.reduce(0) { $0 + $1.items.count }
  }

  /// Performs an update and checks that the view then shows a list.
  ///
  /// - Parameters:
  ///   - update: The batch update.
  ///   - tree: The list after the update.
  ///   - reinserted: Sections that were deleted and inserted again. To the view they are new
  ///     sections.
  /// - Throws: ``Refusal``. Do not use the view after that.
  /// - Complexity: O(*n*) a stage, *n* items.
  package mutating func perform(
    _ update: BatchUpdate, showing tree: ListTree, reinserted: Set<SectionID> = []
  ) throws(Refusal) {
    switch update.mode {
    case .none: break
    case .reload: self = CheckingView(showing: tree, after: self)
    case .batch(let stages):
      let items = Set(tree.sections.flatMap { $0.items.map(\.id) })
      let before = identities(without: reinserted)
      for (index, stage) in stages.enumerated() {
        do throws(Refusal) {
          try perform(stage)
          try checkNoDeadCells(items)
        } catch {
          throw Refusal("stage \(index + 1) of \(stages.count): \(error)")
        }
      }
      try settle(tree, before: before)
    }
    try compare(with: tree)
  }

  private init(showing tree: ListTree, after view: CheckingView) {
    self.init(showing: tree)
    performedStages = view.performedStages
    madeCells += view.madeCells
  }

  // MARK: A stage

  private mutating func perform(_ stage: Stage) throws(Refusal) {
    let verdict = LegalityCheck.verdict(
      of: stage, before: SectionCounts(sections.map(\.cells.count)), after: stage.counts)
    guard verdict.outcome == .ok else { throw Refusal(verdict.message) }
    performedStages += 1
    try mark(stage)
    guard stage.isStructural else { return }

    // Removes deleted and moved cells from the back, so that the other indexes before stay valid.
    var moved: [ItemPath: Cell] = [:]
    let sources = Dictionary(
      stage.moveItems.map { ($0.from, $0.to) }, uniquingKeysWith: { first, _ in first })
    for path in (stage.deleteItems + sources.keys).sorted(by: >) {
      let cell = sections[path.section].cells.remove(at: path.item)
      if let target = sources[path] { moved[target] = cell }
    }
    var movedSections: [Int: ShownSection] = [:]
    let sectionTargets = Dictionary(
      stage.moveSections.map { ($0.from, $0.to) }, uniquingKeysWith: { first, _ in first })
    for index in (stage.deleteSections + sectionTargets.keys).sorted(by: >) {
      let section = sections.remove(at: index)
      if let target = sectionTargets[index] { movedSections[target] = section }
    }

    // Inserts from the front, so that each index after is right at once.
    for index in stage.insertSections { movedSections[index] = ShownSection() }
    for (index, section) in movedSections.sorted(by: { $0.key < $1.key }) {
      guard index <= sections.count else { throw Refusal("no section can come to \(index)") }
      sections.insert(section, at: index)
    }
    for path in stage.insertItems where !stage.insertSections.contains(path.section) {
      moved[path] = Cell()
      madeCells += 1
    }
    for (path, cell) in moved.sorted(by: { $0.key < $1.key }) {
      guard sections.indices.contains(path.section),
        path.item <= sections[path.section].cells.count
      else { throw Refusal("no item can come to \(path)") }
      sections[path.section].cells.insert(cell, at: path.item)
    }
    for index in stage.insertSections {
      sections[index].cells = (0..<stage.counts[index]).map { _ in Cell() }
      madeCells += stage.counts[index]
    }
    let counts = SectionCounts(sections.map(\.cells.count))
    guard counts == stage.counts else {
      throw Refusal("shows \(counts) items, the stage says \(stage.counts)")
    }
  }

  private mutating func mark(_ stage: Stage) throws(Refusal) {
    for path in stage.reloadItems {
      sections[path.section].cells[path.item].isMarkedForReload = true
    }
    for path in stage.reconfigureItems {
      sections[path.section].cells[path.item].isMarkedForReconfigure = true
    }
    for index in stage.updateSections { sections[index].attributes = nil }
  }

  /// Checks that the list after the update has the item of each cell.
  ///
  /// It must have them from the first stage on, because the view gets all contents from that list.
  private func checkNoDeadCells(_ items: Set<ItemID>) throws(Refusal) {
    for (section, shown) in sections.enumerated() {
      for (index, cell) in shown.cells.enumerated() {
        if let id = cell.item?.id, !items.contains(id) {
          throw Refusal("[\(section), \(index)] still shows \"\(id)\", which is gone")
        }
      }
    }
  }

  // MARK: After the last stage

  /// Gives new cells their items, and new contents to those that are reloaded or reconfigured.
  private mutating func settle(
    _ tree: ListTree, before: (sections: Set<SectionID>, items: [ItemID: SectionID])
  ) throws(Refusal) {
    let counts = sections.map(\.cells.count)
    guard counts == tree.itemCounts else {
      throw Refusal("ends with \(counts) items, the list has \(tree.itemCounts)")
    }
    let survivingSections = before.sections.intersection(tree.sections.map(\.id))
    for (index, section) in tree.sections.enumerated() {
      let isNew = sections[index].id == nil
      if isNew, before.sections.contains(section.id) {
        throw Refusal("section \"\(section.id)\" was made anew, but it had been there")
      }
      if isNew { sections[index].id = section.id }
      if sections[index].attributes == nil { sections[index].attributes = section.attributes }
      for (offset, item) in section.items.enumerated() {
        let cell = sections[index].cells[offset]
        if cell.item == nil, let old = before.items[item.id], survivingSections.contains(old),
          !isNew
        {
          throw Refusal("item \"\(item.id)\" lost its cell at [\(index), \(offset)]")
        }
        if cell.isMarkedForReconfigure, cell.item?.state.cell != item.state.cell {
          throw Refusal("\"\(item.id)\" needs another cell, which reconfiguring does not give")
        }
        if cell.isMarkedForReload { madeCells += 1 }
        if cell.item == nil
          || (cell.item?.id == item.id
            && (cell.isMarkedForReload || cell.isMarkedForReconfigure))
        {
          sections[index].cells[offset] = Cell(item: item)
        }
      }
    }
  }

  /// Checks that every cell shows the list's item at its path.
  private func compare(with tree: ListTree) throws(Refusal) {
    guard sections.count == tree.sections.count else {
      throw Refusal("shows \(sections.count) sections, the list has \(tree.sections.count)")
    }
    for (index, section) in tree.sections.enumerated() {
      let shown = sections[index]
      guard shown.id == section.id else {
        throw Refusal("section \(index) is \"\(section.id)\", but another one is shown there")
      }
      guard shown.attributes?.looksTheSame(as: section.attributes) == true else {
        throw Refusal("section \"\(section.id)\" still has its old layout, header or footer")
      }
      for (offset, item) in section.items.enumerated() {
        guard shown.cells.indices.contains(offset), shown.cells[offset].item?.id == item.id else {
          throw Refusal("[\(index), \(offset)] shows another item than \"\(item.id)\"")
        }
        guard shown.cells[offset].item?.state.isEquivalent(to: item.state) == true else {
          throw Refusal("\"\(item.id)\" at [\(index), \(offset)] shows its old content")
        }
      }
    }
  }

  /// The ids of the sections, and the section of each item.
  private func identities(
    without gone: Set<SectionID>
  ) -> (sections: Set<SectionID>, items: [ItemID: SectionID]) {
    var items: [ItemID: SectionID] = [:]
    for section in sections {
      guard let id = section.id, !gone.contains(id) else { continue }
      for cell in section.cells { if let item = cell.item { items[item.id] = id } }
    }
    return (Set(sections.compactMap(\.id)).subtracting(gone), items)
  }
}
