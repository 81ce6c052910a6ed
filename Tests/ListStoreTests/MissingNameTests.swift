import Foundation
import ListModel
import ListStore
import TestSupport
import Testing

/// Who names what is not there is told what is.
@Suite struct MissingNameTests {
  private let folder: TemporaryFolder
  private let repository: Repository

  init() throws {
    folder = try TemporaryFolder()
    repository = try Repository(at: folder.file("store.sqlite"))
    try repository.commit(
      [
        .insertSection("fresh"), .insertSection("old"),
        .insertItem(Item(id: "emma", cell: "BookCell", content: "1"), in: "fresh"),
        .insertItem(Item(id: "dune", cell: "BookCell", content: "1"), in: "old"),
      ], to: "shelf")
  }

  private func expect(
    _ words: String, sourceLocation: SourceLocation = #_sourceLocation, _ body: () throws -> Void
  ) {
    let error = #expect(throws: StoreError.self, sourceLocation: sourceLocation) { try body() }
    let message = error?.message ?? ""
    #expect(message.contains(words), "\(message)", sourceLocation: sourceLocation)
  }

  @Test func aChangeThatNamesWhatIsNotThereIsToldTheNearest() throws {
    let changes: [(Change, String)] = [
      (.deleteItem("ema"), "there is no item \"ema\" (near it: \"emma\")"),
      (.moveItem("dune", in: "frsh", to: .end), "no section \"frsh\" (near it: \"fresh\")"),
      (.moveSection("old", to: .after("Fresh")), "not in the list (near it: \"fresh\")"),
      (.deleteSection("zebra"), "(there are \"fresh\", \"old\")"),
      (.moveItem("emma", to: .after("dune")), "(it is in section \"old\")"),
      (.moveItem("emma", to: .after("emma")), "next to itself"),
    ]
    for (change, words) in changes {
      expect(words) { try repository.commit([change], to: "shelf") }
      expect(words) { try repository.edit("shelf") { try $0.apply(change) } }
    }
    expect("(the list has none)") {
      try repository.commit([.deleteItem("ema")], to: "empty")
    }
    expect("there is no list \"shlf\" (near it: \"shelf\")") { _ = try repository.tree(of: "shlf") }
  }

  @Test func aPlaceWhereNothingIsSaysTheListAndTheCount() throws {
    expect("section \"fresh\" of list \"shelf\" has 1 item; there is none at index path [0, 9]") {
      try repository.edit("shelf") { try $0.delete(at: [0, 9] as IndexPath) }
    }
    expect("list \"shelf\" shows 2 sections; there is none at index path [2, 0]") {
      try repository.edit("shelf") { try $0.delete(at: [2, 0] as IndexPath) }
    }
    try repository.commit([.insertSection("only")], to: "short")
    expect("list \"short\" shows 1 section; there is none at index path [1, 0]") {
      try repository.edit("short") { try $0.delete(at: [1, 0] as IndexPath) }
    }
    expect("list \"shelf\": there is no section \"frsh\" (near it: \"fresh\")") {
      try repository.edit("shelf") { try $0.deleteItems(in: "frsh") }
    }
  }

  @Test func aLongListIsAskedForAFewNamesOnly() throws {
    let items = (0..<5_000).map { Item(id: ItemID(number: $0), cell: "C", content: "1") }
    try repository.commit(
      [.insertSection("s")] + items.map { .insertItem($0, in: "s") }, to: "long")
    // Each one slip away from a name far from where it would stand.
    for name in ["Item-4711", "tiem-4711", "item-47711", "item4711", "item-47l1"] {
      let error = #expect(throws: StoreError.self) {
        try repository.commit([.deleteItem(try ItemID(name))], to: "long")
      }
      let hint = error?.message ?? ""
      #expect(hint.contains(name == "item-47l1" ? "item-47" : "\"item-4711\""), "\(hint)")
    }
  }
}

extension ItemID {
  fileprivate init(number: Int) {
    let digits = String(number)
    // Known to be one.
    self = (try? ItemID("item-" + String(repeating: "0", count: 4 - digits.count) + digits)) ?? "x"
  }
}
