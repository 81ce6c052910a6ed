import Foundation
import ListModel
import ListStore
import StoreSchema
import TestSupport
import Testing

@Suite struct MeasuredSizeTests {
  private let folder: TemporaryFolder
  private let repository: Repository
  private let key = SizeKey(fittingPixels: 1_125, environment: LayoutEnvironment(displayScale: 3))

  init() throws {
    folder = try TemporaryFolder()
    repository = try Repository(at: folder.file("store.sqlite"))
    try repository.commit(
      [
        .insertSection("s"),
        .insertItem(Item(id: "a", cell: "Cell", content: "1"), in: "s"),
        .insertItem(Item(id: "b", cell: "Cell", content: "1"), in: "s"),
      ], to: "list")
  }

  private func measured(_ item: ItemID, _ height: Double, revision: Int = 0) -> MeasuredSize {
    MeasuredSize(
      item: item, size: Size(width: 375, height: height), cell: "Cell", contentRevision: revision)
  }

  @Test func aSizeIsExactForItsKeyAndMissingForOthers() throws {
    try repository.save([measured("a", 88.5)], for: key, in: "list")
    #expect(
      try repository.sizes(of: "list", for: key) == ["a": .exact(Size(width: 375, height: 88.5))])
    var others = [key, key, key, key]
    others[0].fittingPixels = 1_126
    others[1].variant = "expanded"
    others[2].axis = .horizontal
    others[3].environment.contentSizeCategory = "extraLarge"
    for other in others { #expect(try repository.sizes(of: "list", for: other).isEmpty) }
  }

  @Test func anEditMakesASizeAnEstimateAndMeasuringAgainReplacesIt() throws {
    try repository.save([measured("a", 88.5)], for: key, in: "list")
    try repository.commit([.updateItem("a", ItemUpdate(content: .set("2")))], to: "list")
    guard case .estimate(let size, _)? = try repository.sizes(of: "list", for: key)["a"] else {
      Issue.record("not an estimate")
      return
    }
    #expect(size.height == 88.5)
    #expect(try repository.someExactSizes(of: "list").isEmpty)
    try repository.save([measured("a", 60, revision: 1)], for: key, in: "list")
    #expect(try repository.sizes(of: "list", for: key)["a"] == .exact(Size(width: 375, height: 60)))
  }

  @Test func anotherCellOrMeasurerMakesASizeAnEstimate() throws {
    try repository.save([measured("a", 88.5), measured("b", 40)], for: key, in: "list")
    try repository.commit([.updateItem("a", ItemUpdate(cell: .set("Other")))], to: "list")
    let answers = try repository.sizes(of: "list", for: key, measurerVersion: 2)
    for item in ["a", "b"] as [ItemID] {
      guard case .estimate? = answers[item] else {
        Issue.record("\(item) is not an estimate")
        continue
      }
    }
  }

  @Test func sizesMakeNoRevisionAndGoWithTheirItem() throws {
    try repository.save(
      [measured("a", 1), measured("b", 2), measured("gone", 3)], for: key, in: "list")
    #expect(try repository.revision(of: "list") == 1)
    try repository.commit([.deleteItem("a")], to: "list")
    #expect(try repository.sizes(of: "list", for: key).keys.map(\.rawValue) == ["b"])
    try repository.commit(
      [.insertItem(Item(id: "a", cell: "Cell", content: "1"), in: "s"), .deleteSection("s")],
      to: "list")
    #expect(try repository.sizes(of: "list", for: key).isEmpty)
  }

  @Test(arguments: [
    Size(width: .nan, height: 1), Size(width: 1, height: .infinity), Size(width: -1, height: 1),
    Size(width: 1, height: 1_000_001),
  ])
  func impossibleSizesAreRefusedWithAllOthersOfTheCall(_ size: Size) throws {
    var bad = measured("b", 1)
    bad.size = size
    let failure = #expect(throws: StoreError.self) {
      try repository.save([measured("a", 1), bad], for: key, in: "list")
    }
    #expect(failure?.code == .invalidValue)
    #expect(failure?.message.contains("\"b\"") == true)
    #expect(try repository.sizes(of: "list", for: key).isEmpty)
  }

  @Test func sizesThatFitNothingAreRefused() {
    var nothing = key
    nothing.fittingPixels = 0
    #expect(throws: StoreError.self) {
      try repository.save([measured("a", 1)], for: nothing, in: "list")
    }
  }
}
