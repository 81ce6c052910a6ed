import DerivedLists
import ListModel
import TestSupport
import Testing

/// An item of which a store has the content is the same for definitions as one that was read.
@Suite struct StoredItemTests {
  @Test(arguments: 0..<60 as Range<UInt64>)
  func randomDefinitionsAndContents(_ seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    let random = RandomDefinitions(oddPart: seed % 2 == 0 ? 60 : 10)
    let searcher = Searcher(PlainWords())
    for _ in 0..<60 {
      let line = random.definition("d", of: "s", using: &generator)
      let definition = try DerivedDefinition(parsing: Array(line.utf8))
      // A stored item has no id.
      if definition.paths.contains(.id) { continue }
      let content = random.content(using: &generator)
      let type: TypeName? = generator.percent(50) ? "Book" : nil
      let item = Subject(
        id: "i1", state: ItemState(cell: "PlainCell", content: content, type: type), section: "s1",
        searcher)
      var stored = StoredItem(searcher)
      (stored.section, stored.cell) = ("s1", "PlainCell")
      Array(content.text.utf8).withUnsafeBytes { bytes in
        Array((type?.rawValue ?? "").utf8).withUnsafeBytes { name in
          stored.content = StoredJSON(bytes)
          stored.type = type == nil ? nil : name
          for condition in definition.conditions {
            #expect(
              [condition].hold(for: stored) == condition.holds(for: item), "\(line) \(content)")
          }
          let keys = (definition.sortKeys(of: stored), definition.sortKeys(of: item))
          #expect(keys.0 == keys.1, "\(line) \(content)")
          #expect(keys.0.map(\.isRounded) == keys.1.map(\.isRounded), "\(line) \(content)")
          if case .byValue(let term) = definition.sections {
            #expect(definition.sectionValue(of: stored) == item.key(at: term.path))
          }
        }
      }
    }
  }
}
