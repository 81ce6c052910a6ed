import Foundation

/// An edit as a client sends it: a line of a feed without `t` and `seq`.
struct Edit {
  let id: String
  let list: String
  let operations: [[String: Any]]
  private let members: [String: Any]

  /// - Returns: `nil` if the text is no edit.
  init?(_ text: Data) {
    guard let members = try? JSONSerialization.jsonObject(with: text) as? [String: Any],
      let id = members["edit"] as? String, let list = members["list"] as? String,
      let operations = members["ops"] as? [[String: Any]]
    else { return nil }
    self.id = id
    self.list = list
    self.operations = operations
    self.members = members
  }

  /// The line that takes the edit, with these operations.
  func line(_ sequence: Int, _ operations: [[String: Any]]) throws -> Data {
    var line: [String: Any] = [
      "t": "commit", "list": list, "seq": String(sequence), "edit": id, "ops": operations,
    ]
    line["at"] = members["at"] as? Int
    line["by"] = members["by"] as? String
    return try JSONSerialization.data(
      withJSONObject: line, options: [.sortedKeys, .withoutEscapingSlashes])
  }
}

/// Takes edits into feeds, one after another.
actor EditInbox {
  /// Why edits were refused, by their ids: a copy of a request must not fare otherwise.
  private var refused: [String: String] = [:]

  /// What an edit gets for an answer.
  struct Answer {
    let edit: String
    /// Why it is refused; `nil` if the feed has it now, also after a loss of power.
    let why: String?
  }

  /// Takes an edit as it was sent.
  ///
  /// - Returns: `nil` if the text is no edit.
  func take(_ text: Data, into file: URL) throws -> Answer? {
    guard let edit = Edit(text) else { return nil }
    return Answer(edit: edit.id, why: try take(edit, into: file))
  }

  /// Appends an edit to a feed, unless the feed has it.
  private func take(_ edit: Edit, into file: URL) throws -> String? {
    let feed = try FeedFile(file)
    if feed.lines.contains(where: { $0.edit == edit.id }) { return nil }
    if let why = refused[edit.id] { return why }
    let lines = feed.lines.filter { $0.list == edit.list }
    var state = ListState()
    for line in lines { try state.apply(line) }
    do {
      let operations = try edit.operations.map { try state.apply($0) }
      let last = lines.last { $0.t != "reject" }?.seq.flatMap { Int($0) }
      let (next, isBeyond) = (last ?? 0).addingReportingOverflow(1)
      if isBeyond { throw ListState.Refusal(why: "the feed has the last number that there is") }
      try append(try edit.line(next, operations), to: file, after: feed.byteCount)
      return nil
    } catch let refusal as ListState.Refusal {
      refused[edit.id] = refusal.why
      return refusal.why
    }
  }

  /// Appends a line in the place of one that was torn off.
  private func append(_ line: Data, to file: URL, after end: Int) throws {
    let handle = try FileHandle(forUpdating: file)
    defer { try? handle.close() }
    try handle.truncate(atOffset: UInt64(end))
    try handle.seekToEnd()
    try handle.write(contentsOf: line + Data("\n".utf8))
    try handle.synchronize()
  }
}
