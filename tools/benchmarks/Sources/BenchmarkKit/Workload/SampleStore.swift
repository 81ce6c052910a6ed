import BatchUpdates
import Foundation
import ListItems
import ListLayout
import ListModel
import ListStore
import ListSync
import Providers
import StoreSchema

/// A store with one list, in a folder of its own that goes with it.
final class SampleStore {
  let repository: Repository
  private let folder: URL

  /// Stores a list of one section.
  init(_ tree: ListTree) throws {
    folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("cellar-benchmarks-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    repository = try Repository(at: folder.appendingPathComponent("list.sqlite"))
    for section in tree.sections {
      let items = section.items.map { Change.insertItem($0, in: section.id) }
      try repository.liveList(tree.list).commit([.insertSection(section.id)] + items)
    }
  }

  deinit { try? FileManager.default.removeItem(at: folder) }

  /// Commits what entries say, some at a time.
  func commit(_ entries: some Collection<LogEntry>, at once: Int) throws {
    let changes = try entries.map(Self.change)
    for start in stride(from: 0, to: changes.count, by: once) {
      try repository.liveList(SampleList.list).commit(
        Array(changes[start..<min(start + once, changes.count)]))
    }
  }

  /// The change of items in the first section that an entry tells of.
  private static func change(_ entry: LogEntry) throws -> Change {
    let section = try SampleList.sectionID(0)
    switch entry {
    case .insertItem(let item, let path):
      return .insertItem(item, in: section, at: .index(path.item))
    case .deleteItem(let item, _): return .deleteItem(item.id)
    case .moveItem(let id, _, let to): return .moveItem(id, in: section, to: .index(to.item))
    case .updateItem(let id, _, _, let after):
      return .updateItem(id, ItemUpdate(content: .set(after.content)))
    default: throw BenchmarkError("not a change of an item: \(entry)")
    }
  }
}
