import BatchUpdates
import ListItems
import ListLayout
import ListModel
import ListStore
import ListSync
import Providers
import StoreSchema

/// Sizes that are in memory: all of a list in order (`store size in order`), and 1,000 asked one by
/// one, in order (`store size one`).
enum CachedSizesCase {
  private static let asked = 1_000

  static func run(_ settings: Settings, _ lists: StoredLists, _ report: inout Report) throws {
    let key = SizeKey(fittingPixels: 375, environment: LayoutEnvironment())
    for size in settings.sizes where size >= 1_000 {
      let file = try lists.copy(of: lists.store(size, .aged))
      defer { lists.remove(file) }
      let repository = try Repository(existing: file)
      let provider = try repository.liveList(SampleList.list).provider()
      provider.prefetch(0..<size, inSection: 0, withContents: false)
      for item in 0..<size {
        provider.keep(
          Size(width: 375, height: Double(40 + item % 50)), at: ItemPath(section: 0, item: item),
          for: key)
      }
      repository.flushSizes()
      let middle = size / 2 - asked / 2
      let rounds = try Rounds(
        settings.rounds, warmUp: true,
        [
          { _ in
            try Stopwatch.repeated {
              var length = 0.0
              provider.forEachSize(in: 0..<size, ofSection: 0, for: key) { _, answer in
                if case .exact(let size) = answer { length += size.height }
              }
              guard length > 0 else { throw BenchmarkError("there is no size") }
              return Int(length)
            }
          },
          { _ in
            Stopwatch.repeated {
              var length = 0.0
              for item in middle..<middle + asked {
                let answer = provider.size(at: ItemPath(section: 0, item: item), for: key)
                if case .exact(let size) = answer { length += size.height }
              }
              return Int(length)
            }
          },
        ])
      report.add(
        Measurement(
          name: "store size in order", items: size, changes: size, ours: rounds[0],
          targets: [.perChange(20)]))
      report.add(
        Measurement(name: "store size one", items: size, changes: asked, ours: rounds[1]))
    }
  }
}
