import BatchUpdates
import DerivedLists
import Foundation
import ListItems
import ListModel
import ListStore
import Providers
import TestSupport
import Testing

@testable import ListSync

/// Lists that are derived for a while are what their definitions say, and the updates between them lead
/// from each to the next.
@Suite struct PassingListTests {
  @Test(arguments: 0..<40 as Range<UInt64>)
  func randomDefinitionsOverRandomCommits(_ seed: UInt64) throws {
    let folder = try TemporaryFolder()
    let repository = try Repository(at: folder.file("store.sqlite"))
    var generator = SeededGenerator(seed: seed)
    let definitions = RandomDefinitions(oddPart: seed % 3 == 0 ? 15 : 0)
    let changes = RandomChanges(sections: 5, items: 20)
    var source = ListTree(list: "s")
    let list = repository.liveList("s", policy: UpdatePolicy(proof: .everything))
    let definition = try DerivedDefinition(
      parsing: Array(definitions.definition("passing", of: "s", using: &generator).utf8))
    let query = PassingQuery((definition, [:]))
    let passing = list.passing(query, types: [FieldItem.self], supplementaryTypes: [])
    var shown = try passing.provider()
    var view = CheckingView(showing: shown.tree)
    var batches = 0
    for step in 0..<40 {
      if generator.percent(70) {
        var change = changes.change(for: source, using: &generator)
        if case .insertItem(var item, let section, let place) = change {
          item.state.content = definitions.content(using: &generator)
          if generator.oneIn(12) { item.state.cell = "#gap" }
          change = .insertItem(item, in: section, at: place)
        }
        if case .updateItem(let id, var update) = change, generator.percent(80) {
          update.content = .set(definitions.content(using: &generator))
          change = .updateItem(id, update)
        }
        try source.apply(change)
        try repository.commit([change], to: "s")
        source.revision += 1
      }
      let line = definitions.definition("passing", of: "s", using: &generator)
      if step % 3 == 0 { query.set((try DerivedDefinition(parsing: Array(line.utf8)), [:])) }
      let update = try passing.advance(&shown)
      if case .batch = update.mode { batches += 1 }
      let before = view
      do { try view.perform(update, showing: shown.tree) } catch {
        Issue.record("seed \(seed), step \(step): \(error) \(update)")
        view = before
      }
      let oracle = try DerivedOracle(query.current.definition.definition.json.text)
      let wanted = source.revision == 0 ? ListTree(list: "s") : oracle.tree(of: source)
      #expect(shown.tree.sections.map(\.id) == wanted.sections.map(\.id), "\(seed), \(step)")
      #expect(
        shown.tree.sections.map { $0.items.map(\.id) }
          == wanted.sections.map { $0.items.map(\.id) }, "\(seed), \(step)")
      for (section, items) in shown.tree.sections.enumerated() {
        for (index, item) in items.items.enumerated() {
          let path = ItemPath(section: section, item: index)
          #expect(shown.path(of: item.id) == path)
          #expect(shown.item(at: path)?.state == source.item(item.id)?.state)
        }
      }
      // Nothing is made anew that is the same.
      #expect(try passing.advance(&shown).mode == .none)
    }
    #expect(batches > 3)
  }
}

extension ListTree {
  fileprivate func item(_ id: ItemID) -> Item? {
    sections.lazy.flatMap(\.items).first { $0.id == id }
  }
}
