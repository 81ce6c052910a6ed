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
      if step % 3 == 0 {
        let definition = try DerivedDefinition(parsing: Array(line.utf8))
        query.set((definition, [:]))
        // What an index answers is not asked of the items.
        if seed % 2 == 0, source.revision > 0 {
          for search in definition.searches where !search.readsOutOfContents {
            try repository.keepSearchIndex(of: "s", at: search.paths)
          }
        }
      }
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

  /// An item that is deleted and inserted again in one commit has another row then, also in a derived
  /// list, which has no commit of it: what is known of the order of rows must not be used again.
  @Test func otherRowsWithoutACommit() throws {
    let folder = try TemporaryFolder()
    let repository = try Repository(at: folder.file("store.sqlite"))
    func item(_ id: ItemID) -> Item { Item(id: id, cell: "Cell", content: #"{"title":"red"}"#) }
    try repository.commit(
      [.insertSection("s"), .insertItem(item("a"), in: "s"), .insertItem(item("b"), in: "s")],
      to: "l")
    try repository.keepSearchIndex(of: "l", at: [ValuePath("/title")])
    let list = repository.liveList("l")
    let derived = try list.derived(by: ##"{"derived":"d","of":"l","sort":[{"path":"#id"}]}"##)
    func definition(_ text: String) throws -> DerivedDefinition {
      let line =
        #"{"derived":"p","of":"d","where":[{"paths":["/title"],"matches":"\#(text)"}]}"#
      return try DerivedDefinition(parsing: Array(line.utf8))
    }
    let query = PassingQuery((try definition("red"), [:]))
    let passing = derived.shown.passing(query, types: [FieldItem.self], supplementaryTypes: [])
    #expect(try passing.provider().numberOfItems == 2)
    let revision = try derived.revision()
    try repository.commit(
      [.deleteItem("a"), .insertItem(item("a"), in: "s", at: .start)], to: "l")
    #expect(try derived.revision() == revision)
    query.set((try definition("re"), [:]))
    #expect(try passing.provider().numberOfItems == 2)
  }

  /// Between two selections of one revision nothing is read of the items that both have.
  @Test func updatesBetweenSelectionsOfOneRevision() throws {
    let folder = try TemporaryFolder()
    let repository = try Repository(at: folder.file("store.sqlite"))
    try repository.commit(
      [.insertSection("s"), .insertSection("t")]
        + (0..<9).map { number in
          .insertItem(
            Item(
              id: ItemID(stringLiteral: "i\(number)"), cell: "Cell",
              content: JSON(stringLiteral: #"{"n":\#(number),"k":\#(number * 5 % 9)}"#)),
            in: number < 4 ? "s" : "t")
        }, to: "l")
    let list = repository.liveList("l", policy: UpdatePolicy(proof: .everything))
    let lines = [
      "", #","where":[{"path":"/n","lt":6}]"#, #","where":[{"path":"/n","gt":2}]"#,
      #","sort":[{"path":"/k"}]"#, #","where":[{"path":"/n","gt":2}],"sort":[{"path":"/k"}]"#,
      ##","section":{"path":"#section","keepsEmpty":true}"##, #","section":{"path":"/k"}"#,
      ##","where":[{"path":"/n","lt":4}],"section":{"path":"#section"}"##,
      ##","sort":[{"path":"/k","descending":true}],"section":{"path":"#section"}"##,
    ]
    let definitions = try lines.map { line in
      try DerivedDefinition(parsing: Array(#"{"derived":"p","of":"l"\#(line)}"#.utf8))
    }
    let query = PassingQuery((definitions[0], [:]))
    let passing = list.passing(query, types: [FieldItem.self], supplementaryTypes: [])
    for before in definitions {
      for after in definitions {
        query.set((before, [:]))
        var shown = try passing.provider()
        var view = CheckingView(showing: shown.tree)
        query.set((after, [:]))
        let update = try passing.advance(&shown)
        try view.perform(update, showing: shown.tree)
        let whole = BatchUpdate(
          from: try repository.provider(for: before, number: 0).tree, to: shown.tree,
          hidesSections: false)
        #expect(update.mode == whole.mode, "\(before.json) \(after.json)")
      }
    }
  }
}

extension Search {
  /// Whether no index can have all of its paths.
  fileprivate var readsOutOfContents: Bool {
    paths.contains { path in
      if case .content = path { return false }
      return true
    }
  }
}

extension ListTree {
  fileprivate func item(_ id: ItemID) -> Item? {
    sections.lazy.flatMap(\.items).first { $0.id == id }
  }
}
