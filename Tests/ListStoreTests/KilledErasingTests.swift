import Foundation
import ListModel
import ListStore
import TestSupport
import Testing

/// A process that erases is killed at random moments.
@Suite struct KilledErasingTests {
  private static let kills =
    ProcessInfo.processInfo.environment["CELLAR_KILLS"].flatMap(Int.init) ?? 8

  /// The files of a folder and those below it that hold a text.
  private func files(in folder: URL, with text: Substring) throws -> [String] {
    try FileManager.default.subpathsOfDirectory(atPath: folder.path).filter { path in
      let bytes = try? Data(contentsOf: folder.appendingPathComponent(path))
      return bytes?.range(of: Data(text.utf8)) != nil
    }
  }

  @Test func itIsFinishedWhenTheStoreIsOpenedOrNothingWasErased() throws {
    let (folder, output) = (try TemporaryFolder(), try TemporaryFolder())
    let file = folder.file("store.sqlite")
    do {
      let items = (0..<500).map { number in
        Change.insertItem(
          Item(id: ItemID(stringLiteral: "i\(number)"), cell: "C", content: "1"), in: "s")
      }
      try Repository(at: file).commit([.insertSection("s")] + items, to: "list")
    }
    var generator = SeededGenerator(seed: 32)
    var (wasErased, wasFinished) = (0, 0)
    for kill in 0..<Self.kills {
      let process = try StoreProcess(
        file, ["erase", "\(kill)"], output: output.file("output-\(kill)"))
      process.waitForOutput()
      usleep(UInt32(generator.number(0..<80_000)))
      let lines = try process.killAndRead().map { $0.split(separator: " ") }
      let isMarked = FileManager.default.fileExists(atPath: file.path + "-erasing")
      // Closing waits for the rest.
      try Repository(existing: file).close()
      #expect(!FileManager.default.fileExists(atPath: file.path + "-erasing"), "kill \(kill)")
      for line in lines where line[0] == "erased" {
        wasErased += 1
        #expect(try files(in: folder.url, with: line[1]) == [], "kill \(kill)")
      }
      // The one that was under way: there as before, or in no byte.
      if let last = lines.last, last[0] == "inserted" {
        let repository = try Repository(existing: file)
        let item = try ItemID(String(last[1]))
        if try repository.tree(of: "list").sections[0].items.contains(where: { $0.id == item }) {
          #expect(try repository.erase([.item(item, of: "list")]).isComplete)
        } else {
          #expect(isMarked, "kill \(kill): it was not finished, and nothing says so")
          wasFinished += 1
        }
        #expect(try files(in: folder.url, with: last[1]) == [], "kill \(kill)")
      }
      #expect(try Repository(existing: file).checkInvariants().isEmpty, "kill \(kill)")
    }
    #expect(wasErased + wasFinished > 0, "the kills must hit a process at work")
  }
}
