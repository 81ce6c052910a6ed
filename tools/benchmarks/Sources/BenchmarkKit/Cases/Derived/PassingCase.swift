import BatchUpdates
import Cellar
import CellarUIKit
import Foundation
import HeadlessUIKit
import ListItems
import ListModel
import ListStore
import ListSync
import Providers

/// From another filter of a list that is derived for as long as a screen shows it, to the proven update:
/// filters by keys of the messages, each of which leaves other messages than the one before.
enum PassingCase {
  struct Message: ListItem {
    var id: String, title: String, day: Int, isUnread: Bool, from: String
    static var typeName: TypeName { "Message" }
    static var cells: [CellName: ViewSource] { ["MessageCell": .type(MessageCell.self)] }
    var cellName: CellName { "MessageCell" }
    func configure(_ cell: MessageCell) {}
  }

  final class MessageCell: UICollectionViewCell {}

  static func run(_ settings: Settings, _ lists: StoredLists, _ report: inout Report) throws {
    let mail = MailStore(lists, seed: settings.seed)
    for size in settings.sizes where size >= 1_000 {
      try filter(size, mail.store(size), settings, &report)
    }
  }

  private static func filter(
    _ size: Int, _ original: URL, _ settings: Settings, _ report: inout Report
  ) throws {
    let repository = try Repository(existing: original)
    let list = repository.liveList(MailStore.list, items: [Message.self])
    let first = try Rounds(
      settings.rounds,
      [
        { _ in
          try Stopwatch.once {
            try list.passing(of: Message.self) { $0.where { $0.day < 9 } }.provider().numberOfItems
          }
        }
      ])
    report.add(
      Measurement(
        name: "derived passing, first", items: size, changes: 1, ours: first[0]))
    let passing = try list.passing(of: Message.self)
    typealias Query = DerivedQuery<Message>
    let filters: [(name: String, (Int, Query) -> Query)] = [
      ("derived passing", { round, query in query.where { $0.day < 9 + round % 2 } }),
      ("derived passing, long", { round, query in query.where { $0.day < 500 + round % 2 } }),
      (
        "derived passing, sorted",
        { round, query in query.where { $0.day < 9 + round % 2 }.sorted(by: \.title) }
      ),
    ]
    for (name, filter) in filters {
      try passing.show { filter(1, $0) }
      var provider = try passing.provider()
      var step = 1
      let rounds = try Rounds(
        settings.rounds, warmUp: true,
        [
          { _ in
            step += 1
            return try Stopwatch.once {
              try passing.show { filter(step, $0) }
              return try passing.shown.advance(&provider).stages.count
            }
          }
        ])
      report.add(
        Measurement(
          name: name, items: size, changes: 1, ours: rounds[0],
          targets: size > 100_000 ? [] : [.within(30e6)]))
    }
  }
}
