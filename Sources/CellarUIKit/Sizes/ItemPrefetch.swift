import Foundation
import ListModel
import Providers
import StoreFiles

/// Reads items that a view will ask for soon, on another thread.
///
/// What was read is in the Provider's memory when the view asks.
final class ItemPrefetch: Sendable {
  private let waiting = Guarded(Request())
  private let queue = DispatchQueue(label: "Cellar prefetch", qos: .userInitiated)

  /// Items to read, by their paths in a list.
  private struct Request: Sendable {
    var list: Provider?
    var paths: Set<ItemPath> = []
    /// The keys of the sizes to read, by the indexes of sections.
    var keys: [Int: SizeKey] = [:]
  }

  /// Reads items soon, with their contents and sizes.
  ///
  /// `keys`: The keys of the sizes, by the indexes of sections.
  func add(_ paths: [ItemPath], of list: Provider, sizedFor keys: [Int: SizeKey]) {
    let isFirst = waiting.withValue { waiting in
      defer { waiting.paths.formUnion(paths) }
      waiting.list = list
      waiting.keys.merge(keys) { $1 }
      return waiting.paths.isEmpty
    }
    if isFirst { queue.async { [self] in read() } }
  }

  /// Leaves out items that were not read yet.
  func remove(_ paths: [ItemPath]) { waiting.withValue { $0.paths.subtract(paths) } }

  func finish() { queue.sync {} }

  private func read() {
    let request = waiting.withValue { waiting in
      defer { waiting = Request() }
      return waiting
    }
    let items = Dictionary(grouping: request.paths, by: \.section)
      .mapValues { IndexSet($0.map(\.item)) }
    for (section, items) in items {
      for range in items.rangeView {
        request.list?.prefetch(range, inSection: section)
        guard let key = request.keys[section] else { continue }
        // The closure has no use for the sizes: they are in memory afterwards.
        request.list?.forEachSize(in: range, ofSection: section, for: key) { _, _ in }
      }
    }
  }
}
