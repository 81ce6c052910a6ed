import DerivedLists
import Foundation
import GRDB
import ListModel
import ListStore
import ListTables
import Providers
import StoreSchema
import TestSupport
import Testing

/// The full-text index of a long list is made in slices, while others change the list.
@Suite struct SearchIndexDraftTests {
  private let folder: TemporaryFolder
  private let repository: Repository
  private var file: URL { folder.file("store.sqlite") }
  private let paths: [ValuePath]

  init() throws {
    folder = try TemporaryFolder()
    repository = try Repository(at: folder.file("store.sqlite"))
    paths = [try ValuePath("/t")]
    var changes: [Change] = [.insertSection("s")]
    for number in 0..<2_500 {
      changes.append(.insertItem(Self.item(number), in: "s", at: .start))
    }
    try repository.commit(changes, to: "l")
  }

  private static func item(_ number: Int, _ word: String = "") -> Item {
    Item(id: ItemID(stringLiteral: "i\(number)"), cell: "C", content: content(number, word))
  }

  private static func content(_ number: Int, _ word: String) -> JSON {
    JSON(stringLiteral: #"{"t":"word\#(number % 7) some more of it \#(number) \#(word)"}"#)
  }

  private func searched() throws -> SearchedPaths { try #require(SearchedPaths(paths)) }

  private func draft() throws -> SearchIndexDraft {
    let searched = try searched()
    return try repository.read("") { db in
      try SearchIndexDraft(of: #require(try Statements(db).rows("l")), searched, isKept: true)
    }
  }

  /// Adds so many slices of 32 items, as a process does that is killed then.
  private func addSlices(_ count: Int, to draft: inout SearchIndexDraft) throws {
    for _ in 0..<count {
      draft.pace = SlicePace(time: .zero)
      _ = try repository.fillSlice(of: &draft)
    }
  }

  private func found(_ text: String) throws -> Set<ItemID> {
    let line = #"{"derived":"p","of":"l","where":[{"paths":["/t"],"matches":"\#(text)"}]}"#
    let definition = try DerivedDefinition(parsing: Array(line.utf8))
    let sections = try repository.provider(for: definition, number: 1).tree.sections
    return Set(sections.flatMap(\.items).map(\.id))
  }

  private func change(_ number: Int) throws {
    let id = ItemID(stringLiteral: "i\(number * 131 % 2_500)")
    let change: Change =
      switch number % 4 {
      case 0: .deleteItem(id)
      case 1: .insertItem(Self.item(10_000 + number, "new"), in: "s")
      default: .updateItem(id, ItemUpdate(content: .set(Self.content(number, "changed"))))
      }
    // An item may be gone.
    _ = try? repository.commit([change], to: "l")
  }

  /// The first items, by their rows, that the index does not have.
  private func nextItems(_ count: Int) throws -> [ItemID] {
    try repository.read("") { db in
      try String.fetchAll(
        db,
        sql: """
          SELECT item.name FROM item, searchIndex WHERE item.id > filledUpTo ORDER BY item.id LIMIT ?
          """, arguments: [count]
      ).map { try ItemID($0) }
    }
  }

  @Test func othersChangeTheListBetweenTheSlices() throws {
    for round in 0..<12 {
      var draft = try draft()
      try addSlices(3, to: &draft)
      #expect(try repository.searchIndexes().count == 1)
      for number in 0..<6 { try change(round * 6 + number) }
      // The next ones that this draft adds.
      let next = try nextItems(2)
      try #require(next.count == 2)
      try repository.commit(
        [
          .updateItem(next[0], ItemUpdate(content: .set(Self.content(round, "changed")))),
          .deleteItem(next[1]),
        ], to: "l")
      // The list is another one by now: it is read again when three slices have found that out.
      try addSlices(5, to: &draft)
      #expect(try repository.checkInvariants() == [], "\(round)")
      // Found without an index, since that has not all.
      #expect(try found("changed").count > round, "\(round)")
    }
    let changed = try found("changed")
    try repository.keepSearchIndex(of: "l", at: paths)
    #expect(try repository.checkInvariants() == [])
    #expect(try found("changed") == changed)
    for number in 0..<40 { try change(200 + number) }
    #expect(try repository.checkInvariants() == [])
    let kept = try found("word3")
    try repository.dropSearchIndex(of: "l", at: paths)
    #expect(try found("word3") == kept && repository.checkInvariants() == [])
  }

  /// One that a process has left is deleted with all its words.
  @Test func whatIsLeftIsDropped() throws {
    var draft = try draft()
    try addSlices(5, to: &draft)
    try repository.dropSearchIndex(of: "l", at: paths)
    #expect(try repository.searchIndexes().isEmpty && repository.checkInvariants() == [])
    try addSlices(1, to: &draft)
    #expect(try repository.checkInvariants() == [], "it is begun anew")
    try repository.deleteList("l")
    #expect(try repository.searchIndexes().isEmpty && repository.checkInvariants() == [])
  }

  /// An earlier version would take it for a whole one.
  @Test func whatIsLeftIsNotTakenToAnEarlierVersion() throws {
    var draft = try draft()
    try addSlices(5, to: &draft)
    try repository.close()
    _ = try Migrator.down(file, to: 4)
    let other = try Repository(existing: file)
    #expect(try other.searchIndexes().isEmpty && other.checkInvariants() == [])
    try other.keepSearchIndex(of: "l", at: paths)
    #expect(try other.checkInvariants() == [])
    try other.close()
    // A whole one goes along.
    _ = try Migrator.down(file, to: 4)
    let again = try Repository(existing: file)
    #expect(try again.searchIndexes().count == 1 && again.checkInvariants() == [])
  }

  /// A definition that searches has it made, and finds with it.
  @Test func definedBesideOthers() throws {
    let line = #"{"derived":"d","of":"l","where":[{"paths":["/t"],"matches":"word3"}]}"#
    try repository.define([(try DerivedDefinition(parsing: Array(line.utf8)), 1)]) { _ in
      #expect((try? repository.searchIndexes().count) == 1)
    }
    #expect(try repository.tree(of: "d").sections.flatMap(\.items).count == 357)
    #expect(try repository.checkInvariants() == [])
  }
}
