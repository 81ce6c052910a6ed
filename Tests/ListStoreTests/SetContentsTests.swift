import ListModel
import ListStore
import ListSync
import Providers
import TestSupport
import Testing

/// Contents of a type are changed by a closure.
@Suite struct SetContentsTests {
  private let folder: TemporaryFolder
  private let repository: Repository
  private let key = SizeKey(fittingPixels: 750, environment: LayoutEnvironment())

  init() throws {
    folder = try TemporaryFolder()
    repository = try Repository(at: folder.file("store.sqlite"))
  }

  private func fill(_ list: ListID, _ count: Int, content: JSON = "1") throws {
    try repository.edit(list) { list throws in
      for section in ["s", "t"] as [SectionID] {
        try list.insertSection(section)
        for number in 0..<count {
          try list.insert(
            Item(
              id: ItemID(stringLiteral: "\(section)\(number)"), cell: "Cell", content: content,
              type: number.isMultiple(of: 2) ? "Book" : "Other"), in: section)
        }
      }
    }
  }

  private func contents(of list: ListID, _ type: TypeName) throws -> [String] {
    try repository.tree(of: list).sections.flatMap(\.items).filter { $0.state.type == type }
      .map(\.state.content.text)
  }

  @Test func aGapGetsNoContentThatItCanNotHave() throws {
    try repository.commit(
      [.insertSection("s"), .insertItem(Item(id: "g", cell: Gap.cell, content: "{}"), in: "s")],
      to: "a")
    #expect(throws: StoreError.self) {
      try repository.setContents(
        inSlicesOfType: nil, cell: Gap.cell, keepingSizes: false, by: .app
      ) { _, items in items.map { _ in #"{"count":-1}"# } }
    }
    #expect(try repository.revision(of: "a") == 1)
  }

  @Test func everyItemOfTheTypeGetsItsContentOnce() throws {
    try fill("a", 1_500)
    try fill("b", 3)
    let counts = try repository.setContents(ofType: "Book") { item in
      #expect(item.state.type == "Book")
      return JSON(stringLiteral: item.state.content.text + "2")
    }
    #expect(counts == ["a": 1_500, "b": 4])
    #expect(try contents(of: "a", "Book").allSatisfy { $0 == "12" })
    #expect(try contents(of: "a", "Other").allSatisfy { $0 == "1" })
    #expect(try repository.commits(of: "a", after: 1).map(\.entries.count) == [1_000, 500])
    // The same is no change.
    #expect(try repository.setContents(ofType: "Book") { _ in "12.0" }.isEmpty)
    #expect(try repository.revision(of: "a") == 3)
    #expect(try repository.checkInvariants().isEmpty)
  }

  @Test func largeContentsMakeSmallerSlices() throws {
    let large = JSON(stringLiteral: "\"" + String(repeating: "x", count: 400_000) + "\"")
    try fill("a", 6, content: large)
    try repository.setContents(ofType: "Book") { _ in "1" }
    #expect(try repository.commits(of: "a", after: 1).map(\.entries.count) == [3, 3])
  }

  @Test func sizesBecomeEstimatesUnlessTheyAreKept() throws {
    try fill("a", 1)
    let size = Size(width: 375, height: 44)
    try repository.save(
      [MeasuredSize(item: "s0", size: size, cell: "Cell", contentRevision: 0)], for: key, in: "a")
    try repository.setContents(ofType: "Book", keepingSizes: true) { _ in "2" }
    #expect(try repository.sizes(of: "a", for: key)["s0"] == .exact(size))
    try repository.setContents(ofType: "Book") { _ in "3" }
    #expect(
      try repository.sizes(of: "a", for: key)["s0"] == .estimate(size, why: .otherContent))
  }

  @Test func itemsOfNestedListsChangeAndKeepTheirSizes() throws {
    try fill("a", 2)
    let nested = repository.liveList(ownedBy: "s0", in: "a", "books")
    try nested.edit { list throws in
      try list.insertSection("n")
      for id in ["x", "y"] as [ItemID] {
        try list.insert(Item(id: id, cell: "Cell", content: "1", type: "Book"), in: "n")
      }
    }
    let size = Size(width: 375, height: 44)
    try repository.save(
      [MeasuredSize(item: "x", size: size, cell: "Cell", contentRevision: 0)], for: key,
      in: nested.id)
    let counts = try repository.setContents(ofType: "Book", keepingSizes: true) { _ in "2" }
    #expect(counts == ["a": 2, nested.id: 2])
    #expect(try contents(of: nested.id, "Book") == ["2", "2"])
    #expect(try repository.sizes(of: nested.id, for: key) == ["x": .exact(size)])
    #expect(try repository.checkInvariants().isEmpty)
  }

  @Test func itIsToldHowFarItIs() throws {
    try fill("a", 1_500)
    try fill("b", 3)
    var fractions: [Double] = []
    try repository.renameType("Book", to: "Novel") { fractions.append($0) }
    #expect(fractions.count > 2)
    #expect(fractions == fractions.sorted())
    #expect(fractions.last == 1)
    try repository.edit("b") {
      try $0.updateSection("s") { $0.header = Supplementary(view: "Old", content: "1") }
    }
    fractions = []
    try repository.renameView("Old", to: "New") { fractions.append($0) }
    #expect(fractions == [0.5, 1])
  }

  @Test func aFailureLeavesItsSliceAndKeepsThoseBefore() throws {
    struct Failure: Error {}
    try fill("a", 1_500)
    var count = 0
    #expect(throws: Failure.self) {
      try repository.setContents(ofType: "Book") { _ in
        count += 1
        if count == 1_200 { throw Failure() }
        return "2"
      }
    }
    #expect(try contents(of: "a", "Book").filter { $0 == "2" }.count == 1_000)
    #expect(try repository.revision(of: "a") == 2)
  }

  @Test func whatOthersChangeMeanwhileIsReadAgain() throws {
    try fill("a", 10)
    let other = try Repository(existing: folder.file("store.sqlite"))
    var calls: [ItemID: Int] = [:]
    let counts = try repository.setContents(ofType: "Book") { item in
      calls[item.id, default: 0] += 1
      if calls.count == 3, calls[item.id] == 1 {
        try other.commit(
          [
            .updateItem("s0", ItemUpdate(content: .set("7"))), .moveItem("s2", in: "t", to: .end),
            .deleteItem("s4"),
            .insertItem(
              Item(id: "new", cell: "Cell", content: "5", type: "Book"), in: "s", at: .start),
          ], to: "a")
      }
      return JSON(stringLiteral: item.state.content.text + "0")
    }
    #expect(counts == ["a": 10])
    #expect(calls["s0"] == 2)
    #expect(calls["s2"] == 1, "it has only moved")
    let tree = try repository.tree(of: "a")
    let contents = Dictionary(
      uniqueKeysWithValues: tree.sections.flatMap(\.items).map { ($0.id, $0.state.content.text) })
    #expect(contents["s0"] == "70")
    #expect(contents["s2"] == "10")
    #expect(contents["s4"] == nil)
    #expect(contents["new"] == "50")
    #expect(contents["s6"] == "10")
    #expect(try repository.checkInvariants().isEmpty)
  }

  @Test func eachWayToRenameInsideAnEditIsRefused() throws {
    try fill("a", 2)
    try repository.edit("a") { _ in
      for write in [
        { _ = try repository.renameType("Book", to: "Novel") },
        { _ = try repository.setContents(ofType: "Book") { _ in "9" } },
      ] as [() throws -> Void] {
        #expect(throws: StoreError.self) { try write() }
      }
    }
    #expect(try contents(of: "a", "Book") == ["1", "1"])
  }
}
