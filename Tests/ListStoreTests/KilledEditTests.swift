import Foundation
import ListModel
import ListStore
import ListSync
import TestSupport
import Testing

/// An app that makes pending edits, sends them and follows its server's feed is killed at random
/// moments.
@Suite struct KilledEditTests {
  private static let kills =
    ProcessInfo.processInfo.environment["CELLAR_KILLS"].flatMap(Int.init) ?? 8

  @Test func noEditIsLostOrMadeTwice() throws {
    let folder = try TemporaryFolder()
    let file = folder.file("store.sqlite")
    let feed = file.appendingPathExtension("ndjson")
    var generator = SeededGenerator(seed: 19)
    var items: [String: String] = [:]
    for kill in 0..<Self.kills {
      let process = try StoreProcess(file, ["edit"], output: folder.file("output-\(kill)"))
      process.waitForOutput()
      usleep(UInt32(generator.number(0..<60_000)))
      for line in try process.killAndRead() {
        let words = line.split(separator: " ").map(String.init)
        guard words.count == 3, words[0] == "made" else { continue }
        #expect(items.updateValue(words[2], forKey: words[1]) == nil, "kill \(kill): \(line)")
      }
      let repository = try Repository(existing: file)
      #expect(try repository.checkInvariants().isEmpty, "kill \(kill)")
      let bytes = try Data(contentsOf: feed)
      let end = bytes.lastIndex(of: UInt8(ascii: "\n")) ?? 0
      let whole = try folder.write(
        String(decoding: bytes.prefix(end + 1), as: UTF8.self), to: "feed-\(kill)")
      try repository.apply(FeedReader(file: whole))

      let server = try Repository(at: folder.file("server-\(kill).sqlite"))
      try server.apply(FeedReader(file: whole))
      let taken = try server.tree(of: "list").sections[0].items.map(\.id.rawValue)
      let outbox = try repository.liveList("list").pendingEdits()
      var waiting: [String] = []
      var refused: [String] = []
      for edit in outbox {
        guard case .insertItem(let item, _, _) = edit.changes.first else { continue }
        #expect(items[edit.id, default: item.id.rawValue] == item.id.rawValue)
        items[edit.id] = item.id.rawValue
        if edit.state == .waiting {
          waiting.append(item.id.rawValue)
        } else {
          #expect(edit.state == .rejected(why: "no"))
          refused.append(item.id.rawValue)
        }
      }
      let shown = try repository.tree(of: "list").sections[0].items.map(\.id.rawValue)
      #expect(shown == taken + waiting, "kill \(kill)")
      #expect(Set(taken).count == taken.count)
      #expect(
        Set(items.values).subtracting(taken).subtracting(waiting).subtracting(refused).isEmpty,
        "kill \(kill): an edit is lost")
      #expect(try repository.checkInvariants().isEmpty)
    }
    #expect(items.count > Self.kills, "the kills must hit a process at work")
  }
}
