import BatchUpdates
import Foundation
import ListItems
import ListLayout
import ListModel
import ListStore
import ListSync
import Providers
import StoreSchema

/// How much memory the process has more of once a Provider of the longest list is there, an item.
///
/// The Provider shares the texts of ids and contents with the tree that it was made from; the
/// reference is that tree.
enum MemoryCase {
  static func run(_ settings: Settings, _ report: inout Report) throws {
    guard let size = settings.sizes.max(), let start = residentBytes() else { return }
    let tree = try SampleList.tree(items: size)
    guard let withTree = residentBytes() else { return }
    let provider = Provider(tree)
    guard let withBoth = residentBytes() else { return }
    Sink.take(provider.numberOfItems + tree.sections.count)
    report.add(
      Measurement(
        name: "memory", items: size, changes: 0, unit: .bytes,
        ours: Double(withBoth - withTree) / Double(size),
        references: [.init(name: "tree", median: Double(withTree - start) / Double(size))]))
  }

  /// `nil` where the system does not say.
  static func residentBytes() -> Int? {
    guard let text = try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8) else {
      return nil
    }
    let fields = text.split(separator: " ")
    return fields.count > 1 ? Int(fields[1]).map { $0 * Int(sysconf(Int32(_SC_PAGESIZE))) } : nil
  }

  /// The most that there ever were; `nil` where the system does not say.
  static func peakResidentBytes() -> Int? {
    guard let text = try? String(contentsOfFile: "/proc/self/status", encoding: .utf8),
      let line = text.split(separator: "\n").first(where: { $0.hasPrefix("VmHWM:") })
    else { return nil }
    return line.split(whereSeparator: \.isWhitespace).dropFirst().first
      .flatMap { Int($0) }.map { $0 * 1_024 }
  }
}
