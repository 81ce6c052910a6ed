import Foundation
import ListInspection
import ListModel
import ListStore
import ListSync
import TestSupport
import Testing

/// Every revision of long histories, exported, is what the feed's own words lead to.
@Suite struct ExportTests {
  @Test func everyRevisionIsWhatTheFeedSays() throws {
    try expectEveryRevision(PackageFiles.releases)
  }

  @Test(.enabled(if: SeededGenerator.asksForMore, "takes minutes, CELLAR_SEEDS=2 asks for it"))
  func everyRevisionOfTheLongHistoryIsWhatTheFeedSays() throws {
    let folder = try TemporaryFolder()
    try expectEveryRevision(RepositoryHistory.write(to: folder))
  }

  private func expectEveryRevision(_ history: URL) throws {
    let bench = try InspectionBench()
    let repository = try Repository(at: bench.file)
    let reader = try FeedReader(file: history)
    let report = try repository.apply(reader)

    let inspection = try Inspection(of: bench.file)
    var trees: [ListID: ListTree] = [:]
    let lines = try Data(contentsOf: history).split(separator: UInt8(ascii: "\n"))
    // Undoing from the head is quadratic over all revisions: of the long history a sample is asked,
    // unless `CELLAR_EVERY_REVISION=1`.
    let isSample = ProcessInfo.processInfo.environment["CELLAR_EVERY_REVISION"] != "1"
    let step = isSample ? max(1, lines.count / 20) : 1
    var compared = 0
    for (number, line) in lines.enumerated() {
      let object = try #require(try JSONSerialization.jsonObject(with: line) as? [String: Any])
      let list = try ListID(object.text("list"))
      var tree = trees[list] ?? ListTree(list: list)
      #expect(object["t"] as? String == "commit")
      #expect(try object.text("seq") == "\(tree.revision + 1)")
      for operation in try #require(object["ops"] as? [[String: Any]]) {
        try tree.apply(Change(sample: operation))
      }
      tree.revision += 1
      trees[list] = tree
      guard number % step == 0 || number >= lines.count - 2 else { continue }
      let exported = try inspection.export(list, at: tree.revision)
      try expectSameMeaning(exported, tree.json(), "revision \(tree.revision) of \(list)")
      compared += 1
    }
    #expect(compared >= 20)
    for (list, tree) in trees {
      try expectSameMeaning(try inspection.export(list), tree.json(), "head of \(list)")
      #expect(
        try inspection.export(list, at: 0)
          == "{\"list\":\"\(list)\",\"revision\":\"0\",\"sections\":[]}")
    }
    #expect(report.lists.mapValues(\.revision) == trees.mapValues(\.revision))
  }

  /// Compares as values: the order of an object's members is not theirs.
  private func expectSameMeaning(_ text: String, _ other: String, _ hint: String) throws {
    let values = try [text, other].map { text in
      try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? NSDictionary)
    }
    #expect(values[0] == values[1], "\(hint)")
  }

  @Test func contentComesOutAsItWentIn() throws {
    let bench = try InspectionBench()
    let contents = [
      "9223372036854775807", "-9223372036854775808", "18446744073709551615", "0.1", "1e400",
      #""é é \u0000 \ud83d\ude00""#, #"{"b":1,"a":[true,null,{}]}"#, #"{"":""}"#, "[]", "null",
    ]
    let lines = contents.enumerated().map { number, content in
      #"{"op":"insertItem","item":"\#(number)","section":"s","cell":"C","content":\#(content)}"#
    }
    let feed = try bench.folder.write(
      #"{"t":"commit","list":"l","seq":"1","ops":[{"op":"insertSection","section":"s"},"#
        + lines.joined(separator: ",") + "]}\n", to: "feed.ndjson")
    let repository = try Repository(at: bench.file)
    let reader = try FeedReader(file: feed)
    try repository.apply(reader)
    let exported = try Inspection(of: bench.file).export("l")
    for (number, content) in contents.enumerated() {
      #expect(exported.contains(#"{"id":"\#(number)","cell":"C","content":\#(content)}"#))
    }
  }
}

extension [String: Any] {
  fileprivate func text(_ name: String) throws -> String { try #require(self[name] as? String) }

  fileprivate func json(_ name: String) throws -> JSON? {
    guard let value = self[name] else { return nil }
    let data = try JSONSerialization.data(
      withJSONObject: value, options: [.fragmentsAllowed, .sortedKeys, .withoutEscapingSlashes])
    return try JSON(parsing: String(decoding: data, as: UTF8.self))
  }

  fileprivate func place<Tag>() throws -> Place<Identifier<Tag>> {
    let after = try #require(self["after"])
    return after is NSNull ? .start : .after(try Identifier(try #require(after as? String)))
  }

  fileprivate func supplementary(_ name: String) throws -> Supplementary? {
    guard let object = self[name] as? [String: Any] else { return nil }
    return Supplementary(
      view: try ViewName(object.text("view")), content: try #require(try object.json("content")))
  }

  fileprivate func layout() throws -> SectionLayout? {
    guard let object = self["layout"] as? [String: Any] else { return nil }
    let known: Set = ["columns", "lineSpacing", "interitemSpacing", "insets"]
    #expect(known.isSuperset(of: object.keys))
    let insets = try (object["insets"] as? [NSNumber]).map { numbers in
      try #require(numbers.count == 4)
      return Insets(
        top: numbers[0].doubleValue, left: numbers[1].doubleValue, bottom: numbers[2].doubleValue,
        right: numbers[3].doubleValue)
    }
    return SectionLayout(
      columns: object["columns"] as? Int,
      lineSpacing: (object["lineSpacing"] as? NSNumber)?.doubleValue,
      interitemSpacing: (object["interitemSpacing"] as? NSNumber)?.doubleValue, insets: insets)
  }

  fileprivate func action() throws -> Action? {
    guard let object = self["action"] as? [String: Any] else { return nil }
    return Action(
      url: object["url"] as? String, event: object["event"] as? String,
      attrs: try object.json("attrs"))
  }
}

extension Change {
  /// Reads the operations that the histories hold, with nothing of the library's own reading.
  fileprivate init(sample object: [String: Any]) throws {
    let name = try object.text("op")
    switch name {
    case "insertSection":
      self = .insertSection(
        try SectionID(object.text("section")),
        SectionAttributes(
          layout: try object.layout(), header: try object.supplementary("header"),
          footer: try object.supplementary("footer"), meta: try object.json("meta")),
        at: try object.place())
    case "deleteSection": self = .deleteSection(try SectionID(object.text("section")))
    case "moveSection":
      self = .moveSection(try SectionID(object.text("section")), to: try object.place())
    case "insertItem":
      self = .insertItem(
        Item(
          id: try ItemID(object.text("item")), cell: try CellName(object.text("cell")),
          content: try #require(try object.json("content")), action: try object.action()),
        in: try SectionID(object.text("section")), at: try object.place())
    case "deleteItem": self = .deleteItem(try ItemID(object.text("item")))
    case "moveItem":
      self = .moveItem(
        try ItemID(object.text("item")),
        in: try object["section"].map { section in
          try SectionID(try #require(section as? String))
        }, to: try object.place())
    case "updateItem":
      var update = ItemUpdate()
      if object["cell"] != nil { update.cell = .set(try CellName(object.text("cell"))) }
      if let content = try object.json("content") { update.content = .set(content) }
      if object["action"] != nil { update.action = .set(try object.action()) }
      self = .updateItem(try ItemID(object.text("item")), update)
    default:
      throw FeedOperationUnknown(name: name)
    }
  }
}

private struct FeedOperationUnknown: Error {
  var name: String
}
