import BatchUpdates
import DerivedLists
import Foundation
import GRDB
import ListModel
import ListStore
import ListSync
import ListTables
import TestSupport
import Testing

/// What a derived list's source is, and what becomes of it.
@Suite struct DerivedSourceTests {
  private let folder: TemporaryFolder
  private let repository: Repository

  init() throws {
    folder = try TemporaryFolder()
    repository = try Repository(at: folder.file("store.sqlite"))
    try define(#"{"derived":"d","of":"one"}"#)
    for list in ["one", "two"] as [ListID] {
      try repository.commit(
        [.insertSection("s"), .insertItem(Item(id: "a", cell: "C", content: "0"), in: "s")],
        to: list)
      for content in 1...5 { try update("a", to: content, in: list) }
    }
  }

  private func define(_ line: String) throws {
    try repository.define([(try DerivedDefinition(parsing: Array(line.utf8)), 1)])
  }

  private func update(_ item: ItemID, to content: Int, in list: ListID) throws {
    try repository.commit(
      [.updateItem(item, ItemUpdate(content: .set(JSON(stringLiteral: "\(content)"))))], to: list)
  }

  /// Its log would name contents of a list that knows nothing of it any more.
  @Test(arguments: ["", #","limit":3"#]) func aListOfAnotherSourceHasALogFromThereOn(
    _ members: String
  ) throws {
    try define(#"{"derived":"d","of":"two"\#(members)}"#)
    for list in ["one", "two"] as [ListID] {
      try update("a", to: 9, in: list)
      try repository.truncateLog(of: list, keeping: LogRetention(changes: 0))
      #expect(try repository.checkInvariants() == [], "\(list)")
    }
    #expect(try repository.tree(of: "d").sections[0].items.map(\.state.content) == ["9"])
    #expect(try repository.deleteList("one") == ["one"])
    #expect(try repository.checkInvariants() == [])
    #expect(try repository.lists() == ["d", "two"])
  }

  /// What has borrowed its items of the source before goes on with those of the other one, however many lists
  /// are between.
  @Test(arguments: [3, 2_500], ["work", "nowhere", "empty"])
  func whatIsDerivedFromAListOfAnotherSourceGoesWithIt(_ count: Int, _ source: ListID) throws {
    func items(_ numbers: Range<Int>, _ content: String) throws -> [Change] {
      try numbers.map { number in
        let content = JSON(stringLiteral: #"{"n":\#(number % 3),"t":"\#(content)"}"#)
        return .insertItem(Item(id: try ItemID("i\(number)"), cell: "C", content: content), in: "s")
      }
    }
    try repository.commit([.insertSection("s")] + items(0..<count, "h"), to: "home")
    // Some have the ids of those at home.
    try repository.commit(
      [.insertSection("s")] + items(count / 2..<count + count / 2, "w"), to: "work")
    try repository.commit([.insertSection("s")], to: "empty")
    try define(#"{"derived":"d2","of":"home","limit":100000}"#)
    try define(#"{"derived":"d3","of":"d2","section":{"path":"/n"}}"#)
    try define(#"{"derived":"d4","of":"d3","sort":[{"path":"/n","descending":true}],"limit":5}"#)
    for of in [source, "home", source] {
      try define(#"{"derived":"d2","of":"\#(of)","limit":100000}"#)
      #expect(try repository.checkInvariants() == [], "\(of)")
      let there = of == "nowhere" ? [] : try repository.tree(of: of).sections.flatMap(\.items)
      let shown = try repository.tree(of: "d3").sections.flatMap(\.items)
      #expect(Set(shown.map(\.id)) == Set(there.map(\.id)))
      #expect(try repository.tree(of: "d4").sections.flatMap(\.items).count == min(5, there.count))
    }
    // It goes on following it.
    try repository.commit(items(count * 2..<count * 2 + 1, "new"), to: "work")
    try repository.commit([.deleteItem("i0")], to: "home")
    #expect(try repository.checkInvariants() == [])
  }

  /// A number that is rounded and one that is not may be equal, and then their items are counted together.
  @Test func aNumberThatBecomesAnEqualOneStaysCounted() throws {
    try define(#"{"derived":"d","of":"one","section":{"path":""}}"#)
    let one = JSON(stringLiteral: "1.00000000000000000000000001")
    try repository.commit([.insertItem(Item(id: "b", cell: "C", content: "1"), in: "s")], to: "one")
    try update("a", to: 1, in: "one")
    try repository.commit([.updateItem("a", ItemUpdate(content: .set(one)))], to: "one")
    #expect(try repository.checkInvariants() == [])
    try repository.commit([.deleteItem("a")], to: "one")
    #expect(try repository.checkInvariants() == [])
    #expect(try repository.tree(of: "d").sections.map(\.items.count) == [1])
  }

  /// They are written otherwise, and so are the ids of their sections.
  @Test(arguments: [[0, 1], [1, 0]]) func aLongIntegerAndTheNumberRoundedToItHaveTwoSections(
    _ order: [Int]
  ) throws {
    let definition = #"{"derived":"d","of":"l","section":{"path":"","view":"V"}}"#
    let contents: [JSON] = ["4611686018427387904", "4611686018427387904.1"]
    let ids = ["4611686018427387904", "4611686018427388000"]
    try repository.commit([.insertSection("s")], to: "l")
    try define(definition)
    for number in order {
      try repository.commit(
        [
          .insertItem(
            Item(id: try ItemID("\(number)"), cell: "C", content: contents[number]), in: "s")
        ], to: "l")
    }
    func expectSound() throws {
      #expect(try repository.checkInvariants() == [])
      let sections = try repository.tree(of: "d").sections
      #expect(sections.map(\.id.rawValue) == ids)
      #expect(sections.map { $0.items.count } == [1, 1])
      #expect(
        sections.map { $0.attributes.header?.content.text ?? "" } == ids.map { "{\"value\":\($0)}" }
      )
    }
    try expectSound()
    try repository.define([(try DerivedDefinition(parsing: Array(definition.utf8)), 1)])
    try expectSound()
    // Each becomes the other.
    for number in order {
      let item = try ItemID("\(number)")
      try repository.commit(
        [.updateItem(item, ItemUpdate(content: .set(contents[1 - number])))], to: "l")
      #expect(try repository.checkInvariants() == [])
    }
    try expectSound()
    // A list that is made of what is there is the same.
    let other = definition.replacingOccurrences(of: "\"d\"", with: "\"e\"")
    try define(other)
    #expect(
      try repository.tree(of: "e").sections.map(\.id) == repository.tree(of: "d").sections.map(\.id)
    )
  }

  /// The log of a list with a limit names contents that are kept for the hidden list of all its items: it begins
  /// anew where that goes.
  @Test func aLogCanBeReadWithoutTheLimit() throws {
    let item = Item(id: "x", cell: "C", content: #"{"n":1}"#)
    try repository.commit([.insertSection("s"), .insertItem(item, in: "s")], to: "l")
    try define(#"{"derived":"d","of":"l","limit":5}"#)
    for content in [#"{"n":1.0}"#, #"{"n":2}"#] as [JSON] {
      try repository.commit([.updateItem("x", ItemUpdate(content: .set(content)))], to: "l")
    }
    try repository.truncateLog(of: "l", keeping: LogRetention(changes: 1))
    #expect(try repository.checkInvariants() == [])
    try define(#"{"derived":"d","of":"l"}"#)
    #expect(try repository.checkInvariants() == [])
    #expect(try repository.tree(of: "d").sections[0].items[0].state.content == #"{"n":2}"#)
    _ = try repository.commits(of: "d")
  }

  @Test func aListWithoutItsSourceIsEmpty() throws {
    try define(#"{"derived":"d","of":"nowhere"}"#)
    #expect(try repository.tree(of: "d").sections == [])
    #expect(try repository.checkInvariants() == [])
    try repository.commit([.insertSection("s")], to: "nowhere")
    #expect(try repository.tree(of: "d").sections.map(\.id) == ["items"])
  }

  /// Another definition, or another source, that makes the same list is no commit: the last one goes on
  /// saying what the list follows.
  @Test func aDefinitionWithoutAChangeLeavesWhatIsFollowed() throws {
    try define(#"{"derived":"d","of":"one","limit":3}"#)
    let revision = try repository.revision(of: "d")
    try update("a", to: 7, in: "two")
    for (line, followed) in [
      (#"{"derived":"d","of":"one","limit":4}"#, 6), (#"{"derived":"d","of":"one"}"#, 6),
    ] {
      try define(line)
      #expect(try repository.revision(of: "d") == revision)
      #expect(try repository.sourceRevision(of: "d", at: revision) == followed)
      #expect(try repository.checkInvariants() == [])
    }
    try update("a", to: 7, in: "one")
    try define(#"{"derived":"d","of":"two","limit":2}"#)
    #expect(try repository.revision(of: "d") == revision + 1)
    #expect(try repository.sourceRevision(of: "d", at: revision + 1) == 7)
    #expect(try repository.checkInvariants() == [])
  }

  @Test func updatesOfTheLogSayWhatTheyFollow() throws {
    try repository.commit([.insertSection("other")], to: "one")
    try update("a", to: 7, in: "one")
    var updates: [(to: Int, of: Int?)] = []
    var report = FeedReport()
    for list in ["d", "one"] as [ListID] {
      try repository.handOutUpdates(
        of: list, after: 5, to: FeedUpdates { updates.append(($0.to, $0.sourceRevision)) },
        report: &report)
    }
    #expect(updates.map(\.to) == [6, 7, 6, 7, 8])
    // The seventh commit of the source changes nothing here.
    #expect(updates.map(\.of) == [6, 8, nil, nil, nil])
  }

  /// What goes over all lists goes over those that are edited; the others follow.
  @Test func renamingAndNewContentsReachDerivedListsThroughTheirSources() throws {
    try define(#"{"derived":"first","of":"one","limit":3}"#)
    try repository.commit(
      [
        .insertSection("h", SectionAttributes(header: Supplementary(view: "Old", content: "1"))),
        .insertItem(Item(id: "h", cell: "C", content: "0"), in: "h"),
      ], to: "one")
    try define(##"{"derived":"same","of":"one","section":{"path":"#section"}}"##)
    var progress = 0.0
    let renamed = try repository.renameCell("C", to: "D", progress: { progress = $0 })
    #expect(renamed == ["one": 2, "two": 1])
    #expect(progress == 1)
    #expect(try repository.renameView("Old", to: "New") == ["one": 1])
    let same = try repository.tree(of: "same")
    #expect(same.sections.flatMap(\.items).map(\.state.cell) == ["D", "D"])
    #expect(same.sections.compactMap(\.attributes.header?.view) == ["New"])
    _ = try repository.setContents(inSlicesOfType: nil, cell: "D", keepingSizes: false, by: .app) {
      _, items in items.map { $0.id == "a" ? "7" : $0.state.content }
    }
    #expect(
      try repository.tree(of: "first").sections.flatMap(\.items).map(\.state.content) == ["7", "0"])
    #expect(try repository.checkInvariants() == [])
  }

  /// A long list that is made when it is defined has no log of that; one that follows its source has a
  /// log of everything.
  @Test(arguments: ["", #","limit":11000"#]) func theLogOfALongListIsWhole(
    _ members: String
  ) throws {
    let count = 12_000
    let items: [Change] = try (0..<count).map {
      .insertItem(Item(id: try ItemID("\($0)"), cell: "C", content: "0"), in: "s")
    }
    try define(#"{"derived":"before","of":"long"\#(members)}"#)
    let before = try repository.revision(of: "before")
    try repository.commit([.insertSection("s")] + items, to: "long")
    try define(#"{"derived":"after","of":"long"\#(members)}"#)
    let after = try repository.revision(of: "after")
    try repository.commit([.deleteItem("0")], to: "long")
    #expect(try repository.checkInvariants() == [])
    let logged = try repository.commits(of: "before", after: before).flatMap(\.entries)
    #expect(logged.count > 11_000)
    #expect(try repository.commits(of: "after", after: after).flatMap(\.entries).count > 0)
  }

  /// As after an update of the system, or in a store of a device.
  @Test(arguments: ["", #","limit":3"#]) func aListInTheOrderOfAnotherSystem(
    _ members: String
  ) throws {
    let line =
      #"{"derived":"e","of":"one","sort":[{"path":"","collation":"localized"}]\#(members)}"#
    try define(line)
    let ids = { try repository.tree(of: "e").sections.flatMap(\.items).map(\.id) }
    #expect(try ids() == ["a"])
    try repository.close()
    let queue = try DatabaseQueue(path: folder.file("store.sqlite").path)
    try queue.write { db in
      let names = try String.fetchAll(
        db, sql: "SELECT DISTINCT collation FROM derivedList WHERE collation IS NOT NULL")
      #expect(names == [SystemCollation.name])
      try db.execute(
        sql: "UPDATE derivedList SET collation = 'another' WHERE collation IS NOT NULL")
    }
    try queue.close()
    let other = try Repository(existing: folder.file("store.sqlite"))
    func shown() throws -> [ItemID] {
      #expect(try other.checkInvariants() == [])
      return try other.tree(of: "e").sections.flatMap(\.items).map(\.id)
    }
    try other.commit(
      [.insertItem(Item(id: "b", cell: "C", content: "\"b\""), in: "s", at: .start)], to: "one")
    #expect(try shown() == ["a"])
    #expect(try other.lagsOfDerivedLists() == ["e": 1])
    try other.define([(try DerivedDefinition(parsing: Array(line.utf8)), 1)])
    #expect(try shown() == ["a", "b"])
    #expect(try other.lagsOfDerivedLists() == [:])
    try other.commit([.deleteItem("a")], to: "one")
    #expect(try shown() == ["b"])
  }
}
