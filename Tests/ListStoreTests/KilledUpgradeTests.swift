import Foundation
import ListItems
import ListModel
import ListStore
import TestSupport
import Testing

/// As `CommitUntilKilled` has it.
private struct Row: ListItem {
  var id: String, title: String

  static var contentVersion: Int { 2 }
  static func upgrade(_ content: inout JSON, from version: Int) throws {
    try content.rename("name", to: "title")
  }

  func configure(_ cell: NSObject) {}
}

/// A process that upgrades contents is killed at random moments.
@Suite struct KilledUpgradeTests {
  private static let kills =
    ProcessInfo.processInfo.environment["CELLAR_KILLS"].flatMap(Int.init) ?? 6

  private func makeStore(_ file: URL) throws {
    let repository = try Repository(at: file)
    for list in ["a", "b"] as [ListID] {
      try repository.edit(list) { list throws in
        try list.insertSection("s")
        for number in 0..<2_500 {
          try list.insert(
            Item(
              id: ItemID("r\(number)"), cell: "RowCell",
              content: JSON(parsing: #"{"id":"r\#(number)","name":"Row \#(number)"}"#),
              type: "Row"), in: "s")
        }
      }
    }
  }

  /// Both lists without their revisions, which count the commits.
  private func state(_ repository: Repository) throws -> [ListTree] {
    try (["a", "b"] as [ListID]).map { list in
      var tree = try repository.tree(of: list)
      tree.revision = 0
      return tree
    }
  }

  @Test func aKilledUpgradeGoesOn() throws {
    let folder = try TemporaryFolder()
    let (original, whole) = (folder.file("original.sqlite"), folder.file("whole.sqlite"))
    try makeStore(original)
    try FileManager.default.copyItem(at: original, to: whole)
    let expected = try {
      let repository = try Repository(existing: whole)
      #expect(try repository.upgradeContents(of: [Row.self]).upgraded == ["a": 2_500, "b": 2_500])
      return try state(repository)
    }()
    var generator = SeededGenerator(seed: 18)
    var unfinished = 0
    for kill in 0..<Self.kills {
      let file = folder.file("\(kill).sqlite")
      try FileManager.default.copyItem(at: original, to: file)
      let process = try StoreProcess(file, ["upgrade"], output: folder.file("output-\(kill)"))
      process.waitForOutput()
      usleep(UInt32(generator.number(0..<60_000)))
      let lines = try process.killAndRead()
      let repository = try Repository(existing: file)
      #expect(try repository.checkInvariants().isEmpty)
      let rest = try repository.upgradeContents(of: [Row.self]).upgraded.values.reduce(0, +)
      // A commit may have been stored whose acknowledgement did not get out.
      let acknowledged = lines.last.flatMap { Int($0) } ?? 0
      #expect(
        [acknowledged, acknowledged + 500, acknowledged + 1_000].contains(5_000 - rest),
        "kill \(kill)")
      if rest > 0 { unfinished += 1 }
      #expect(try state(repository) == expected, "kill \(kill)")
      #expect(try repository.checkInvariants().isEmpty)
    }
    #expect(unfinished > 0, "the kills must hit a process at work")
  }
}
