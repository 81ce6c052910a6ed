import BatchUpdates
import ListItems
import ListLayout
import ListModel
import ListStore
import ListSync
import Providers
import StoreSchema

/// What a data source asks of a Provider, of a list as it was loaded and of an aged one; and an
/// insertion with the answer to where the new item is.
enum SequenceCase {
  private static let calls = 10_000

  static func run(_ settings: Settings, _ report: inout Report) throws {
    for size in settings.sizes {
      let fresh = try SampleList(items: size, seed: settings.seed)
      var aged = fresh
      try aged.age()
      try measureItems(fresh, aged, settings, &report)
      try measurePaths(fresh, aged, settings, &report)
      try InsertCase.measure(aged, settings, &report)
    }
  }

  private static func measureItems(
    _ fresh: SampleList, _ aged: SampleList, _ settings: Settings, _ report: inout Report
  ) throws {
    var chooser = fresh
    let paths = (0..<calls).map { _ in chooser.randomPath() }
    let array = fresh.provider.tree.sections.flatMap(\.items)
    let rounds = try Rounds(
      settings.rounds,
      [
        { _ in items(of: fresh.provider, at: paths) },
        { _ in items(of: aged.provider, at: paths) },
        { _ in
          Stopwatch.once {
            paths.reduce(0) { $0 &+ array[$1.item].state.contentRevision }
          }
        },
      ])
    add("item(at:)", of: fresh, rounds, referenceName: "Array", &report)
  }

  private static func items(of provider: Provider, at paths: [ItemPath]) -> Double {
    Stopwatch.once {
      paths.reduce(0) { $0 &+ (provider.item(at: $1)?.state.contentRevision ?? 0) }
    }
  }

  private static func measurePaths(
    _ fresh: SampleList, _ aged: SampleList, _ settings: Settings, _ report: inout Report
  ) throws {
    let ids = (randomIDs(of: fresh), randomIDs(of: aged))
    let array = fresh.provider.tree.sections.flatMap(\.items).map(\.id)
    // It takes milliseconds a call.
    let few = ids.0.prefix(max(10, calls * 1_000 / array.count / 10))
    let rounds = try Rounds(
      settings.rounds,
      [
        { _ in paths(of: ids.0, in: fresh.provider) },
        { _ in paths(of: ids.1, in: aged.provider) },
        { _ in
          Stopwatch.once {
            few.reduce(0) { $0 &+ (array.firstIndex(of: $1) ?? 0) }
          } * Double(calls) / Double(few.count)
        },
      ])
    add("path(of:)", of: fresh, rounds, referenceName: "firstIndex", &report)
  }

  /// New texts, as an app has them.
  private static func randomIDs(of list: SampleList) -> [ItemID] {
    var chooser = list
    return (0..<calls).compactMap { _ in
      list.provider.item(at: chooser.randomPath()).flatMap {
        try? ItemID(String(decoding: Array($0.id.rawValue.utf8), as: UTF8.self))
      }
    }
  }

  private static func paths(of ids: [ItemID], in provider: Provider) -> Double {
    Stopwatch.once { ids.reduce(0) { $0 &+ (provider.path(of: $1)?.item ?? 0) } }
  }

  private static func add(
    _ name: String, of list: SampleList, _ rounds: Rounds, referenceName: String,
    _ report: inout Report
  ) {
    report.add(
      Measurement(
        name: "\(name) fresh", items: list.nominalSize, changes: calls, ours: rounds[0],
        references: [.init(name: referenceName, median: rounds[2])]))
    report.add(
      Measurement(
        name: "\(name) aged", items: list.nominalSize, changes: calls, ours: rounds[1],
        references: [.init(name: "fresh", median: rounds[0])], targets: [.atMost(1.4)]))
  }
}
