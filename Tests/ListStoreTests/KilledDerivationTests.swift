import DerivedLists
import Foundation
import ListModel
import ListStore
import ListTables
import TestSupport
import Testing

/// A process that makes long derived lists is killed at random moments.
@Suite struct KilledDerivationTests {
  private static let kills =
    ProcessInfo.processInfo.environment["CELLAR_KILLS"].flatMap(Int.init) ?? 4

  private static let lines = [
    #"{"derived":"d","of":"l","sort":[{"path":"/t"}]}"#,
    #"{"derived":"d","of":"l","sort":[{"path":"/t","descending":true}],"section":{"path":"/n"}}"#,
    ##"{"derived":"d","of":"l","where":[{"path":"/n","lt":35}],"section":{"path":"#section"},"limit":70}"##,
  ]

  @Test func theListIsTheOneBeforeOrTheOneAfter() throws {
    let (folder, output) = (try TemporaryFolder(), try TemporaryFolder())
    let file = folder.file("store.sqlite")
    do {
      let items = (0..<3_000).map { number in
        Change.insertItem(
          Item(
            id: ItemID(stringLiteral: "i\(number)"), cell: "C",
            content: JSON(stringLiteral: "{\"t\":\"\(number * 7 % 1_009)\",\"n\":\(number % 40)}")),
          in: "s")
      }
      try Repository(at: file).commit([.insertSection("s")] + items, to: "l")
    }
    var generator = SeededGenerator(seed: 33)
    var (defined, left) = (0, 0)
    // More, if the machine has so much else to do that none hit a process at work.
    for kill in 0..<10 * Self.kills where kill < Self.kills || left == 0 {
      let process = try StoreProcess(
        file, ["derive"] + Self.lines, output: output.file("output-\(kill)"))
      process.waitForOutput()
      usleep(UInt32(generator.number(0..<1_500_000)))
      let said = try process.killAndRead().map { $0.split(separator: " ").map(String.init) }
      let repository = try Repository(existing: file)
      #expect(try repository.checkInvariants() == [], "kill \(kill)")
      let (known, drafts) = try repository.read("") { db in
        let all = try Statements(db).derivedLists()
        return (all.first { $0.list == "d" }, all.filter { $0.part == .draft }.count)
      }
      left += drafts
      if let known {
        let line = known.definition.json.text
        try repository.expectDerived(line, "kill \(kill)")
        // It is one that was said to be defined last, or the one under way.
        if let last = said.last, let number = Int(last[1]) {
          let before = (number + Self.lines.count - 1) % Self.lines.count
          let lines = last[0] == "defined" ? [number] : [number, before]
          defined += last[0] == "defined" ? 1 : 0
          #expect(
            said.count < 2 || lines.contains { Self.lines[$0] == line }, "kill \(kill): \(said)")
        }
      } else {
        #expect(!said.contains { $0[0] == "defined" }, "kill \(kill)")
      }
      // The next launch goes on with what is there.
      let line = Self.lines[generator.number(0..<Self.lines.count)]
      try repository.define([(try DerivedDefinition(parsing: Array(line.utf8)), 1)])
      try repository.expectDerived(line, "kill \(kill), gone on")
      try repository.deleteFormerLists()
      #expect(try repository.checkInvariants() == [], "kill \(kill), tidied")
      try repository.close()
    }
    #expect(left > 0, "the kills must hit a process at work")
  }

  /// What the closure computes.
  private static func key(of item: Item) -> Int {
    item.id.rawValue.utf8.count + item.state.content.text.utf8.count
  }

  /// The one that is killed makes edits beside a feed; this one has the closure, and commits too.
  @Test func aProcessWithoutTheClosureIsKilled() throws {
    let (folder, output) = (try TemporaryFolder(), try TemporaryFolder())
    let file = folder.file("store.sqlite")
    let field = ComputedField(list: "c", version: 1, index: 0)
    let computed = #"{"derived":"c","of":"list","section":{"path":"\#(field.text)"}}"#
    let line = ##"{"derived":"d","of":"list","where":[{"path":"#id","contains":"1"}],"limit":30}"##
    var generator = SeededGenerator(seed: 34)
    var behind = 0
    for kill in 0..<10 * Self.kills where kill < Self.kills || behind == 0 {
      let process = try StoreProcess(file, ["edit"], output: output.file("output-\(kill)"))
      process.waitForOutput()
      let repository = try Repository(existing: file)
      try repository.define(
        [line, computed].map { (try DerivedDefinition(parsing: Array($0.utf8)), 1) },
        closures: [field: { ValueKey(Self.key(of: $0)) }])
      for _ in 0..<generator.number(1..<8) {
        usleep(UInt32(generator.number(0..<15_000)))
        let items = try repository.tree(of: "list").sections.flatMap(\.items)
        guard let id = generator.element(of: items.map(\.id)) else { continue }
        let content = JSON(stringLiteral: "\(generator.number(0..<1_000))")
        let update = ItemUpdate(content: .set(content))
        let changes: [Change] = [
          .moveItem(id, to: .start), .deleteItem(id), .updateItem(id, update),
        ]
        // The other process may have taken it back meanwhile.
        _ = try? repository.commit([changes[generator.number(0..<3)]], to: "list")
      }
      usleep(UInt32(generator.number(0..<60_000)))
      _ = try process.killAndRead()
      behind += try repository.lagsOfDerivedLists().isEmpty ? 0 : 1
      try repository.expectDerived(line, "kill \(kill)")
      try repository.catchUpDerivedLists()
      let items = try repository.tree(of: "list").sections.flatMap(\.items)
      let wanted = Dictionary(grouping: items, by: Self.key).sorted { $0.key < $1.key }
      let found = try repository.tree(of: "c").sections
      #expect(found.map(\.id.rawValue) == wanted.map { "\($0.key)" }, "kill \(kill)")
      #expect(
        found.map { $0.items.map(\.id) } == wanted.map { $0.value.map(\.id) }, "kill \(kill)")
      #expect(try repository.checkInvariants() == [], "kill \(kill), caught up")
      try repository.close()
    }
    #expect(behind > 0, "the kills must hit a process that has left a list behind")
  }
}
