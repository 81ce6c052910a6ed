import Foundation
import ListInspection
import ListModel
import ListStore
import StoreSchema
import TestSupport
import Testing

/// A store to damage, and what it held.
final class RecoveryBench {
  let folder: TemporaryFolder
  var file: URL { folder.file("store.sqlite") }
  private var number = 0

  init() throws { folder = try TemporaryFolder() }

  /// Makes a store with one list of sections with items, of which some were changed, moved and
  /// measured later.
  func makeStore(sections: Int = 6, items: Int = 400, edits: Int = 20, seed: UInt64 = 3) throws {
    let repository = try Repository(at: file)
    try repository.edit("shelf") { shelf in
      try shelf.setMeta("{\"title\":\"Shelf\"}")
      for section in 0..<sections {
        let id = try SectionID("section \(section)")
        try shelf.insertSection(
          id,
          SectionAttributes(
            layout: SectionLayout(kind: .list, lineSpacing: Double(section)),
            header: try Supplementary(
              view: "Header", content: JSON(parsing: "{\"title\":\"\(section)\"}")),
            decorations: [Decoration(view: "Card", element: .section)]))
        try shelf.insert(
          (0..<items).map { try Self.item(section * items + $0) }, in: id)
      }
    }
    var generator = SeededGenerator(seed: seed)
    for edit in 0..<edits {
      try repository.edit("shelf") { shelf in
        let item = try ItemID("item \(generator.number(0..<sections * items))")
        try shelf.apply(
          .updateItem(item, ItemUpdate(content: .set(JSON(parsing: "{\"edit\":\(edit)}")))))
        try shelf.apply(
          .moveItem(ItemID("item \(generator.number(0..<sections * items))"), in: nil, to: .start))
      }
    }
    let key = SizeKey(fittingPixels: 320, environment: LayoutEnvironment())
    let sizes = try stride(from: 0, to: sections * items, by: 3).map { number in
      MeasuredSize(
        item: try ItemID("item \(number)"),
        size: Size(width: 320, height: Double(40 + number % 7)), cell: "Cell", contentRevision: 0)
    }
    try repository.save(sizes, for: key, in: "shelf")
  }

  static func item(_ number: Int) throws -> Item {
    Item(
      id: try ItemID("item \(number)"), cell: number % 5 == 0 ? "Other" : "Cell",
      content: try JSON(
        parsing: "{\"number\":\(number),\"text\":\"some words about item \(number)\"}"),
      type: "Book")
  }

  /// Recovers bytes, with a write-ahead log beside them.
  func recover(
    _ bytes: Data, log: Data? = nil, migrations: [Migration] = Migration.all
  ) throws -> (report: StoreRecovery, file: URL) {
    number += 1
    let damaged = folder.file("damaged \(number).sqlite")
    try bytes.write(to: damaged)
    try log?.write(to: URL(fileURLWithPath: damaged.path + "-wal"))
    return try recover(damaged, migrations: migrations)
  }

  func recover(
    _ damaged: URL, includesDeleted: Bool = false, migrations: [Migration] = Migration.all
  ) throws -> (report: StoreRecovery, file: URL) {
    let result = folder.file(damaged.lastPathComponent + " recovered")
    let report = try StoreRecovery.recover(
      damaged, to: result, includesDeleted: includesDeleted, migrations: migrations)
    var options = Repository.Options()
    options.migration.migrations = migrations
    let problems = try Repository(existing: result, options: options).checkInvariants()
    #expect(problems == [])
    return (report, result)
  }

  /// The trees of a store's lists at their heads.
  static func trees(
    of file: URL, migrations: [Migration] = Migration.all
  ) throws -> [ListID: ListTree] {
    var options = Repository.Options()
    options.migration.migrations = migrations
    let repository = try Repository(existing: file, options: options)
    var trees: [ListID: ListTree] = [:]
    for list in try repository.lists() { trees[list] = try repository.tree(of: list) }
    return trees
  }

  /// Sets pages to zeros; the first page stays.
  static func zero(
    pages count: Int, of bytes: Data, using generator: inout SeededGenerator
  ) -> Data {
    var bytes = bytes
    var pages = Set<Int>()
    while pages.count < count { pages.insert(generator.number(1..<bytes.count / 4_096)) }
    for page in pages {
      bytes.replaceSubrange(page * 4_096..<(page + 1) * 4_096, with: Data(count: 4_096))
    }
    return bytes
  }

  /// The lists of a store, as JSON without their sizes.
  static func exports(
    of file: URL, migrations: [Migration] = Migration.all
  ) throws -> [String: String] {
    let inspection = try Inspection(of: file, migrations: migrations)
    var exports: [String: String] = [:]
    for list in inspection.summary().lists {
      let text = try inspection.export(ListID(list.list))
      exports[list.list] = try ListTree(parsing: Array(text.utf8)).json()
    }
    return exports
  }
}

extension ListTree {
  /// Its items, by id, with the section and the place among the items of that section.
  var placedItems: [ItemID: (item: Item, section: SectionID, index: Int)] {
    var items: [ItemID: (item: Item, section: SectionID, index: Int)] = [:]
    for section in sections {
      for (index, item) in section.items.enumerated() {
        items[item.id] = (item, section.id, index)
      }
    }
    return items
  }

  /// The problems of a tree that should have nothing but items of another one, in its order.
  func problems(asPartOf truth: ListTree, isOrdered: Bool = true) -> [String] {
    let known = truth.placedItems
    var problems: [String] = []
    for section in sections {
      var last = -1
      for item in section.items {
        guard let place = known[item.id] else {
          problems.append("\(item.id) is new")
          continue
        }
        if place.item != item { problems.append("\(item.id) is another one") }
        // Where nothing tells its section, it is in one that says so.
        let isInPlace =
          section.id == "recovered"
          ? !isOrdered : place.section == section.id && (!isOrdered || place.index > last)
        if !isInPlace { problems.append("\(item.id) is in another place") }
        last = place.index
      }
    }
    return problems
  }
}
