import ListModel
import TestSupport
import Testing

/// Every change to every small list, against ``NaiveList``.
@Suite struct ExhaustiveChangeTests {
  /// The items of each section: all lists of up to 2 sections of up to 3 items.
  static let shapes: [[Int]] =
    [[]] + (0...3).map { [$0] } + (0...3).flatMap { a in (0...3).map { [a, $0] } }

  /// How many second changes are run for each of ``shapes``: 332,700 together.
  private static let secondChanges = [
    119, 595, 1_458, 3_254, 6_906, 1_694, 3_592, 7_169, 13_782,
    3_592, 7_480, 14_187, 25_550, 7_169, 14_187, 25_488, 43_423,
    13_782, 25_550, 43_423, 70_300,
  ]

  @Test func everySingleChangeAgreesWithTheModel() throws {
    var count = 0
    for shape in Self.shapes {
      let tree = Self.tree(shape)
      for change in Universe(tree).changes(for: tree) {
        count += 1
        _ = try checkedStep(change, on: tree)
      }
    }
    #expect(count == 9_343, "the universe has another size; is that meant?")
  }

  /// Runs all pairs of changes.
  ///
  /// Pairs whose first change fails, or leads to a list that another first
  /// change led to, are covered by one representative each: a second change sees only the list.
  @Test(arguments: zip(shapes, secondChanges))
  func everyPairOfChangesAgreesWithTheModel(shape: [Int], expectedCount: Int) throws {
    let start = Self.tree(shape)
    let universe = Universe(start)
    var reached: Set<ListTree> = [start]
    for first in universe.changes(for: start) {
      if let step = try checkedStep(first, on: start) { reached.insert(step.tree) }
    }
    var count = 0
    for tree in reached {
      for second in universe.changes(for: tree) {
        count += 1
        _ = try checkedStep(second, on: tree)
      }
    }
    #expect(count == expectedCount, "the universe has another size; is that meant?")
  }

  /// Makes sections A and B with items a0, a1, b0 and so on.
  private static func tree(_ shape: [Int]) -> ListTree {
    let sections = zip(["A", "B"] as [SectionID], shape).map { id, count in
      ListTree.Section(
        id: id,
        items: (0..<count).map { index in
          Item(
            id: ItemID(stringLiteral: "\(id.rawValue.lowercased())\(index)"), cell: "Cell",
            content: JSON(stringLiteral: "{\"n\":\(index)}"))
        })
    }
    return ListTree(list: "list", revision: 7, sections: sections)
  }
}

/// The ids of a list and one of each kind that it does not hold, and all changes made of them.
private struct Universe {
  let sections: [SectionID]
  let items: [ItemID]

  init(_ tree: ListTree) {
    sections = tree.sections.map(\.id) + ["X"]
    items = tree.sections.flatMap { $0.items.map(\.id) } + ["x"]
  }

  func changes(for tree: ListTree) -> [Change] {
    var changes: [Change] = [.updateList(meta: "[1]"), .updateList(meta: nil)]
    let sectionPlaces = Self.places(sections, count: tree.sections.count)
    for id in sections {
      changes += [
        .deleteSection(id), .updateSection(id, SectionUpdate(meta: .set("{\"m\":1}"))),
        .updateSection(id, SectionUpdate(layout: .set(SectionLayout(columns: 0)))),
        .insertSection(id, SectionAttributes(layout: SectionLayout(columns: 0))),
      ]
      for place in sectionPlaces {
        changes.append(.moveSection(id, to: place))
        changes.append(.insertSection(id, SectionAttributes(meta: "[1]"), at: place))
      }
    }
    for id in items {
      changes += [
        .deleteItem(id), .touchItem(id), .updateItem(id, ItemUpdate()),
        .updateItem(id, ItemUpdate(content: .set("{\"n\":9}"))),
      ]
    }
    for target in sections {
      let count = tree.sections.first { $0.id == target }?.items.count ?? 0
      for place in Self.places(items, count: count) {
        for id in items {
          changes.append(.moveItem(id, in: target, to: place))
          changes.append(
            .insertItem(Item(id: id, cell: "New", content: "5"), in: target, at: place))
        }
      }
    }
    for section in tree.sections {
      for place in Self.places(items, count: section.items.count) {
        for item in section.items { changes.append(.moveItem(item.id, to: place)) }
      }
    }
    changes.append(.moveItem("x", to: .end))
    return changes
  }

  /// Every form of place: next to every id, itself and the unknown included, and from -1 to one
  /// beyond the count.
  private static func places<ID>(_ ids: [ID], count: Int) -> [Place<ID>] {
    [.start, .end] + ids.map { .after($0) } + ids.map { .before($0) }
      + (-1...(count + 1)).map { .index($0) }
  }
}
