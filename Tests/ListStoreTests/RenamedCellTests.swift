import ListModel
import ListStore
import Providers
import TestSupport
import Testing

/// A cell class gets another name, and stores go on.
@Suite struct RenamedCellTests {
  private let folder: TemporaryFolder
  private let repository: Repository
  private let key = SizeKey(fittingPixels: 750, environment: LayoutEnvironment())

  init() throws {
    folder = try TemporaryFolder()
    repository = try Repository(at: folder.file("store.sqlite"))
  }

  private func fill(_ list: ListID, _ count: Int) throws {
    try repository.edit(list) { list throws in
      for section in 0..<3 {
        let id = SectionID(stringLiteral: "s\(section)")
        try list.insertSection(id)
        for item in 0..<count {
          let cell: CellName = item.isMultiple(of: 2) ? "Old" : "Other"
          try list.insert(
            Item(
              id: ItemID(stringLiteral: "\(section)-\(item)"), cell: cell, content: "1"), in: id)
        }
      }
    }
  }

  @Test func itemsOfAllListsGetTheNewNameByCommits() throws {
    try fill("a", 10)
    try fill("b", 4)
    try repository.edit("c") { try $0.insertSection("empty") }
    var shown = try repository.provider(for: "a")
    #expect(
      try repository.renameCell("Old", to: "New", by: "migrate") == ["a": 15, "b": 6])
    for list in ["a", "b"] as [ListID] {
      let cells = try repository.tree(of: list).sections.flatMap(\.items).map(\.state.cell)
      #expect(Set(cells) == ["New", "Other"])
    }
    #expect(try repository.revision(of: "c") == 1)
    #expect(try repository.commits(of: "a", after: 1).map(\.author.name) == ["migrate"])
    #expect(try repository.checkInvariants().isEmpty)
    // Who shows the list is told, as of any change.
    let log = try repository.commits(of: "a", after: shown.revision)
    #expect(log.first?.entries.count == 15)
    shown = try repository.provider(for: "a")
    #expect(shown.cell(at: ItemPath(section: 2, item: 8))?.cell == "New")
    // Again it changes nothing.
    #expect(try repository.renameCell("Old", to: "New").isEmpty)
    #expect(try repository.revision(of: "a") == 2)
  }

  @Test func theCellOfGapsIsReserved() throws {
    try fill("a", 2)
    for (old, new) in [("Old", Gap.cell), (Gap.cell, "New")] as [(CellName, CellName)] {
      let error = #expect(throws: StoreError.self) { try repository.renameCell(old, to: new) }
      #expect(error?.code == .invalidValue)
    }
    #expect(try repository.revision(of: "a") == 1)
  }

  @Test func aNameThatOthersHaveCanBeTaken() throws {
    try fill("a", 10)
    #expect(try repository.renameCell("Old", to: "Other") == ["a": 15])
    let cells = try repository.tree(of: "a").sections.flatMap(\.items).map(\.state.cell)
    #expect(Set(cells) == ["Other"])
    #expect(try repository.renameCell("Other", to: "Other").isEmpty)
    #expect(try repository.renameCell("gone", to: "Other").isEmpty)
    #expect(try repository.checkInvariants().isEmpty)
  }

  @Test func sizesThatHeldHoldOnAndThoseThatDidNotDoNot() throws {
    try fill("a", 4)
    let size = Size(width: 375, height: 44)
    try repository.save(
      [
        MeasuredSize(item: "0-0", size: size, cell: "Old", contentRevision: 0),
        MeasuredSize(item: "0-2", size: size, cell: "Old", contentRevision: 0),
        MeasuredSize(item: "0-1", size: size, cell: "Other", contentRevision: 0),
      ], for: key, in: "a")
    // Another content since it was measured.
    try repository.commit([.updateItem("0-2", ItemUpdate(content: .set("2")))], to: "a")
    try repository.renameCell("Old", to: "New")
    let sizes = try repository.sizes(of: "a", for: key)
    #expect(sizes["0-0"] == .exact(size))
    #expect(sizes["0-1"] == .exact(size))
    guard case .estimate = sizes["0-2"] else {
      Issue.record("\(String(describing: sizes["0-2"]))")
      return
    }
    #expect(try repository.checkInvariants().isEmpty)
  }

  @Test func aLongListIsRenamedInSlices() throws {
    try fill("a", 2_000)
    #expect(try repository.renameCell("Old", to: "New") == ["a": 3_000])
    #expect(
      try repository.commits(of: "a", after: 1).map(\.entries.count) == [1_000, 1_000, 1_000])
    let cells = try repository.tree(of: "a").sections.flatMap(\.items).map(\.state.cell)
    #expect(!cells.contains("Old"))
    #expect(try repository.checkInvariants().isEmpty)
    let before = try repository.tree(of: "a", at: 1).sections.flatMap(\.items).map(\.state.cell)
    #expect(before.filter { $0 == "Old" }.count == 3_000)
  }
}
