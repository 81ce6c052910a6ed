import BatchUpdates
import Foundation
import ListItems
import ListLayout
import ListModel
import ListStore
import ListSync
import Providers
import StoreSchema

/// Feeds read from a file and stored, in commits of 1 and of 100 changes, beside the same commits
/// without a feed.
///
/// Insertions, deletions, moves and updates in equal parts, in random places of an aged list.
enum FeedCase {
  private static let changes = 2_000

  static func run(_ settings: Settings, _ lists: StoredLists, _ report: inout Report) throws {
    for size in settings.sizes where size > 2 * changes {
      for commitSize in [1, 100] {
        let feed = lists.newFile()
        defer { lists.remove(feed) }
        let commits = try history(size, commitSize, seed: settings.seed)
        try text(of: commits).write(to: feed, atomically: true, encoding: .utf8)
        var times: (ours: [Double], commits: [Double]) = ([], [])
        for round in 0...settings.rounds {
          let files = try (0..<2).map { _ in try lists.copy(of: lists.store(size, .aged)) }
          defer { for file in files { lists.remove(file) } }
          let repositories = try files.map { try Repository(existing: $0) }
          let ours = try Stopwatch.once {
            try repositories[0].apply(FeedReader(file: feed)).lists[SampleList.list]?.applied ?? 0
          }
          let list = repositories[1].liveList(SampleList.list)
          let theirs = try Stopwatch.once {
            for commit in commits { try list.commit(commit.map(\.change)) }
            return commits.count
          }
          if round == 0 { continue }
          times.ours.append(ours)
          times.commits.append(theirs)
        }
        func median(_ values: [Double]) -> Double { values.sorted()[values.count / 2] }
        report.add(
          Measurement(
            name: "store feed, \(commitSize)", items: size, changes: changes,
            ours: median(times.ours),
            references: [.init(name: "the commits alone", median: median(times.commits))]))
      }
    }
  }

  private typealias Operation = (change: Change, json: String)

  private static func history(
    _ size: Int, _ commitSize: Int, seed: UInt64
  ) throws -> [[Operation]] {
    var generator = SeededGenerator(seed: seed)
    let section = try SampleList.sectionID(0)
    var rest = Array((0..<size).shuffled(using: &generator).prefix(changes))
    var inserted = size
    let operations: [Operation] = try (0..<changes).map { number in
      let index = Int.random(in: 0..<size - changes, using: &generator)
      let item = try StoredLists.item(number % 4 == 0 ? inserted : rest.removeLast())
      switch number % 4 {
      case 0:
        inserted += 1
        return (
          .insertItem(item, in: section, at: .index(index)),
          """
          {"op":"insertItem","item":"\(item.id)","section":"\(section)","index":\(index),\
          "cell":"\(item.state.cell)","content":\(item.state.content.text)}
          """
        )
      case 1:
        return (.deleteItem(item.id), #"{"op":"deleteItem","item":"\#(item.id)"}"#)
      case 2:
        return (
          .moveItem(item.id, to: .index(index)),
          #"{"op":"moveItem","item":"\#(item.id)","index":\#(index)}"#
        )
      default:
        return (
          .updateItem(item.id, ItemUpdate(content: .set(try JSON(parsing: "\(number)")))),
          #"{"op":"updateItem","item":"\#(item.id)","content":\#(number)}"#
        )
      }
    }
    return stride(from: 0, to: changes, by: commitSize).map {
      Array(operations[$0..<min($0 + commitSize, changes)])
    }
  }

  private static func text(of commits: [[Operation]]) -> String {
    commits.enumerated().map { number, commit in
      """
      {"t":"commit","list":"\(SampleList.list)","seq":"\(number + 1)","by":"server","ops":\
      [\(commit.map(\.json).joined(separator: ","))]}

      """
    }.joined()
  }
}
