import Foundation
import ListItems
import ListLayout
import ListModel
import ListStore
import ListSync
import Providers
import StoreSchema

/// A feed of insertions at the end read from a file and stored, in commits of 100, beside C that
/// writes the same rows in as many transactions, and reads and parses nothing.
enum IngestCase {
  private static let commitSize = 100

  static func run(_ settings: Settings, _ lists: StoredLists, _ report: inout Report) throws {
    for size in settings.sizes where (1_000...100_000).contains(size) {
      let feed = lists.newFile()
      defer { lists.remove(feed) }
      try text(size).write(to: feed, atomically: true, encoding: .utf8)
      let rows = StoredLists.flatItems(0..<size)
      let section = try SampleList.sectionID(0)
      let rounds = try Rounds(
        settings.rounds, warmUp: true,
        [
          { _ in
            let file = lists.newFile()
            defer { lists.remove(file) }
            let repository = try Repository(at: file)
            try repository.liveList(SampleList.list).commit([.insertSection(section)])
            return try Stopwatch.once {
              let report = try repository.apply(FeedReader(file: feed))
              return (report.lists[SampleList.list]?.applied ?? 0) * commitSize
            }
          },
          { _ in
            let file = lists.newFile()
            defer { lists.remove(file) }
            try Repository(at: file).liveList(SampleList.list).commit([.insertSection(section)])
            let floor = try FloorStore(file)
            return try Stopwatch.once { try floor.ingest(rows, commitSize: commitSize) }
          },
        ])
      report.add(
        Measurement(
          name: "store ingest", items: size, changes: size, ours: rounds[0],
          references: [.init(name: "C, same rows", median: rounds[1])]))
    }
  }

  private static func text(_ size: Int) throws -> String {
    let section = try SampleList.sectionID(0)
    return try stride(from: 0, to: size, by: commitSize).map { start in
      let operations = try (start..<min(start + commitSize, size)).map { number in
        let item = try StoredLists.item(number)
        return """
          {"op":"insertItem","item":"\(item.id)","section":"\(section)",\
          "cell":"\(item.state.cell)","content":\(item.state.content.text)}
          """
      }
      return """
        {"t":"commit","list":"\(SampleList.list)","seq":"\(start / commitSize + 1)","by":"server",\
        "ops":[\(operations.joined(separator: ","))]}

        """
    }.joined()
  }
}
