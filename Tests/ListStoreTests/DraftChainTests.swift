import DerivedLists
import Foundation
import ListModel
import ListStore
import ListTables
import TestSupport
import Testing

/// What is derived from a long list that gets another definition is made in slices, too, and takes its place
/// in the same transaction.
@Suite struct DraftChainTests {
  private let folder: TemporaryFolder
  private let repository: Repository

  init() throws {
    folder = try TemporaryFolder()
    repository = try Repository(at: folder.file("store.sqlite"))
    for list in ["l", "m"] as [ListID] {
      var changes: [Change] = (0..<3).map { .insertSection(SectionID(stringLiteral: "s\($0)")) }
      for number in 0..<2_300 {
        changes.append(
          .insertItem(
            Item(id: try ItemID("\(list)\(number)"), cell: "C", content: Self.content(number)),
            in: SectionID(stringLiteral: "s\(number % 3)")))
      }
      try repository.commit(changes, to: list)
    }
  }

  private static func content(_ number: Int) -> JSON {
    JSON(minified: #"{"t":"\#(number &* 7919 % 10_007)","n":\#(number % 40)}"#)
  }

  private func define(
    _ lines: [String], progress: (Double) throws -> Void = { _ in }
  ) throws {
    var problems: [any Error] = []
    try repository.define(
      lines.enumerated().map { (try DerivedDefinition(parsing: Array($1.utf8)), $0 + 1) }
    ) { part in
      do { try progress(part) } catch { problems.append(error) }
    }
    #expect(problems.isEmpty)
  }

  private func expect(_ lines: [String], _ comment: Comment) throws {
    for line in lines { try repository.expectTree(line, comment) }
    let problems = try repository.checkInvariants()
    #expect(problems == [], comment)
  }

  /// Several levels, and a limit, below the list that gets another definition.
  private static let below = [
    #"{"derived":"b","of":"a","where":[{"path":"/n","lt":38}],"sort":[{"path":"/t","descending":true}]}"#,
    ##"{"derived":"c","of":"b","section":{"path":"/n"}}"##,
    #"{"derived":"e","of":"b","sort":[{"path":"/n"}],"limit":40}"#,
    #"{"derived":"f","of":"e","where":[{"path":"/n","lt":1}]}"#,
  ]
  private static let above = [
    #"{"derived":"a","of":"l"}"#,
    #"{"derived":"a","of":"l","sort":[{"path":"/t"}]}"#,
    #"{"derived":"a","of":"l","where":[{"path":"/n","gt":0}],"sort":[{"path":"/t"}]}"#,
    // The same list by another definition.
    #"{"derived":"a","of":"l","where":[{"path":"/n","ge":1}],"sort":[{"path":"/t"}]}"#,
    #"{"derived":"a","of":"m","where":[{"path":"/n","gt":1}]}"#,
    #"{"derived":"a","of":"l","sort":[{"path":"/n"}],"limit":2200}"#,
    #"{"derived":"a","of":"l"}"#,
  ]

  /// `change`: What happens to the source while drafts are made.
  private func change(_ generator: inout SeededGenerator, _ repository: Repository) throws {
    let list: ListID = generator.percent(50) ? "l" : "m"
    let id = try ItemID("\(list)\(generator.number(0..<2_300))")
    let section = SectionID(stringLiteral: "s\(generator.number(0..<3))")
    let content = Self.content(generator.number(0..<100_000))
    let change: Change =
      switch generator.number(0..<5) {
      case 0: .deleteItem(id)
      case 1: .moveItem(id, in: section, to: .start)
      case 2: .touchItem(id)
      case 3:
        .insertItem(
          Item(id: try ItemID("n\(generator.next())"), cell: "C", content: content), in: section)
      default: .updateItem(id, ItemUpdate(content: .set(content)))
      }
    // An item may be gone.
    _ = try? repository.commit([change], to: list)
  }

  @Test func oneDefinitionAfterAnother() throws {
    var generator = SeededGenerator(seed: 1)
    // All at once, while none is there.
    var wholeCount = 0
    try define([Self.above[0]] + Self.below) { part in
      if part == 1 { wholeCount += 1 }
      let lists = try repository.lists()
      #expect(lists == ["l", "m"])
    }
    #expect(wholeCount == 4, "drafts of a, b, c and all of e")
    try expect([Self.above[0]] + Self.below, "made")
    let other = try Repository(existing: folder.file("store.sqlite"))
    for (number, line) in Self.above.enumerated().dropFirst() {
      let before = [Self.above[number - 1]] + Self.below
      let isAlone = number % 2 == 1
      wholeCount = 0
      var steps = 0
      try define([line]) { part in
        if part == 1 { wholeCount += 1 }
        steps += 1
        // The lists are what they were, and follow their source.
        if steps % 5 == 1 { try expect(before, "\(number), meanwhile") }
        if isAlone { return }
        for _ in 0..<3 { try change(&generator, other) }
        if steps % 5 == 2 { try expect(before, "\(number), meanwhile, changed") }
      }
      // What is derived from a list with a limit is made as it is put in its place.
      #expect(wholeCount == (line.contains("limit") ? 1 : 4), "\(number)")
      try expect([line] + Self.below, "\(number)")
      for _ in 0..<10 { try change(&generator, other) }
      try expect([line] + Self.below, "\(number), followed")
      try repository.deleteFormerLists()
      try expect([line] + Self.below, "\(number), deleted")
    }
    #expect(
      try repository.read("") { try Statements($0).derivedLists().filter(\.part.isDraft).count }
        == 0)
  }

  /// Another definition that makes the same list changes none below it.
  @Test func theSameListIsNoCommitBelow() throws {
    let below = [Self.below[0], Self.below[1]]
    try define([Self.above[2]] + below)
    let revisions = try ["a", "b", "c"].map { try repository.revision(of: $0) }
    try define([Self.above[3]])
    #expect(try ["a", "b", "c"].map { try repository.revision(of: $0) } == revisions)
    try expect([Self.above[3]] + below, "the same")
    // What the drafts were loses what the source loses.
    for number in 0..<60 { try repository.commit([.deleteItem(try ItemID("l\(number)"))], to: "l") }
    #expect(try repository.checkInvariants() == [])
    try repository.deleteFormerLists()
    try expect([Self.above[3]] + below, "deleted")
  }

  /// What lists were that are made otherwise together loses what the source loses, until it is deleted.
  @Test func formerListsLoseWhatTheSourceLoses() throws {
    try define([Self.above[1], Self.below[0]])
    let lines = [
      Self.above[2],
      #"{"derived":"b","of":"a","where":[{"path":"/n","gt":2}],"sort":[{"path":"/t"}]}"#,
    ]
    try define(lines)
    // Of those that `a` has not any more, and `b` has had.
    for number in stride(from: 0, to: 400, by: 40) {
      try repository.commit([.deleteItem(try ItemID("l\(number)"))], to: "l")
      #expect(try repository.checkInvariants() == [])
    }
    try repository.deleteFormerLists()
    try expect(lines, "deleted")
  }

  /// All definitions change, with and without a limit, in one call.
  @Test func allAtOnce() throws {
    try define([Self.above[0]] + Self.below)
    let lines = [
      Self.above[1],
      #"{"derived":"b","of":"a","where":[{"path":"/n","lt":30}],"limit":2000}"#,
      #"{"derived":"c","of":"b","section":{"path":"/t"}}"#,
      #"{"derived":"e","of":"b","sort":[{"path":"/n","descending":true}]}"#,
      #"{"derived":"f","of":"e","sort":[{"path":"/t"}],"limit":10}"#,
    ]
    try define(lines)
    try expect(lines, "once")
    try define([Self.above[0]] + Self.below)
    try expect([Self.above[0]] + Self.below, "back")
    try repository.deleteFormerLists()
    #expect(try repository.checkInvariants() == [])
    try repository.dropDerived("a")
    #expect(try repository.lists() == ["l", "m"])
    #expect(try repository.checkInvariants() == [])
  }
}
