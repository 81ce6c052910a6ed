import DerivedLists
import Foundation
import GRDB
import ListModel
import ListStore
import TestSupport
import Testing

/// An item that a list and a derived one both have is measured once.
@Suite struct DerivedSizeTests {
  private let folder: TemporaryFolder
  private let repository: Repository
  private let key = SizeKey(fittingPixels: 1_125, environment: LayoutEnvironment(displayScale: 3))

  init() throws {
    folder = try TemporaryFolder()
    repository = try Repository(at: folder.file("store.sqlite"))
    let definitions = [
      #"{"derived":"even","of":"list","where":[{"path":"/even","eq":true}],"sort":[{"path":"/n","descending":true}]}"#,
      #"{"derived":"first","of":"even","limit":70}"#,
    ]
    try repository.define(
      definitions.enumerated().map { (try DerivedDefinition(parsing: Array($1.utf8)), $0 + 1) })
    try repository.commit(
      [.insertSection("s")] + (0..<300).map { .insertItem(Self.item($0), in: "s") }, to: "list")
  }

  private static func item(_ number: Int) -> Item {
    Item(id: id(number), cell: "Cell", content: content(number, isEven: number.isMultiple(of: 2)))
  }

  private static func id(_ number: Int) -> ItemID { ItemID(stringLiteral: "item \(number)") }

  private static func content(_ number: Int, isEven: Bool) -> JSON {
    JSON(stringLiteral: #"{"n":\#(number),"even":\#(isEven)}"#)
  }

  private func save(_ numbers: some Sequence<Int>, in list: ListID) throws {
    try repository.save(
      numbers.map {
        MeasuredSize(
          item: Self.id($0), size: Size(width: 375, height: Double($0 + 1)), cell: "Cell",
          contentRevision: 0)
      }, for: key, in: list)
  }

  private func sizedItems(of list: ListID) throws -> Int {
    try repository.sizes(of: list, for: key).count
  }

  @Test func aSizeThatIsKeptForOneListIsThereForTheOthers() throws {
    try save(0..<300, in: "list")
    #expect(try repository.checkInvariants() == [])
    #expect(try sizedItems(of: "even") == 150)
    #expect(try sizedItems(of: "first") == 70)
    try save(stride(from: 200, to: 300, by: 2), in: "first")
    #expect(
      try repository.sizes(of: "list", for: key)[Self.id(298)]
        == .exact(Size(width: 375, height: 299)))
    #expect(try repository.checkInvariants() == [])
  }

  @Test func sumsFollowItemsThatComeAndGo() throws {
    try save(stride(from: 0, to: 300, by: 2), in: "even")
    #expect(try sizedItems(of: "list") == 150)
    // Out of the derived lists, and into them; sizes are estimates from here on.
    try repository.commit(
      (100..<200).map {
        .updateItem(
          Self.id($0),
          ItemUpdate(content: .set(Self.content($0, isEven: !$0.isMultiple(of: 2)))))
      }, to: "list")
    #expect(try repository.checkInvariants() == [])
    #expect(try sizedItems(of: "list") == 150)
    #expect(try sizedItems(of: "even") == 100)
    try repository.commit((0..<150).map { .deleteItem(Self.id($0)) }, to: "list")
    #expect(try repository.checkInvariants() == [])
    #expect(try sizedItems(of: "list") == 75)
    try repository.commit([.deleteSection("s")], to: "list")
    #expect(try repository.checkInvariants() == [])
    #expect(try sizedItems(of: "even") == 0)
  }

  @Test func droppingADerivedListLeavesTheSizesOfItsSource() throws {
    try save(0..<300, in: "list")
    #expect(try repository.dropDerived("even") == ["even", "first"])
    #expect(try sizedItems(of: "list") == 300)
    #expect(try repository.checkInvariants() == [])
    #expect(try repository.lists() == ["list"])
  }

  @Test func erasingIsToldOfDerivedListsAndLeavesNothingInTheirLogs() throws {
    let erased = try repository.erase([.item(Self.id(298), of: "list")])
    #expect(erased.commits.first?.derived.map(\.commit.list) == ["even", "first"])
    let queue = try DatabaseQueue(path: folder.file("store.sqlite").path)
    let named = try queue.read { db in
      try Int.fetchOne(
        db, sql: "SELECT count(*) FROM change WHERE instr(entries, 'item 298')")
    }
    #expect(named == 0)
    #expect(try repository.checkInvariants() == [])
    #expect(try repository.tree(of: "first").sections[0].items.first?.id == Self.id(296))
  }

  @Test func aDerivedListIsNotWrittenToByOthers() throws {
    let error = #expect(throws: StoreError.self) {
      try repository.commit([.deleteItem(Self.id(2))], to: "even")
    }
    #expect(error?.message.contains("is derived from \"list\"") == true)
    #expect(try repository.checkInvariants() == [])
  }
}
