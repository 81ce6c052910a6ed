package import Foundation
package import ListModel
package import Providers
import StoreFiles

/// Reads items that a view will ask for soon, on another thread.
///
/// What was read is in the Provider's memory when the view asks.
package final class ItemPrefetch: Sendable {
  private let waiting = Guarded<[Request]>([])
  private let queue: DispatchQueue

  /// Items to read, by their paths in a list: the same paths are other items in another revision, or none.
  private struct Request: Sendable {
    var list: Provider
    var paths: Set<ItemPath>
    /// The keys of the sizes to read, by the indexes of sections.
    var keys: [Int: SizeKey]
  }

  package init(
    on queue: DispatchQueue = DispatchQueue(label: "Cellar prefetch", qos: .userInitiated)
  ) { self.queue = queue }

  /// Reads items soon, with their contents and sizes.
  ///
  /// `keys`: The keys of the sizes, by the indexes of sections.
  package func add(_ paths: [ItemPath], of list: Provider, sizedFor keys: [Int: SizeKey]) {
    let isFirst = waiting.withValue { waiting in
      defer { waiting.append(Request(list: list, paths: Set(paths), keys: keys)) }
      return waiting.isEmpty
    }
    if isFirst { queue.async { [self] in read() } }
  }

  /// Leaves out items that were not read yet.
  func remove(_ paths: [ItemPath]) {
    waiting.withValue { waiting in
      for index in waiting.indices { waiting[index].paths.subtract(paths) }
    }
  }

  package func finish() { queue.sync {} }

  private func read() {
    let requests = waiting.withValue { waiting in
      defer { waiting = [] }
      return waiting
    }
    for request in requests { read(request) }
  }

  private func read(_ request: Request) {
    let items = Dictionary(grouping: request.paths, by: \.section)
      .mapValues { IndexSet($0.map(\.item)) }
    for (section, items) in items {
      for range in items.rangeView {
        request.list.prefetch(range, inSection: section)
        guard let key = request.keys[section] else { continue }
        // The closure has no use for the sizes: they are in memory afterwards.
        request.list.forEachSize(in: range, ofSection: section, for: key) { _, _ in }
      }
    }
  }
}
