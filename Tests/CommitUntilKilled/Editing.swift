import Foundation
import ListModel
import ListStore
import ListSync
import TestSupport

/// Makes pending edits, sends them to a server, and applies its feed, for ever.
///
/// The feed is the file beside the store that ends in `.ndjson`. See `KilledEditTests`.
///
/// "made ID ITEM", "sent ID"
func editBesideAFeed(_ file: URL) throws -> Never {
  let shelf = try Repository(at: file).liveList("list")
  var server = try FeedFileServer(file.appendingPathExtension("ndjson"))
  try shelf.repository.apply(FeedReader(file: server.file))
  var number = try shelf.repository.commits(of: "list").count
  while true {
    number += 1
    let item = ItemID(stringLiteral: "i\(number)")
    let edit = try shelf.editPending { list in
      try list.insert(Item(id: item, cell: "Cell", content: "1"), in: "s")
    }.edit
    say("made \(edit?.id ?? "none") \(item)")
    if number % 3 == 0 { continue }
    try shelf.repository.apply(FeedReader(file: server.file))
    while let edit = try shelf.pendingEdits().first(where: { $0.state == .waiting }) {
      say("sent \(edit.id)")
      if try server.takes(edit) {
        try shelf.repository.accept(edit.id, of: "list")
      } else {
        try shelf.reject(edit.id, why: "no")
      }
      if number % 4 == 0 { break }
    }
  }
}

/// Writes a feed, and knows which edits it has taken.
private struct FeedFileServer {
  let file: URL
  private let handle: FileHandle
  private var taken: Set<String> = []
  private var sequence = 0

  init(_ file: URL) throws {
    self.file = file
    if !FileManager.default.fileExists(atPath: file.path) {
      let section = "{\"op\":\"insertSection\",\"section\":\"s\"}"
      try Data("{\"t\":\"commit\",\"list\":\"list\",\"seq\":\"1\",\"ops\":[\(section)]}\n".utf8)
        .write(to: file)
    }
    handle = try FileHandle(forUpdating: file)
    // The last line may be torn: it was not sent.
    let bytes = try handle.readToEnd() ?? Data()
    let end = bytes.lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? 0
    try handle.truncate(atOffset: UInt64(end))
    for line in String(decoding: bytes.prefix(end), as: UTF8.self).split(separator: "\n") {
      sequence += 1
      if let id = line.firstMatch(of: #/"edit":"([0-9a-f]+)"/#)?.1 { taken.insert(String(id)) }
    }
  }

  /// - Returns: `false` if it refuses the edit, as each fifth one.
  mutating func takes(_ edit: Repository.PendingEdit) throws -> Bool {
    if taken.contains(edit.id) { return true }
    if (edit.id.utf8.last ?? 0) % 5 == 0 { return false }
    sequence += 1
    try handle.write(contentsOf: Data((edit.feedLine(sequence: sequence) + "\n").utf8))
    taken.insert(edit.id)
    return true
  }
}
