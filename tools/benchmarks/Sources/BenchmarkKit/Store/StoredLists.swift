import BatchUpdates
import Foundation
import ListItems
import ListLayout
import ListModel
import ListStore
import ListSync
import Providers
import StoreSchema

/// Lists in files, each made once a run: as loaded and as aged, and the same rows for C.
///
/// In a folder of its own that goes with it.
final class StoredLists {
  private let folder: URL
  private let seed: UInt64
  private var made: Set<String> = []

  init(seed: UInt64) throws {
    self.seed = seed
    folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("cellar-benchmarks-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(at: folder) }

  /// How a list became what it is.
  enum Age: String {
    /// Its items were added at the end, one after the other.
    case fresh
    /// Each item was inserted at a random place among those before it.
    case aged
    /// As ``fresh``, and each content has 4 KB.
    case long
  }

  /// A store with one list of one section.
  func store(_ count: Int, _ age: Age) throws -> URL {
    try file("\(age)-\(count)") { file in
      let repository = try Repository(at: file)
      let section = try SampleList.sectionID(0)
      try repository.liveList(SampleList.list).commit([.insertSection(section)])
      var generator = SeededGenerator(seed: seed)
      for start in stride(from: 0, to: count, by: Self.commitSize) {
        let changes = try (start..<min(start + Self.commitSize, count)).map { number in
          Change.insertItem(
            try Self.item(number, long: age == .long), in: section,
            at: age == .aged ? .index(Int.random(in: 0...number, using: &generator)) : .end)
        }
        try repository.liveList(SampleList.list).commit(changes)
      }
    }
  }

  /// A database of whole rows, added in the order of the list.
  func floor(_ count: Int) throws -> URL {
    try file("floor-\(count)") { file in
      let floor = try FloorStore(file)
      try floor.makeItems()
      try floor.insert(Self.flatItems(0..<count))
    }
  }

  /// A copy that a benchmark may write to.
  func copy(of file: URL) throws -> URL {
    let copy = newFile()
    try FileManager.default.copyItem(at: file, to: copy)
    return copy
  }

  /// A file that is not there yet.
  func newFile() -> URL { folder.appendingPathComponent("\(UUID().uuidString).sqlite") }

  func remove(_ file: URL) {
    for suffix in ["", "-wal", "-shm"] {
      try? FileManager.default.removeItem(atPath: file.path + suffix)
    }
  }

  func file(_ name: String, _ make: (URL) throws -> Void) throws -> URL {
    let file = folder.appendingPathComponent("\(name).sqlite")
    if made.insert(name).inserted { try make(file) }
    return file
  }

  // MARK: Items

  /// So many items are added by one commit of a long list.
  private static let commitSize = 50_000

  /// The item of a number: 20 characters of id that say nothing about the number, 120 of content.
  static func item(_ number: Int, long: Bool = false) throws -> Item {
    var content = try JSON(parsing: payload(number))
    if long { try content.set("subtitle", to: String(repeating: "and so on ", count: 400)) }
    return Item(id: try ItemID(key(number)), cell: "EpisodeCell", content: content)
  }

  static func flatItems(_ numbers: Range<Int>) -> FlatItems {
    var items = FlatItems()
    for number in numbers { items.append(key: key(number), payload: payload(number)) }
    return items
  }

  static func key(_ number: Int) -> String {
    ItemMaker.text(SeededGenerator.mix(UInt64(number) + 1))
  }

  static func payload(_ number: Int) -> String {
    let digits = "\(number + 10_000_000)"
    return "{\"title\":\"Episode \(digits)\",\"subtitle\":\"Of a series that goes on and on\","
      + "\"image\":\"https://example.org/\(digits).jpg\",\"on\":1}"
  }
}
