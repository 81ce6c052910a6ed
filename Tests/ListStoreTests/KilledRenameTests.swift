import Foundation
import ListModel
import ListStore
import TestSupport
import Testing

/// A process that renames a cell is killed at random moments.
@Suite struct KilledRenameTests {
  @Test func theNextCallGoesOnWhereItEnded() throws {
    let folder = try TemporaryFolder()
    let file = folder.file("store.sqlite")
    let count = 8_000
    try Repository(at: file).edit("list") { list throws in
      try list.insertSection("s")
      for number in 0..<count {
        try list.insert(
          Item(id: ItemID(stringLiteral: "\(number)"), cell: "A", content: "1"), in: "s")
      }
    }
    var generator = SeededGenerator(seed: 1)
    var names: [CellName] = ["A", "B"]
    var killsInside = 0
    var kills = 0
    // On a busy machine, a process may be killed before it has begun.
    while kills < 8 || killsInside == 0 && kills < 200 {
      kills += 1
      let process = try StoreProcess(
        file, ["rename"] + names.map(\.rawValue), output: folder.file("output-\(kills)"))
      process.waitForOutput()
      usleep(UInt32(generator.number(0..<60_000)))
      _ = try process.killAndRead()
      let repository = try Repository(existing: file)
      let cells = try repository.tree(of: "list").sections[0].items.map(\.state.cell)
      let renamed = cells.filter { $0 == names[1] }.count
      // Whole slices, in the order of the list.
      #expect(renamed.isMultiple(of: 1_000) && cells.prefix(renamed).allSatisfy { $0 == names[1] })
      if (1..<count).contains(renamed) { killsInside += 1 }
      let rest = try repository.renameCell(names[0], to: names[1])
      #expect((rest["list"] ?? 0) + renamed == count)
      #expect(try repository.checkInvariants().isEmpty)
      names.reverse()
    }
    #expect(killsInside > 0, "the kills must hit a rename at work")
  }
}
