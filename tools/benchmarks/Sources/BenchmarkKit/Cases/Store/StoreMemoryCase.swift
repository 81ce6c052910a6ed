import BatchUpdates
import Foundation
import ListItems
import ListLayout
import ListModel
import ListStore
import ListSync
import Providers
import StoreSchema

/// What a Provider of the longest stored list adds to the memory of a process that reads nothing
/// else: a process of its own, because this one would find room that others left.
enum StoreMemoryCase {
  static func run(_ settings: Settings, _ lists: StoredLists, _ report: inout Report) throws {
    guard let size = settings.sizes.max(), size >= 1_000, MemoryCase.residentBytes() != nil else {
      return
    }
    let file = try lists.store(size, .aged)
    let outputs = try (0..<min(3, settings.rounds)).compactMap { _ in try output(of: file) }
    guard !outputs.isEmpty else { return }
    func median(_ index: Int) -> Double { outputs.map { $0[index] }.sorted()[outputs.count / 2] }
    report.add(
      Measurement(
        name: "store memory, all", items: size, changes: 0, unit: .bytes,
        ours: median(1) / Double(size), targets: size >= 100_000 ? [.within(64)] : []))
    report.add(
      Measurement(
        name: "store memory, screen", items: size, changes: 0, unit: .wholeBytes,
        ours: median(0), targets: [.within(4e6)]))
  }

  /// What the other process prints: bytes for one screen, for all structure at their peak.
  private static func output(of file: URL) throws -> [Double]? {
    let process = Process()
    process.executableURL = Bundle.main.executableURL
    process.arguments = ["--read-store", file.path]
    let pipe = Pipe()
    process.standardOutput = pipe
    try process.run()
    let data = try pipe.fileHandleForReading.readToEnd() ?? Data()
    process.waitUntilExit()
    let numbers = String(decoding: data, as: UTF8.self).split(whereSeparator: \.isWhitespace)
      .compactMap { Double($0) }
    return process.terminationStatus == 0 && numbers.count == 2 ? numbers : nil
  }

  /// The work of the other process.
  static func read(_ path: String) throws {
    let repository = try Repository(existing: URL(fileURLWithPath: path))
    let provider = try repository.liveList(SampleList.list).provider()
    guard let empty = MemoryCase.residentBytes() else { return }
    Sink.take(JumpCase.screen(of: provider, from: provider.numberOfItems / 2))
    guard let screen = MemoryCase.residentBytes() else { return }
    provider.prefetch(0..<provider.numberOfItems, inSection: 0)
    guard let all = MemoryCase.peakResidentBytes() else { return }
    Sink.take(provider.numberOfItems)
    print(screen - empty, all - empty)
  }
}
