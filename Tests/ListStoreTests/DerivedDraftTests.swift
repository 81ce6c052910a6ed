import BatchUpdates
import DerivedLists
import Foundation
import ListModel
import ListStore
import ListTables
import TestSupport
import Testing

/// Long derived lists are made in slices.
@Suite struct DerivedDraftTests {
  private let folder: TemporaryFolder
  private let file: URL

  init() throws {
    folder = try TemporaryFolder()
    file = folder.file("store.sqlite")
  }

  @Test func slicesAreShorterWhereWhatTheyWriteTakesLong() {
    var pace = SlicePace()
    let first = pace.time
    pace.note(.milliseconds(35))
    #expect(pace.time < first && pace.time > first / 2)
    for _ in 0..<20 { pace.note(.seconds(1)) }
    #expect(pace.time == .milliseconds(1), "something is done in each")
    for _ in 0..<20 { pace.note(.zero) }
    #expect(pace.time == .milliseconds(20))
    // As much again as the time, and more: it comes to rest where both together take 25 ms.
    for _ in 0..<20 { pace.note(pace.time * 2 + .milliseconds(5)) }
    #expect(abs(pace.time / .milliseconds(10) - 1) < 0.01)
  }

  private func content(_ number: Int) -> JSON {
    JSON(minified: #"{"t":"\#(number &* 7919 % 10_007)","n":\#(number % 40)}"#)
  }

  /// 2,200 items in three sections, of which some have sizes.
  private func makeStore() throws -> Repository {
    let repository = try Repository(at: file)
    var changes: [Change] = (0..<3).map { .insertSection(SectionID(stringLiteral: "s\($0)")) }
    for number in 0..<2_200 {
      changes.append(
        .insertItem(
          Item(id: try ItemID("i\(number)"), cell: "C", content: content(number)),
          in: SectionID(stringLiteral: "s\(number % 3)")))
    }
    try repository.commit(changes, to: "l")
    try measure(0..<1_000, repository)
    return repository
  }

  private func measure(_ numbers: Range<Int>, _ repository: Repository) throws {
    let sizes = try numbers.map { number in
      MeasuredSize(
        item: try ItemID("i\(number)"), size: Size(width: 320, height: Double(40 + number % 50)),
        cell: "C", contentRevision: 0)
    }
    try repository.save(
      sizes, for: SizeKey(fittingPixels: 320, environment: LayoutEnvironment()), in: "l")
  }

  /// `CELLAR_DRAFT_SEEDS` asks for more of them.
  private static let seeds: ClosedRange<UInt64> =
    1...(ProcessInfo.processInfo.environment["CELLAR_DRAFT_SEEDS"].flatMap(UInt64.init) ?? 1)

  private static let lines = [
    #"{"derived":"d","of":"l","sort":[{"path":"/t"}]}"#,
    ##"{"derived":"d","of":"l","where":[{"path":"/n","lt":35}],"section":{"path":"#section"}}"##,
    #"{"derived":"d","of":"l","sort":[{"path":"/t","descending":true}],"section":{"path":"/n"}}"#,
    #"{"derived":"d","of":"l","sort":[{"path":"/t"}],"section":{"path":"/n","order":"source"},"limit":50}"#,
  ]

  private func definition(_ line: String) throws -> DerivedDefinition {
    try DerivedDefinition(parsing: Array(line.utf8))
  }

  private func change(_ repository: Repository, _ generator: inout SeededGenerator) throws {
    let id = try ItemID("i\(generator.number(0..<2_200))")
    let section = SectionID(stringLiteral: "s\(generator.number(0..<3))")
    let content = content(generator.number(0..<100_000))
    let change: Change =
      switch generator.number(0..<6) {
      case 0: .deleteItem(id)
      case 1: .moveItem(id, in: section, to: .start)
      case 2:
        .insertItem(
          Item(id: try ItemID("n\(generator.next())"), cell: "C", content: content), in: section)
      case 3: .touchItem(id)
      case 4: .moveSection(section, to: .start)
      default: .updateItem(id, ItemUpdate(content: .set(content)))
      }
    // An item may be gone.
    _ = try? repository.commit([change], to: "l")
  }

  /// Others change the source between the slices; the list is made by one commit.
  @Test(arguments: lines, seeds)
  func othersGoOnBetweenTheSlices(_ line: String, _ seed: UInt64) throws {
    let repository = try makeStore()
    let other = try Repository(at: file)
    var generator = SeededGenerator(seed: seed)
    var steps: [Double] = []
    var changeCount = 0
    try repository.define([(try definition(line), 1)]) { part in
      steps.append(part)
      // Nobody sees it.
      #expect((try? repository.lists()) == ["l"])
      #expect((try? repository.checkInvariants()) == [])
      for _ in 0..<6 {
        #expect(throws: Never.self) { try change(other, &generator) }
        changeCount += 1
      }
      let number = generator.number(0..<2_000)
      #expect(throws: Never.self) { try measure(number..<number + 9, other) }
    }
    #expect(steps.last == 1 && steps == steps.sorted() && changeCount > 5)
    #expect(try repository.revision(of: "d") == 1)
    try repository.expectDerived(line, "made")
    for _ in 0..<20 { try change(other, &generator) }
    try repository.expectDerived(line, "followed")
    #expect(try repository.lists() == ["d", "l"])
  }

  /// A commit that the list does not care for is one that it has followed.
  @Test func aCommitOfOtherItemsIsFollowed() throws {
    let repository = try makeStore()
    try repository.define([(try definition(Self.lines[0]), 1)])
    let line = #"{"derived":"d","of":"l","where":[{"path":"/n","lt":35}],"limit":70}"#
    var isDone = false
    try repository.define([(try definition(line), 1)]) { _ in
      if isDone { return }
      isDone = true
      #expect((try? repository.commit([.touchItem("i39")], to: "l")) != nil)
    }
    #expect(isDone)
    try repository.expectDerived(line, "made")
  }

  /// No commit takes items out of a draft before they have rows.
  @Test func whatIsErasedIsInNoDraft() throws {
    let repository = try makeStore()
    let definition = try definition(Self.lines[0])
    var draft = try repository.read("") { db in
      try DerivedDraft(definition, of: #require(try Statements(db).rows("l")))
    }
    var isFilled = false
    while !isFilled {
      if case .unknown = try repository.fillSlice(of: &draft, ordinal: 1, by: .app) {
        isFilled = true
      }
    }
    func drafts() throws -> Int {
      try repository.read("") { try Statements($0).derivedLists().count(where: \.isUnfinished) }
    }
    #expect(try drafts() == 1)
    let erased = try repository.erase([.item("i1234", of: "l")])
    #expect(erased.isComplete)
    #expect(try drafts() == 0)
    #expect(try repository.checkInvariants() == [])
    guard case .outdated = try repository.fillSlice(of: &draft, ordinal: 1, by: .app) else {
      Issue.record("it is gone")
      return
    }
    try repository.define([(definition, 1)])
    try repository.expectDerived(Self.lines[0], "begun anew")
    for name in ["store.sqlite", "store.sqlite-wal"] {
      let bytes = try? Data(contentsOf: folder.file(name))
      #expect(bytes?.range(of: Data("i1234".utf8)) == nil, "\(name)")
    }
  }

  /// The source has had more revisions when the order was found than it has now.
  @Test func aSourceThatIsMadeAnewMeanwhileIsReadAnew() throws {
    let line = Self.lines[0]
    let repository = try makeStore()
    for _ in 0..<5 { try repository.commit([.touchItem("i1")], to: "l") }
    let definition = try definition(line)
    var draft = try repository.read("") { db in
      try DerivedDraft(definition, of: #require(try Statements(db).rows("l")))
    }
    try repository.deleteList("l")
    try repository.commit([.insertSection("s0")], to: "l")
    guard case .outdated = try repository.fillSlice(of: &draft, ordinal: 1, by: .app) else {
      Issue.record("its order is that of another list")
      return
    }
    try repository.define([(definition, 1)])
    try repository.expectDerived(line, "of the new one")
  }

  /// Another definition takes the place of the list when it is whole; until then the list follows its source.
  @Test func whatWasThereIsThereUntilTheOtherIsWhole() throws {
    let repository = try makeStore()
    for (number, line) in Self.lines.enumerated() {
      let before = number == 0 ? nil : Self.lines[number - 1]
      var steps = 0
      try repository.define([(try definition(line), 1)]) { _ in
        steps += 1
        guard let before, steps == 1 else { return }
        let id = ItemID(stringLiteral: "new\(number)")
        let insert = Change.insertItem(Item(id: id, cell: "C", content: content(number)), in: "s1")
        #expect((try? repository.commit([insert], to: "l")) != nil)
        #expect(throws: Never.self) { try repository.expectDerived(before, "\(number)") }
      }
      #expect(steps > 0)
      try repository.expectDerived(line, "\(number)")
      #expect(try repository.revision(of: "d") > number)
      try repository.deleteFormerLists()
      #expect(try repository.checkInvariants() == [])
    }
    try repository.dropDerived("d")
    #expect(try repository.lists() == ["l"])
    #expect(try repository.checkInvariants() == [])
  }

  /// Another definition that makes the same list is no commit, however long the list is.
  @Test func aDefinitionThatMakesTheSameListIsNoCommit() throws {
    let repository = try makeStore()
    let lines = [#"{"path":"/n","lt":35}"#, #"{"path":"/n","le":34}"#, #"{"path":"/n","lt":30}"#]
      .map { #"{"derived":"d","of":"l","where":[\#($0)],"section":{"path":"/n"}}"# }
    for (line, revision) in zip(lines, [1, 1, 2]) {
      try repository.define([(try definition(line), 1)])
      #expect(try repository.revision(of: "d") == revision)
      #expect(try repository.derivedLists().map(\.definition.json) == [try definition(line).json])
      try repository.deleteFormerLists()
      #expect(try repository.checkInvariants() == [])
      try repository.expectDerived(line, "\(line)")
    }
    var generator = SeededGenerator(seed: 1)
    for _ in 0..<20 { try change(repository, &generator) }
    try repository.expectDerived(lines[2], "it goes on")
  }

  /// A process that ends between two slices leaves a draft, which the next one goes on with.
  @Test(arguments: lines, seeds)
  func whatWasMadeIsGoneOnWith(_ line: String, _ seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    let repository = try makeStore()
    let definition = try definition(line)
    for round in 0..<6 {
      // As a process does that is killed.
      var draft = try repository.read("") { db in
        let source = try Statements(db).rows("l")
        return try DerivedDraft(definition, of: #require(source))
      }
      for _ in 0..<2 {
        guard case .unknown = try repository.fillSlice(of: &draft, ordinal: 1, by: .app) else {
          break
        }
        try repository.read("") { try draft.look(Statements($0)) }
      }
      for _ in 0..<5 { try change(repository, &generator) }
      #expect(try repository.checkInvariants() == [], "\(round)")
    }
    try repository.define([(definition, 1)])
    try repository.expectDerived(line, "made")
    for _ in 0..<20 { try change(repository, &generator) }
    try repository.expectDerived(line, "followed")
  }
}
