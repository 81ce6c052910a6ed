import BatchUpdates
import Cellar
import DerivedLists
import Foundation
import ListStore
import TestSupport
import Testing

/// Derived lists whose definitions have closures: in a process that has them, and beside one that has
/// not.
@Suite struct ComputedListTests {
  private struct Note: ListItem {
    typealias Cell = Never
    var id: String
    var text: String
    var rank = 0
    var cellName: CellName { "Note" }

    /// Not encoded.
    var length: Int { text.count }
    var initial: String { String(text.prefix(1)) }
  }

  private let folder: TemporaryFolder
  private let file: URL

  init() throws {
    folder = try TemporaryFolder()
    file = folder.file("store.sqlite")
  }

  private func notes(_ repository: Repository) -> LiveList {
    repository.liveList("notes", items: [Note.self])
  }

  private typealias Define = @Sendable (LiveList) throws -> DerivedList

  private static let definitions: [Define] = [
    {
      try $0.derived("d", of: Note.self, version: 1) {
        $0.where { $0.computed { $0.length } > 3 }
      }
    },
    { try $0.derived("d", of: Note.self, version: 1) { $0.sorted(by: { $0.length }, .reverse) } },
    {
      try $0.derived("d", of: Note.self, version: 1) {
        $0.where { $0.computed { $0.length } > 2 && $0.rank < 8 }.sorted(by: \.initial)
          .sorted(by: \.rank)
      }
    },
    {
      try $0.derived("d", of: Note.self, version: 1) {
        $0.sorted(by: \.rank).sections(by: { $0.initial }, .reverse)
      }
    },
    {
      try $0.derived("d", of: Note.self, version: 1) {
        $0.where { $0.computed { $0.length } > 1 }.sections(by: \.initial, .source)
      }
    },
    {
      try $0.derived("d", of: Note.self, version: 1) {
        $0.where { $0.computed { $0.length } > 1 }.sections(by: \.rank)
      }
    },
    {
      try $0.derived("d", of: Note.self, version: 1) {
        $0.sorted(by: { $0.length }).sections(by: { $0.length }).limit(7)
      }
    },
  ]

  /// Of an item that has only another cell, a list that is behind names the content that the source has.
  @Test func anotherCellIsNoDamageOfAListThatIsBehind() throws {
    let (here, there) = (try Repository(at: file), try Repository(at: file))
    let list = notes(here)
    try list.commit([.insertSection("s")])
    try list.edit { try $0.insert(Note(id: "a", text: "long enough"), in: "s") }
    _ = try Self.definitions[0](list)
    try there.commit([.updateItem("a", ItemUpdate(cell: .set("Other")))], to: "notes")
    #expect(try there.lagsOfDerivedLists() == ["d": 1])
    for repository in [here, there] { #expect(try repository.checkInvariants() == []) }
    try here.catchUpDerivedLists()
    #expect(try here.tree(of: "d").sections[0].items[0].state.cell == "Other")
    #expect(try here.checkInvariants() == [])
  }

  /// What the definitions make, written down once more.
  private static func wanted(_ number: Int, _ tree: ListTree) throws -> [(String, [String])] {
    let items = try tree.sections.flatMap { section in
      try section.items.map { (section.id.rawValue, try $0.value(as: Note.self)) }
    }
    let notes = items.map(\.1)
    func groups<Key: Hashable & Comparable>(
      _ notes: [Note], _ key: (Note) -> Key, _ name: (Key) -> String, by order: ([Key]) -> [Key]
    ) -> [(String, [String])] {
      var met: [Key] = []
      for note in notes where !met.contains(key(note)) { met.append(key(note)) }
      return order(met).map { value in
        (name(value), notes.filter { key($0) == value }.map(\.id))
      }
    }
    func stable(_ notes: [Note], _ precedes: (Note, Note) -> Bool) -> [Note] {
      notes.enumerated().sorted {
        precedes($0.element, $1.element)
          || !precedes($1.element, $0.element) && $0.offset < $1.offset
      }.map(\.element)
    }
    func initial(_ text: String) -> String { text.isEmpty ? "\"\"" : text }
    switch number {
    case 0:
      return tree.sections.compactMap { section in
        let found = items.filter { $0.0 == section.id.rawValue && $0.1.text.count > 3 }.map(\.1.id)
        return found.isEmpty ? nil : (section.id.rawValue, found)
      }
    case 1: return [("items", stable(notes) { $0.text.count > $1.text.count }.map(\.id))]
    case 2:
      let found = notes.filter { $0.text.count > 2 && $0.rank < 8 }
      return [
        ("items", stable(found) { ($0.initial, $0.rank) < ($1.initial, $1.rank) }.map(\.id))
      ]
    case 3:
      return groups(stable(notes) { $0.rank < $1.rank }, \.initial, initial) { $0.sorted(by: >) }
    case 4: return groups(notes.filter { $0.text.count > 1 }, \.initial, initial) { $0 }
    case 5:
      return groups(notes.filter { $0.text.count > 1 }, \.rank, { "\($0)" }) { $0.sorted() }
    default:
      var left = 7
      return groups(notes, \.length, { "\($0)" }) { $0.sorted() }.compactMap { name, items in
        let first = items.prefix(left)
        left -= first.count
        return first.isEmpty ? nil : (name, Array(first))
      }
    }
  }

  private static func change(_ list: ListEditor, _ generator: inout SeededGenerator) throws {
    let ids = try list.tree().sections.flatMap(\.items).map(\.id)
    func note(_ id: String) -> Note {
      Note(
        id: id, text: String("abcab".shuffled(using: &generator).prefix(generator.number(0..<6))),
        rank: generator.number(0..<10))
    }
    let sections: [SectionID] = ["s", "t", "u"]
    for section in sections { try list.insertSectionIfMissing(section) }
    guard let id = ids.randomElement(using: &generator), generator.percent(75) else {
      let id = "n\(generator.number(0..<60))"
      guard !ids.map(\.rawValue).contains(id) else { return }
      try list.insert(note(id), in: sections[generator.number(0..<3)])
      return
    }
    switch generator.number(0..<8) {
    case 0...2: _ = try list.update(note(id.rawValue))
    case 3: try list.move(id, in: sections[generator.number(0..<3)], to: .start)
    case 4:
      try list.delete(id)
      if generator.percent(50) { try list.insert(note(id.rawValue), in: "t") }
    case 5: try list.moveSection("t", to: generator.percent(50) ? .start : .end)
    case 6: if generator.percent(20) { try list.deleteSection("u") }
    default: try list.delete(id)
    }
  }

  /// `CELLAR_DERIVED_SEEDS` asks for another number.
  private static let seeds: Range<UInt64> = {
    let more = ProcessInfo.processInfo.environment["CELLAR_DERIVED_SEEDS"].flatMap(UInt64.init)
    return 0..<(more ?? 14)
  }()

  @Test(arguments: seeds)
  func besideAProcessWithoutTheClosures(_ seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    let number = Int(seed) % Self.definitions.count
    var options = Repository.Options()
    options.logRetention = nil
    let repository = try Repository(at: file, options: options)
    let other = try Repository(at: file, options: options)
    var source = notes(repository)
    source.policy = UpdatePolicy(proof: .everything)
    let derived = try Self.definitions[number](source)
    var shown = try derived.provider()
    var view = CheckingView(showing: shown.tree)
    func advance(_ context: String) throws {
      let update = try derived.advance(&shown)
      do { try view.perform(update, showing: shown.tree) } catch {
        Issue.record("\(context): \(error) \(update)")
      }
    }
    try source.edit { try $0.insertSectionIfMissing("s") }
    for step in 0..<50 {
      let isOther = generator.percent(60)
      let writer = isOther ? notes(other) : source
      let revision = try source.revision()
      if generator.percent(4) {
        _ = try? writer.undo()
      } else {
        try writer.edit { list in
          for _ in 0..<generator.number(1..<4) { try Self.change(list, &generator) }
        }
      }
      if generator.percent(5) {
        try other.truncateLog(of: "notes", keeping: LogRetention(changes: 0))
      }
      // An undo of nothing.
      if try source.revision() == revision { continue }
      let context = "seed \(seed), step \(step)"
      if isOther {
        // It has nothing that its source has not; what is there is as the closures have seen it.
        let ids = Set(try source.tree().sections.flatMap(\.items).map(\.id))
        let tree = try derived.tree()
        #expect(tree.sections.flatMap(\.items).allSatisfy { ids.contains($0.id) }, "\(context)")
        #expect(try other.checkInvariants() == [], "\(context)")
        try advance(context)
        if generator.percent(60) { continue }
        // As the next launch does.
        _ = try Self.definitions[number](source)
      }
      let wanted = try Self.wanted(number, source.tree())
      let tree = try derived.tree()
      #expect(tree.sections.map(\.id.rawValue) == wanted.map(\.0), "\(context)")
      #expect(
        tree.sections.map { $0.items.map(\.id.rawValue) } == wanted.map(\.1), "\(context)")
      #expect(try repository.checkInvariants() == [], "\(context)")
      try advance(context)
    }
  }

  /// Whoever shows the list sees what another process has done, as soon as it is heard of.
  @Test(.timeLimit(.minutes(1))) func aScreenCatchesUpByItself() async throws {
    let source = notes(try Repository(at: file))
    try await source.edit { list in
      try list.insertSectionIfMissing("s")
      try list.insert(Note(id: "a", text: "long enough"), in: "s")
    }
    let long = try Self.definitions[0](source)
    var updates = long.updates().makeAsyncIterator()
    let other = notes(try Repository(at: file))
    try await other.edit { _ = try $0.insert(Note(id: "b", text: "as long"), in: "s") }
    #expect(try await updates.next()?.provider.numberOfItems == 2)
    #expect(try source.repository.lagsOfDerivedLists() == [:])
  }

  /// What a process without the closures deletes is gone; what it inserts is told of.
  @Test func howFarItIsBehind() throws {
    let source = notes(try Repository(at: file))
    try source.edit { list in
      try list.insertSectionIfMissing("s")
      for id in ["a", "b"] { try list.insert(Note(id: id, text: id), in: "s") }
    }
    for number in [1, 6] {
      let list = try Self.definitions[number](source)
      let other = notes(try Repository(at: file))
      try other.edit { try $0.delete("a") }
      try other.edit { try $0.insert(Note(id: "a", text: "later"), in: "s") }
      #expect(try list.tree().sections.flatMap(\.items).map(\.id) == ["b"])
      #expect(try other.repository.lagsOfDerivedLists() == ["d": 2])
      #expect(try other.repository.checkInvariants() == [])
      // A commit of a process that has them brings it up to date, too.
      try source.edit { try $0.update("b", \Note.rank, to: number) }
      #expect(try other.repository.lagsOfDerivedLists() == [:])
      #expect(try list.count() == 2)
    }
  }

  /// Who only reads is shown what there is.
  @Test func aListThatIsBehindIsReadAsItIs() throws {
    let source = notes(try Repository(at: file))
    try source.edit { try $0.insertSectionIfMissing("s") }
    _ = try Self.definitions[0](source)
    let other = notes(try Repository(at: file))
    try other.edit { _ = try $0.insert(Note(id: "a", text: "long enough"), in: "s") }
    #expect(try Self.definitions[0](notes(Repository(readingOnly: file))).count() == 0)
    #expect(try Self.definitions[0](source).count() == 1)
    #expect(try Self.definitions[0](notes(Repository(readingOnly: file))).count() == 1)
  }

  /// A store that is opened without the closures defines nothing by them, and says so.
  @Test func withoutTheClosures() throws {
    let source = notes(try Repository(at: file))
    let list = try Self.definitions[1](source)
    let known = try #require(try source.repository.derivedLists().first?.definition.json.text)
    let definition = try DerivedDefinition(
      parsing: Array(known.replacingOccurrences(of: "#computed/1/", with: "#computed/2/").utf8))
    let other = try Repository(at: file)
    #expect {
      try other.define([(definition, 3)], from: "lists.ndjson")
    } throws: {
      ($0 as? StoreError)?.code == .invalidValue && "\($0)".contains("lists.ndjson, line 3")
        && "\($0)".contains("closures")
    }
    #expect {
      try notes(other).derived(by: definition.json)
    } throws: {
      ($0 as? StoreError)?.code == .invalidValue && "\($0)".contains("closures")
    }
    try notes(other).edit { list in
      try list.insertSectionIfMissing("s")
      try list.insert(Note(id: "a", text: "a"), in: "s")
    }
    #expect(try list.count() == 0)
    #expect(try Self.definitions[1](source).count() == 1)
  }

  @Test func whatTakesAVersion() throws {
    let source = notes(try Repository(at: file))
    for query in [
      { $0.sorted(by: { $0.length }) }, { $0.sorted(by: \.length) }, { $0.sections(by: \.initial) },
      { $0.where { $0.computed { $0.length } > 1 } },
    ] as [(DerivedQuery<Note>) -> DerivedQuery<Note>] {
      #expect {
        try source.derived("x", of: Note.self, query)
      } throws: {
        ($0 as? StoreError)?.code == .invalidValue
      }
      try source.derived("x", of: Note.self, version: 1, query)
      let first = try source.repository.derivedLists().first?.definition
      #expect(first?.computedFields.count == 1)
      // A version is a definition of its own.
      try source.derived("x", of: Note.self, version: 2, query)
      #expect(try source.repository.derivedLists().first?.definition.json != first?.json)
      // It writes nothing that others have to follow, so it needs none.
      _ = try source.passing(of: Note.self, query).provider()
    }
    // What is encoded stays data.
    try source.derived("y", of: Note.self, version: 1) {
      $0.sorted(by: \.rank).sections(by: \.text)
    }
    let data = try source.repository.derivedLists().last?.definition
    #expect(data?.json.text.contains("#computed") == false)
  }

  @Test func aPassingListByAClosure() throws {
    let source = notes(try Repository(at: file))
    try source.edit { list in
      try list.insertSectionIfMissing("s")
      for id in ["a", "bbb", "cc"] { try list.insert(Note(id: id, text: id), in: "s") }
    }
    let passing = try source.passing(of: Note.self) { $0.sorted(by: \.length, .reverse) }
    let sections = try passing.provider().tree.sections
    #expect(sections.map { $0.items.map(\.id) } == [["bbb", "cc", "a"]])
    #expect(try passing.count() == 3)
    try passing.show { $0.where { $0.computed { $0.length } > 1 } }
    #expect(try passing.count() == 2)
  }

  /// A long list that is defined anew begins its log there; a screen gets what differs all the same.
  @Test func aLongListThatIsDefinedAnewIsAnUpdate() throws {
    let source = notes(try Repository(at: file))
    try source.edit { list in
      try list.insertSectionIfMissing("s")
      for number in 0..<3_000 {
        try list.insert(Note(id: "n\(number)", text: "t", rank: number % 500), in: "s")
      }
    }
    let list = try source.derived("d", of: Note.self) { $0.where { $0.rank < 490 } }
    var shown = try list.provider()
    var view = CheckingView(showing: shown.tree)
    for rank in [480, 495] {
      try source.derived("d", of: Note.self) { $0.where { $0.rank < rank } }
      let update = try list.advance(&shown)
      guard case .batch = update.mode else {
        Issue.record("\(update)")
        return
      }
      try view.perform(update, showing: shown.tree)
      #expect(shown.numberOfItems == rank * 6)
    }
    #expect(try list.revision() == 3)
  }
}
