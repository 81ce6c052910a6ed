import GRDB
import ListModel
import ListStore
import StoreFiles
import TestSupport
import Testing
import ListTables

/// Whoever looks at a list reads as many rows as it is told, however long the list is.
@Suite struct StoredListTests {
  @Test(arguments: [1_000, 60_000]) func someItemsAreReadWithTheBlocksThatHoldThemAlone(
    _ count: Int
  ) throws {
    let folder = try TemporaryFolder()
    let statements = Guarded<[String]>([])
    var options = Repository.Options()
    options.prepareConnection = { db in
      db.trace { event in statements.withValue { $0.append("\(event)") } }
    }
    let repository = try Repository(at: folder.file("store.sqlite"), options: options)
    try repository.commit(
      [.insertSection("other"), .insertSection("s")]
        + (0..<count).map {
          .insertItem(Item(id: ItemID(stringLiteral: "i\($0)"), cell: "C", content: "1"), in: "s")
        }, to: "list")
    let middle = count / 2
    statements.withValue { $0 = [] }
    var names: [String] = []
    try repository.read(list: "list", "look") { stored in
      let section = try #require(try stored.section("s"))
      #expect(section.index == 1)
      try stored.forEachItem(of: section.section, in: middle..<middle + 50) { index, member in
        #expect(member.name == "i\(index)")
        names.append(member.name)
      } unreadable: { _, error in
        throw error
      }
    }
    #expect(names.count == 50)
    let blocks = statements.withValue { $0 }.filter { $0.contains("FROM block") }
    // That of the sections; the blocks above level 0, and up to two on it, each as a row and, on
    // the way down, as one to find its level.
    #expect(blocks.count <= 9, "\(blocks)")
    #expect(statements.withValue { $0.count } <= 20)
  }
}
