import BatchUpdates
import Foundation
import ListModel
import ListStore
import ListSync
import Providers
import TestSupport

/// A store of a test's own with feeds to apply to it.
final class FeedBench {
  let folder: TemporaryFolder
  let repository: Repository
  var file: URL { folder.file("store.sqlite") }

  init() throws {
    folder = try TemporaryFolder()
    repository = try Repository(at: folder.file("store.sqlite"))
  }

  /// Applies lines as one feed; each gets its end unless `isTorn`.
  @discardableResult
  func apply(
    _ lines: [String], isTorn: Bool = false, updates: FeedUpdates? = nil
  ) throws -> FeedReport {
    var report = FeedReport()
    try apply(lines, isTorn: isTorn, updates: updates, report: &report)
    return report
  }

  func apply(
    _ lines: [String], isTorn: Bool = false, updates: FeedUpdates? = nil,
    report: inout FeedReport
  ) throws {
    let text = lines.joined(separator: "\n") + (isTorn ? "" : "\n")
    let reader = try FeedReader(file: try folder.write(text, to: "\(UUID().uuidString).ndjson"))
    report = try repository.apply(reader, updates: updates) { report = $0 }
  }

  /// What applying these lines fails with.
  func failure(_ lines: [String], isTorn: Bool = false) -> StoreError? {
    do {
      try apply(lines, isTorn: isTorn)
      return nil
    } catch {
      return error as? StoreError
    }
  }

  func ids(_ list: ListID = "l") throws -> [String: [String]] {
    let tree = try repository.tree(of: list)
    return Dictionary(
      uniqueKeysWithValues: tree.sections.map { ($0.id.rawValue, $0.items.map(\.id.rawValue)) })
  }
}

/// A commit line.
func commit(_ sequence: Int, _ operations: String..., list: String = "l") -> String {
  "{\"t\":\"commit\",\"list\":\"\(list)\",\"seq\":\"\(sequence)\",\"at\":\(sequence),"
    + "\"by\":\"server\",\"ops\":[\(operations.joined(separator: ","))]}"
}

func insertSection(_ id: String) -> String { "{\"op\":\"insertSection\",\"section\":\"\(id)\"}" }

func insertItem(_ id: String, in section: String = "s") -> String {
  "{\"op\":\"insertItem\",\"item\":\"\(id)\",\"section\":\"\(section)\",\"cell\":\"C\","
    + "\"content\":{\"id\":\"\(id)\"}}"
}
