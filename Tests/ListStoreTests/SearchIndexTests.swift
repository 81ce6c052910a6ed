import DerivedLists
import Foundation
import GRDB
import ListModel
import ListStore
import ListSync
import Providers
import StoreSchema
import TestSupport
import Testing

/// A full-text index has the words of the items, after each commit and whatever else happens.
@Suite struct SearchIndexTests {
  private let folder: TemporaryFolder
  private let repository: Repository
  private var file: URL { folder.file("store.sqlite") }
  private let paths: [ValuePath]

  init() throws {
    folder = try TemporaryFolder()
    var options = Repository.Options()
    // Some systems' SQLite overwrites what is deleted by itself.
    options.prepareConnection = { try $0.execute(sql: "PRAGMA secure_delete = OFF") }
    repository = try Repository(at: folder.file("store.sqlite"), options: options)
    paths = [try ValuePath("/t")]
  }

  private func item(_ id: String, _ text: String) -> Item {
    Item(id: ItemID(stringLiteral: id), cell: "Cell", content: content(text))
  }

  private func content(_ text: String) -> JSON { JSON(stringLiteral: #"{"t":"\#(text)"}"#) }

  private func update(_ id: String, _ text: String) -> Change {
    .updateItem(ItemID(stringLiteral: id), ItemUpdate(content: .set(content(text))))
  }

  private func define(_ list: String, of source: String = "l", _ text: String) throws {
    try repository.define([(try definition(list, of: source, text), 1)])
  }

  private func definition(
    _ list: String, of source: String, _ text: String
  ) throws -> DerivedDefinition {
    let line =
      #"{"derived":"\#(list)","of":"\#(source)","where":[{"paths":["/t"],"matches":"\#(text)"}]}"#
    return try DerivedDefinition(parsing: Array(line.utf8))
  }

  private func found(
    _ text: String, in list: ListID = "l", of other: Repository? = nil
  ) throws -> [String] {
    try (other ?? repository)
      .provider(for: definition("passing", of: list.rawValue, text), number: 1)
      .tree.sections.flatMap(\.items).map(\.id.rawValue)
  }

  private func items(of list: ListID) throws -> [String] {
    try repository.tree(of: list).sections.flatMap(\.items).map(\.id.rawValue)
  }

  private func expectSound(sourceLocation: SourceLocation = #_sourceLocation) throws {
    #expect(try repository.checkInvariants() == [], sourceLocation: sourceLocation)
  }

  /// Runs SQL as somebody does who knows SQLite.
  private func change(_ sql: String) throws {
    let queue = try DatabaseQueue(path: file.path)
    try queue.write { try $0.execute(sql: sql) }
    try queue.close()
  }

  private func indexRows() throws -> [[DatabaseValue]] { try dump(file)["searchIndex"] ?? [] }

  // MARK: Commits

  @Test func everyKindOfChange() throws {
    try repository.keepSearchIndex(of: makeList(), at: paths)
    let steps: [([Change], String, String)] = [
      ([.insertItem(item("c", "red"), in: "s")], "a c", "b"),
      ([update("a", "blue"), update("b", "red")], "b c", "a"),
      ([.deleteItem("c")], "b", "a"),
      ([.insertItem(item("c", "blue"), in: "t"), .moveItem("c", in: "s", to: .start)], "b", "c a"),
      ([.deleteItem("a"), .insertItem(item("a", "red"), in: "s")], "b a", "c"),
      ([update("a", "blue"), update("a", "green"), update("a", "red blue")], "b a", "c a"),
      ([.insertItem(item("d", "red"), in: "s"), .deleteItem("d")], "b a", "c a"),
      ([update("a", "x"), update("a", "red blue")], "b a", "c a"),
      ([.updateItem("a", ItemUpdate(content: .set(#"{"t":"red blue","u":1}"#)))], "b a", "c a"),
      ([.touchItem("a"), .moveSection("t", to: .start)], "b a", "c a"),
      ([.deleteSection("s"), .insertItem(item("e", "red"), in: "t")], "e", ""),
    ]
    for (changes, red, blue) in steps {
      try repository.commit(changes, to: "l")
      #expect(try found("red").joined(separator: " ") == red, "\(changes)")
      #expect(try found("blue").joined(separator: " ") == blue, "\(changes)")
      try expectSound()
    }
    try repository.undoCommit(repository.revision(of: "l"), of: "l")
    #expect(try found("red") == ["b", "a"])
    try expectSound()
  }

  private func makeList(_ list: ListID = "l") throws -> ListID {
    try repository.commit(
      [
        .insertSection("s"), .insertSection("t"), .insertItem(item("a", "red"), in: "s"),
        .insertItem(item("b", "blue"), in: "s"),
      ], to: list)
    return list
  }

  /// A commit that fails leaves the index as the items are.
  @Test func aCommitThatIsRefused() throws {
    try repository.keepSearchIndex(of: makeList(), at: paths)
    #expect(throws: StoreError.self) {
      try repository.commit([update("a", "green"), .deleteItem("nobody")], to: "l")
    }
    #expect(try found("red") == ["a"] && found("green") == [])
    try repository.commit([update("b", "green")], to: "l")
    #expect(try found("green") == ["b"] && found("blue") == [])
    try expectSound()
  }

  @Test func whatAnotherConnectionCommits() throws {
    try repository.keepSearchIndex(of: makeList(), at: paths)
    let other = try Repository(existing: file)
    for number in 0..<20 {
      try (number % 2 == 0 ? other : repository).commit(
        [.insertItem(item("n\(number)", "red n\(number)"), in: "s"), update("a", "n\(number)")],
        to: "l")
      #expect(try found("n\(number)") == ["a", "n\(number)"])
    }
    try other.dropSearchIndex(of: "l", at: paths)
    try repository.commit([update("a", "none")], to: "l")
    #expect(try found("none") == ["a"] && indexRows().isEmpty)
    try other.keepSearchIndex(of: "l", at: paths)
    try repository.commit([update("a", "again")], to: "l")
    #expect(try found("none") == [] && found("again") == ["a"])
    try expectSound()
  }

  /// What a feed says again as a whole, and what it takes back.
  @Test func snapshotsAndResetsOfAFeed() throws {
    try define("d", "red")
    let lines = [
      #"{"t":"commit","list":"l","seq":"1","ops":[{"op":"insertSection","section":"s"},{"op":"insertItem","item":"a","section":"s","cell":"C","content":{"t":"red"}}]}"#,
      #"{"t":"snapshot","list":"l","seq":"2","sections":[{"id":"s","items":[{"id":"b","cell":"C","content":{"t":"reds"}},{"id":"a","cell":"C","content":{"t":"blue"}}]}]}"#,
      #"{"t":"reset","list":"l","why":"test"}"#,
      #"{"t":"commit","list":"l","seq":"1","ops":[{"op":"insertSection","section":"s"},{"op":"insertItem","item":"c","section":"s","cell":"C","content":{"t":"red"}}]}"#,
    ]
    for (count, wanted) in [(1, ["a"]), (2, ["b"]), (3, []), (4, ["c"])] {
      let feed = folder.file("feed.ndjson")
      try Data((lines.prefix(count).joined(separator: "\n") + "\n").utf8).write(to: feed)
      _ = try repository.apply(FeedReader(file: feed))
      #expect(try found("red") == wanted && items(of: "d") == wanted, "\(count) lines")
      try expectSound()
    }
  }

  /// Many items of a commit are written in the order of their rows, whatever the commit's.
  @Test func manyItemsOfACommit() throws {
    try repository.keepSearchIndex(of: makeList(), at: paths)
    try repository.commit(
      (0..<2_000).map { .insertItem(item("n\($0)", "word\($0 % 7) red"), in: "t") }, to: "l")
    try repository.commit(
      (0..<2_000).map { update("n\($0 * 777 % 2_000)", "word\($0 % 5) blue") }, to: "l")
    #expect(try found("word4 blue").count == 400 && found("red") == ["a"])
    try repository.commit(
      (0..<1_000).map { .deleteItem(ItemID(stringLiteral: "n\($0 * 2)")) }, to: "l")
    #expect(try found("blue").count == 1_001)
    try expectSound()
  }

  // MARK: Which indexes there are

  @Test func definitionsHaveTheIndexesThatTheySearch() throws {
    _ = try makeList()
    #expect(try indexRows().isEmpty)
    try define("d", "red")
    let first = try indexRows()
    #expect(first.count == 1 && first[0][2] == #"["/t"]"#.databaseValue)
    try define("d", "blue")
    #expect(try indexRows() == first, "another text needs no other index")
    #expect(try items(of: "d") == ["b"])
    try define("e", of: "d", "blue")
    #expect(try indexRows() == first, "a derived list of a derived one searches the same items")
    #expect(try items(of: "e") == ["b"] && found("blue", in: "e") == ["b"])
    try repository.define([
      (
        try DerivedDefinition(
          parsing: Array(
            #"{"derived":"f","of":"e","where":[{"not":[{"paths":["/u","/t","/u"],"matches":"x"}]}],"limit":1}"#
              .utf8)), 1
      )
    ])
    #expect(try indexRows().map { $0[2] } == [#"["/t"]"#, #"["/t","/u"]"#].map(\.databaseValue))
    try repository.dropDerived("f")
    #expect(try indexRows() == first)
    try repository.keepSearchIndex(of: "e", at: paths)
    try repository.dropDerived("d")
    #expect(try indexRows().map { $0[3] } == [1.databaseValue], "it is kept")
    #expect(try found("blue") == ["b"])
    try repository.deleteList("l")
    #expect(try indexRows().isEmpty)
    try expectSound()
  }

  /// The index is made with the list, and goes with it; that of another list stays.
  @Test func listsThatComeAndGo() throws {
    try define("d", "red")
    #expect(try indexRows().isEmpty)
    try repository.keepSearchIndex(of: makeList("other"), at: paths)
    _ = try makeList()
    #expect(try indexRows().count == 2 && items(of: "d") == ["a"])
    try repository.commit([update("b", "red")], to: "l")
    #expect(try items(of: "d") == ["a", "b"] && found("red", in: "other") == ["a"])
    try repository.deleteList("l")
    #expect(try indexRows().count == 1 && found("red", in: "other") == ["a"])
    try expectSound()
  }

  @Test func pathsThatNoIndexHas() throws {
    let list = try makeList()
    for paths in [["#id"], ["/t", "#section"], []] {
      let failure = #expect(throws: StoreError.self) {
        try repository.keepSearchIndex(of: list, at: paths.map { try ValuePath($0) })
      }
      #expect(failure?.code == .invalidValue)
    }
    let failure = #expect(throws: StoreError.self) {
      try repository.keepSearchIndex(of: "nobody", at: paths)
    }
    #expect(failure?.code == .listNotFound)
  }

  /// Without its index a derived list is the same, and follows its source.
  @Test func droppedAndMadeAnew() throws {
    _ = try makeList()
    try define("d", "red")
    try repository.keepSearchIndex(of: "l", at: [ValuePath("/u")])
    #expect(try repository.dropSearchIndexes().map(\.paths) == [[ValuePath("/u")]])
    #expect(try indexRows().isEmpty && found("red") == ["a"])
    try repository.commit([update("b", "red")], to: "l")
    #expect(try items(of: "d") == ["a", "b"] && found("red") == ["a", "b"])
    try expectSound()
    let made = try repository.remakeSearchIndexes()
    #expect(made.map(\.list) == ["l"] && made.map(\.paths) == [paths])
    try repository.commit([update("a", "blue")], to: "l")
    #expect(try items(of: "d") == ["b"] && found("red") == ["b"])
    try expectSound()
    try repository.dropSearchIndex(of: "l", at: paths)
    try repository.dropSearchIndex(of: "l", at: paths)
    #expect(try indexRows().isEmpty)
    // As an app does at its next launch.
    try define("d", "red")
    #expect(try indexRows().count == 1 && items(of: "d") == ["b"])
    try repository.dropSearchIndex(of: "l", at: paths)
    try define("e", "blue")
    #expect(try indexRows().count == 1 && items(of: "e") == ["a"])
    try expectSound()
  }

  // MARK: What others have done to it

  private static let damages = [
    "INSERT INTO searchText (searchText, rowid, text) VALUES ('delete', 1 << 48 | 1, 'red')",
    "INSERT INTO searchText (rowid, text) VALUES (1 << 48 | 1, 'word')",
    "INSERT INTO searchText (rowid, text) VALUES (1 << 48 | 999, 'word')",
    "INSERT INTO searchText (rowid, text) VALUES (7 << 48 | 1, 'red')",
    "INSERT INTO searchText (searchText) VALUES ('delete-all')",
    "UPDATE searchText_data SET block = x'00' WHERE id > 10",
    "UPDATE searchText_data SET block = zeroblob(5000) WHERE id = 10",
    "DELETE FROM searchText_data", "DELETE FROM searchText_idx; DELETE FROM searchText_data",
    "UPDATE searchText_config SET v = 1", "DELETE FROM searchText_config",
    "UPDATE searchIndex SET paths = '[\"/u\"]'", "UPDATE searchIndex SET paths = '['",
    "UPDATE searchIndex SET paths = '[\"#id\"]'", "UPDATE searchIndex SET id = 2",
    "DELETE FROM searchIndex",
  ]

  @Test(arguments: damages) func aCheckFindsIt(_ sql: String) throws {
    try repository.keepSearchIndex(of: makeList(), at: paths)
    try expectSound()
    try change(sql)
    let problems = try Repository(existing: file).checkInvariants()
    #expect(
      !problems.isEmpty && problems.allSatisfy { [.search, .unreadable].contains($0.code) },
      "\(problems)")
  }

  /// Making the indexes anew mends what is wrong with their words, where FTS5 can open its tables.
  @Test(arguments: damages.prefix(7)) func makingItAnewMendsIt(_ sql: String) throws {
    try repository.keepSearchIndex(of: makeList(), at: paths)
    try change(sql)
    let other = try Repository(existing: file)
    try other.remakeSearchIndexes()
    #expect(try other.checkInvariants() == [])
    try other.commit([update("b", "red")], to: "l")
    #expect(try found("red", of: other) == ["a", "b"])
    #expect(try other.checkInvariants() == [])
  }

  /// No commit fails because of words that others have damaged, and none is lost.
  @Test(arguments: damages.prefix(11)) func aCommitGoesOn(_ sql: String) throws {
    try define("d", "red")
    _ = try makeList()
    try change(sql)
    let other = try Repository(existing: file)
    for number in 0..<30 {
      try other.commit([update("a", "red \(number)"), update("b", "blue \(number)")], to: "l")
      #expect(try other.tree(of: "d").sections[0].items.map(\.id) == ["a"])
    }
    try other.commit([.deleteItem("b")], to: "l")
    #expect(try other.tree(of: "l").sections[0].items.map(\.state.content) == [content("red 29")])
    let problems = try other.checkInvariants()
    #expect(problems.allSatisfy { [.search, .unreadable].contains($0.code) }, "\(problems)")
  }

  /// Another program's change of a content is in the index when the store is opened next.
  @Test func whatAnotherProgramHasWritten() throws {
    _ = try makeList()
    try define("d", "red")
    try change(#"UPDATE content SET content = '{"t":"green"}' WHERE content LIKE '%red%'"#)
    let other = try Repository(existing: file)
    #expect(try found("green", of: other) == ["a"])
    #expect(try other.tree(of: "d").sections.flatMap(\.items) == [])
    #expect(try other.checkInvariants() == [])
  }

  /// While the store is open the index does not know of it, and is not believed.
  @Test func whatAnotherProgramWritesMeanwhile() throws {
    try repository.keepSearchIndex(of: makeList(), at: paths)
    #expect(try found("red") == ["a"])
    try change(#"UPDATE content SET content = '{"t":"green"}' WHERE content LIKE '%red%'"#)
    #expect(try found("red") == [])
  }

  /// Rows need not be near each other.
  @Test func rowsFarApart() throws {
    try repository.keepSearchIndex(of: makeList(), at: paths)
    try repository.close()
    try change("UPDATE store SET lastItem = lastItem + (1 << 40)")
    let other = try Repository(existing: file)
    for id in ["c", "d", "e"] {
      try other.commit([.insertItem(item(id, id == "d" ? "blue" : "red"), in: "s")], to: "l")
    }
    #expect(try found("red", of: other) == ["a", "c", "e"])
    #expect(try found("blue", of: other) == ["b", "d"])
  }

  // MARK: Erasing

  /// The places of a text in the files of the store.
  private func places(of text: String) throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: folder.url.path).filter { name in
      try Data(contentsOf: folder.file(name)).range(of: Data(text.utf8)) != nil
    }
  }

  @Test func noWordOfWhatIsErasedIsLeft() throws {
    _ = try makeList()
    try define("d", "red")
    for number in 0..<40 {
      // Words that share nothing with those before them, so that FTS5 writes all of their letters.
      try repository.commit(
        [
          .insertItem(item("x\(number)", "q\(number)zyxsecret q\(number)common"), in: "s"),
          update("a", "j\(number)uvwsecret red"),
        ], to: "l")
    }
    for number in 0..<40 where number != 7 {
      try repository.commit([.deleteItem(ItemID(stringLiteral: "x\(number)"))], to: "l")
    }
    try repository.commit([update("a", "red")], to: "l")
    #expect(try !places(of: "zyxsecret").isEmpty && !places(of: "uvwsecret").isEmpty)
    let erased = try repository.erase(
      (0..<40).map { .item(ItemID(stringLiteral: "x\($0)"), of: "l") } + [.item("a", of: "l")])
    #expect(erased.isComplete, "\(erased.remaining)")
    #expect(try places(of: "zyxsecret") == [] && places(of: "uvwsecret") == [])
    #expect(try found("blue") == ["b"] && items(of: "d") == [])
    try expectSound()
  }

  /// Words of items that were deleted are taken out without naming anything.
  @Test func wordsOfWhatWasDeletedBefore() throws {
    try repository.keepSearchIndex(of: makeList(), at: paths)
    try repository.keepSearchIndex(of: makeList("other"), at: paths)
    for number in 0..<20 {
      try repository.commit([update("a", "q\(number)zyxsecret")], to: "l")
    }
    try repository.deleteList("l")
    let erased = try repository.erase([])
    #expect(erased.isComplete, "\(erased.remaining)")
    #expect(try places(of: "zyxsecret") == [])
    #expect(try found("red", in: "other") == ["a"])
    try expectSound()
  }

  /// An app asks for it at each launch, and waits for nobody who writes then.
  @Test func oneThatIsThereIsNotMadeAgain() throws {
    let list = try makeList()
    try repository.keepSearchIndex(of: list, at: paths)
    let writer = try DatabaseQueue(path: file.path)
    try writer.writeWithoutTransaction { db in
      try db.execute(sql: "BEGIN IMMEDIATE")
      #expect(throws: Never.self) { try repository.keepSearchIndex(of: list, at: paths) }
      try db.execute(sql: "ROLLBACK")
    }
    try writer.close()
  }

  // MARK: Schema versions

  /// An earlier version has no index; the app asks for it again when the store is migrated.
  @Test func downAndUpAgain() throws {
    try repository.keepSearchIndex(of: makeList(), at: paths)
    try repository.close()
    #expect(
      try Migrator.down(file, to: 1).names == [
        "v0006_pages_ahead", "v0005_search_slices", "v0004_borrowed_items", "v0003_gaps",
        "v0002_derived_lists",
      ])
    #expect(try dump(file).keys.filter { $0.hasPrefix("search") }.isEmpty)
    let other = try Repository(existing: file)
    #expect(try other.searchIndexes().isEmpty && other.checkInvariants() == [])
    try other.keepSearchIndex(of: "l", at: paths)
    #expect(try found("red", of: other) == ["a"])
    #expect(try other.checkInvariants() == [])
  }
}
