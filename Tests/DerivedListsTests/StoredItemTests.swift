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
          if let path = definition.sectionPath {
            #expect(stored.key(at: path) == item.key(at: path))
          }
        }
      }
    }
  }

  /// Keys in columns say of many items what the items themselves say.
  @Test(arguments: 0..<60 as Range<UInt64>)
  func columnsOfRandomContents(_ seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    let random = RandomDefinitions(oddPart: seed % 2 == 0 ? 0 : 10)
    let searcher = Searcher(PlainWords())
    var answered = 0
    for _ in 0..<60 {
      let line = random.definition("d", of: "s", using: &generator)
      let definition = try DerivedDefinition(parsing: Array(line.utf8))
      guard definition.searches.isEmpty, definition.paths.allSatisfy(\.isStored) else { continue }
      let contents = (0..<generator.below(6)).map { _ in random.content(using: &generator) }
      var columns: [ValuePath: KeyColumn] = [:]
      for path in Set(definition.paths) {
        var column = KeyColumn(count: 6)
        for content in contents {
          Array(content.text.utf8).withUnsafeBytes { bytes in
            var stored = StoredItem(searcher)
            stored.content = StoredJSON(bytes)
            column.append(stored, at: path)
          }
        }
        columns[path] = column
      }
      guard columns.values.allSatisfy(\.isUsable) else { continue }
      let items = contents.map { content in
        Subject(
          id: "i1", state: ItemState(cell: Gap.cell, content: content),
          section: DerivedDefinition.onlySection, searcher)
      }
      answered += 1
      #expect(
        definition.conditions.answers(contents.count, in: columns)
          == items.map { item in definition.conditions.allSatisfy { $0.holds(for: item) } },
        "\(line) \(contents)")
      for (index, item) in items.enumerated() {
        let (keys, wanted) = (
          definition.sortKeys { columns[$0]?[index] ?? .null }, definition.sortKeys(of: item)
        )
        #expect(keys == wanted && keys.map(\.isRounded) == wanted.map(\.isRounded))
      }
    }
    #expect(answered > 5)
  }

  @Test func columnsLeaveOutWhatIsNoScalarOrIsLong() throws {
    func column(_ contents: String...) -> KeyColumn {
      var column = KeyColumn(count: contents.count)
      for content in contents {
        Array(content.utf8).withUnsafeBytes { bytes in
          var item = StoredItem(Searcher(PlainWords()))
          item.content = StoredJSON(bytes)
          column.append(item, at: .content([]))
        }
      }
      return column
    }
    #expect(column("1", "null", #""a\u00e4""#, "1.5", "true").isUsable)
    #expect(!column("1", "[]").isUsable)
    #expect(!column("{}").isUsable)
    // It has no key, and yet it is there.
    #expect(!column(#""\ud800""#, "1").isUsable)
    #expect(column("\"\(String(repeating: "x", count: 62))\"").isUsable)
    #expect(!column("\"\(String(repeating: "x", count: 63))\"").isUsable)
  }
}
