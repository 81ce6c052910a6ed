import Foundation
import ListModel
import ListStore
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

  /// What item "a" answers where its only size is for ``key``; "b" has none.
  private func otherKeys() -> [(key: SizeKey, why: SizeAnswer.EstimateReason?)] {
    var others = Array(repeating: (key: key, why: SizeAnswer.EstimateReason?.none), count: 5)
    others[0].key.fittingPixels = 1_126
    others[0].why = .otherLength
    others[1].key.variant = "expanded"
    others[1].why = .otherVariant
    others[2].key.environment.contentSizeCategory = "extraLarge"
    others[2].why = .otherEnvironment
    others[3].key.axis = .horizontal
    others[4].key.axis = .horizontal
    others[4].key.fittingPixels = 1_126
    return others
  }

  @Test func aSizeIsExactForItsKeyAndAnEstimateForOthersOfItsAxis() throws {
    let size = Size(width: 375, height: 88.5)
    try repository.save([measured("a", 88.5)], for: key, in: "list")
    #expect(try repository.sizes(of: "list", for: key) == ["a": .exact(size)])
    // Whether the store has the other key or not: "c", which has a size for it, is deleted again.
    for isStored in [false, true] {
      for (other, why) in otherKeys() {
        if isStored {
          try repository.commit(
            [.insertItem(Item(id: "c", cell: "Cell", content: "1"), in: "s")], to: "list")
          try repository.save([measured("c", 1)], for: other, in: "list")
          try repository.commit([.deleteItem("c")], to: "list")
        }
        #expect(
          try repository.sizes(of: "list", for: other)
            == (why.map { ["a": .estimate(size, why: $0)] } ?? [:]),
          "\(other), stored: \(isStored)")
      }
    }
    #expect(try repository.sizes(of: "list", for: key) == ["a": .exact(size)])
  }

  @Test func ofSeveralSizesTheNearestIsTheEstimate() throws {
    var wider = key
    wider.fittingPixels = 1_200
    var expanded = key
    expanded.variant = "expanded"
    var larger = key
    larger.environment.contentSizeCategory = "extraLarge"
    // From far to near: each is taken as soon as it is there.
    var asked = key
    asked.fittingPixels = 1_130
    let steps: [(SizeKey, SizeAnswer.EstimateReason)] = [
      (expanded, .otherVariant), (larger, .otherEnvironment),
      (wider, .otherLength), (key, .otherLength),
    ]
    for (number, (stored, why)) in steps.enumerated() {
      let height = Double(number + 1)
      try repository.save([measured("a", height)], for: stored, in: "list")
      #expect(
        try repository.sizes(of: "list", for: asked)
          == ["a": .estimate(Size(width: 375, height: height), why: why)])
    }
  }

  @Test func anEditMakesASizeAnEstimateAndMeasuringAgainReplacesIt() throws {
    try repository.save([measured("a", 88.5)], for: key, in: "list")
    try repository.commit([.updateItem("a", ItemUpdate(content: .set("2")))], to: "list")
    guard case .estimate(let size, _)? = try repository.sizes(of: "list", for: key)["a"] else {
      Issue.record("not an estimate")
      return
    }
    #expect(size.height == 88.5)
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
