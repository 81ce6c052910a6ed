import Foundation
import HeadlessUIKit
import TestSupport
import Testing

/// Random batches that are legal, with scrolling in between, against a list of names.
@MainActor @Suite struct RandomBatchTests {
  struct Edit {
    var after: Shelf
    var deleteSections = IndexSet()
    var insertSections = IndexSet()
    var moveSections: [(Int, Int)] = []
    var deletes: [IndexPath] = []
    var inserts: [IndexPath] = []
    var moves: [(IndexPath, IndexPath)] = []
  }

  /// Takes a list apart and puts it together anew; says what it did in paths before and after.
  static func edit(_ before: Shelf, _ random: inout SeededGenerator, _ name: inout Int) -> Edit {
    var edit = Edit(after: before)
    let touchesSections = random.percent(40)
    var stays: [Shelf.Section] = []
    var moving: [(Int, Shelf.Section)] = []
    var inMotion: [(IndexPath, Shelf.Book)] = []
    for (index, section) in before.sections.enumerated() {
      if touchesSections, random.percent(15) {
        edit.deleteSections.insert(index)
        continue
      }
      if touchesSections, random.percent(20) {
        moving.append((index, section))
        continue
      }
      var section = section
      section.books = []
      for (item, book) in before.sections[index].books.enumerated() {
        if random.percent(8) {
          edit.deletes.append(at(index, item))
        } else if !touchesSections, random.percent(12) {
          inMotion.append((at(index, item), book))
        } else {
          section.books.append(book)
        }
      }
      stays.append(section)
    }
    var sections = stays
    for (_, section) in moving {
      sections.insert(section, at: random.number(0..<sections.count + 1))
    }
    if touchesSections || sections.isEmpty {
      for _ in 0..<random.number(1..<3) {
        name += 1
        var section = Shelf.Section(id: "S\(name)", books: [])
        for _ in 0..<random.number(0..<4) {
          name += 1
          section.books.append(.init(id: "N\(name)"))
        }
        sections.insert(section, at: random.number(0..<sections.count + 1))
      }
    }
    let staying = Set(stays.map(\.id))
    let open = sections.indices.filter { staying.contains(sections[$0].id) }
    var born: Set<String> = []
    func put(_ book: Shelf.Book) -> Bool {
      guard let section = random.element(of: open) else { return false }
      let slot = random.number(0..<sections[section].books.count + 1)
      sections[section].books.insert(book, at: slot)
      return true
    }
    for (_, book) in inMotion { _ = put(book) }
    for _ in 0..<random.number(0..<4) {
      name += 1
      if put(.init(id: "N\(name)")) { born.insert("N\(name)") }
    }
    edit.after = Shelf([])
    edit.after.sections = sections
    let oldIndex = Dictionary(uniqueKeysWithValues: moving.map { ($0.1.id, $0.0) })
    let source = Dictionary(uniqueKeysWithValues: inMotion.map { ($0.1.id, $0.0) })
    let known = Set(before.sections.map(\.id))
    for (index, section) in sections.enumerated() {
      if !known.contains(section.id) { edit.insertSections.insert(index) }
      if let old = oldIndex[section.id] { edit.moveSections.append((old, index)) }
      for (item, book) in section.books.enumerated() where staying.contains(section.id) {
        if born.contains(book.id) { edit.inserts.append(at(index, item)) }
        if let path = source[book.id] { edit.moves.append((path, at(index, item))) }
      }
    }
    return edit
  }

  @Test(arguments: 0..<30) func collectionViewShowsWhatTheListHolds(_ seed: Int) throws {
    var random = SeededGenerator(seed: UInt64(seed))
    var name = 0
    let screen = ShelfScreen((0..<random.number(1..<5)).map { _ in random.number(0..<6) })
    let view = screen.view
    for step in 0..<60 {
      let edit = Self.edit(screen.shelf, &random, &name)
      let before = Dictionary(
        uniqueKeysWithValues: view.indexPathsForVisibleItems.map {
          (screen.shelf[$0].id, view.cellForItem(at: $0))
        })
      view.performBatchUpdates {
        screen.shelf = edit.after
        view.deleteSections(edit.deleteSections)
        view.insertSections(edit.insertSections)
        for (from, to) in edit.moveSections { view.moveSection(from, toSection: to) }
        for (from, to) in edit.moves.reversed() { view.moveItem(at: from, to: to) }
        view.insertItems(at: edit.inserts)
        view.deleteItems(at: edit.deletes)
      }
      try expectAgreement(screen, "seed \(seed), step \(step)")
      for path in view.indexPathsForVisibleItems {
        guard let old = before[screen.shelf[path].id] else { continue }
        #expect(old === view.cellForItem(at: path), "seed \(seed), step \(step)")
      }
      if random.percent(50) { view.headless.finishAnimations() }
      try changeContent(screen, &random)
      if random.percent(60) {
        view.headless.scroll(to: CGPoint(x: 0, y: random.number(0..<200)))
        try expectAgreement(screen, "seed \(seed), step \(step), scrolled")
      }
      if random.percent(5) {
        view.reloadData()
        view.layoutIfNeeded()
      }
    }
    view.headless.finishAnimations()
    let counts = view.headless.cells
    #expect(counts.onDisplay == view.visibleCells.count)
    #expect(counts.dequeued == counts.created + counts.reused)
    #expect(counts.bound == counts.dequeued)
    #expect(counts.displayed == counts.bound + counts.returned)
    #expect(view.headless.aliveCells == counts.created)
    #expect(
      view.headless.aliveCells == view.visibleCells.count + view.headless.waitingCells
        + view.headless.keptCells)
    #expect(counts.reused > counts.created)
  }

  /// Changes what some items show; a stale cell would raise and end the process.
  private func changeContent(_ screen: ShelfScreen, _ random: inout SeededGenerator) throws {
    let all = screen.shelf.sections.indices.flatMap { section in
      screen.shelf.sections[section].books.indices.map { at(section, $0) }
    }
    let changed = all.filter { _ in random.percent(20) }
    for path in changed { screen.shelf[path].version += 1 }
    let (reloaded, reconfigured) = (
      changed.filter { $0.item % 2 == 0 }, changed.filter { $0.item % 2 == 1 }
    )
    screen.view.performBatchUpdates {
      screen.view.reloadItems(at: reloaded)
      screen.view.reconfigureItems(at: reconfigured)
    }
  }

  private func expectAgreement(_ screen: ShelfScreen, _ note: String) throws {
    let view = screen.view
    #expect(view.numberOfSections == screen.shelf.sections.count, "\(note)")
    // Five lines of 20 points fit; another one shows where the offset is between two.
    let all = screen.shelf.sections.indices.flatMap { section in
      screen.shelf.sections[section].books.indices.map { at(section, $0) }
    }
    let top = view.contentOffset.y
    let visible = all.enumerated().filter { index, _ in
      let start = CGFloat(index) * 20
      return start < top + 100 && start + 20 > top
    }.map(\.element)
    #expect(view.indexPathsForVisibleItems.sorted() == visible, "\(note)")
    for path in visible {
      #expect(screen.cell(path)?.headlessContent == screen.shelf[path].content, "\(note)")
    }
    #expect(view.contentSize.height == CGFloat(all.count) * 20, "\(note)")
  }

  @Test(arguments: 0..<15) func tableViewShowsWhatTheListHolds(_ seed: Int) {
    var random = SeededGenerator(seed: UInt64(seed))
    var name = 0
    let screen = TableScreen((0..<random.number(1..<5)).map { _ in random.number(0..<6) })
    let view = screen.view
    for step in 0..<60 {
      let edit = Self.edit(screen.shelf, &random, &name)
      let before = Dictionary(
        uniqueKeysWithValues: (view.indexPathsForVisibleRows ?? []).map {
          (screen.shelf[$0].id, view.cellForRow(at: $0))
        })
      view.beginUpdates()
      screen.shelf = edit.after
      view.deleteSections(edit.deleteSections, with: .none)
      view.insertSections(edit.insertSections, with: .none)
      for (from, to) in edit.moveSections { view.moveSection(from, toSection: to) }
      for (from, to) in edit.moves.reversed() { view.moveRow(at: from, to: to) }
      view.insertRows(at: edit.inserts, with: .none)
      view.deleteRows(at: edit.deletes, with: .none)
      view.endUpdates()
      for path in view.indexPathsForVisibleRows ?? [] {
        guard let old = before[screen.shelf[path].id] else { continue }
        #expect(old === view.cellForRow(at: path), "seed \(seed), step \(step)")
      }
      if random.percent(60) { view.headless.scroll(to: CGPoint(x: 0, y: random.number(0..<200))) }
      let all = screen.shelf.sections.indices.flatMap { section in
        screen.shelf.sections[section].books.indices.map { at(section, $0) }
      }
      let top = view.contentOffset.y
      let visible = all.enumerated().filter { index, _ in
        let start = CGFloat(index) * 20
        return start < top + 100 && start + 20 > top
      }.map(\.element)
      #expect(view.indexPathsForVisibleRows == visible, "seed \(seed), step \(step)")
      for path in visible {
        let cell = view.cellForRow(at: path) as? BookRow
        #expect(cell?.headlessContent == screen.shelf[path].content, "seed \(seed), step \(step)")
      }
    }
    view.headless.finishAnimations()
    let counts = view.headless.cells
    #expect(counts.onDisplay == view.visibleCells.count)
    #expect(counts.bound == counts.dequeued && counts.displayed == counts.bound)
    #expect(view.headless.aliveCells == view.visibleCells.count + view.headless.waitingCells)
  }
}
