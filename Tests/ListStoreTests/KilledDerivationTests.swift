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
}
