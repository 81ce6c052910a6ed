import BatchUpdates
import FeedServing
import ListModel
import ListSync

/// Lines of a feed, in memory: each change is written and read again as the same one, and a server's list
/// and a plain tree agree about what fits and what becomes of it.
func fuzzLines(_ bytes: [UInt8]) {
  let list: ListID = "list"
  var served = ServedList(list)
  var tree = ListTree(list: list)
  for line in bytes.split(separator: UInt8(ascii: "\n")).prefix(16) {
    let line = Array(line)
    let message = attempt("line") { try FeedMessage(parsing: line) } ?? nil
    let servedLine = attempt("served line") { try ServedLine(parsing: line) } ?? nil
    guard let message else {
      require(servedLine == nil, "a server reads a line that no client reads")
      continue
    }
    if case .commit(let changes) = message.content { for change in changes { check(change) } }
    guard let servedLine, servedLine.list == list else { continue }
    let again = requireSuccess("a line that was written") {
      try ServedLine(parsing: servedLine.text)
    }
    require(again?.position == servedLine.position, "a line has another position when written")
    var next = tree
    let isPlain = attempt("tree") { try next.take(message) } == true
    let before = served.tree
    do {
      try served.apply(servedLine)
      require(isPlain, "a server takes what does not fit into a list")
      next.revision = served.tree.revision
      require(served.tree == next, "a server has \(served.tree.json()), not \(next.json())")
      tree = next
      // What was taken can be taken back.
      var copy = served
      copy.takeBack()
      served.settle()
      var back = copy.tree
      back.revision = before.revision
      require(servedLine.isSnapshot || back == before, "taken back it is \(back.json())")
    } catch {
      require(served.tree == before, "refused, and changed all the same")
    }
  }
}

/// Writes a change and reads it again.
private func check(_ change: Change) {
  var writer = JSONWriter()
  writer.object { change.writeOperation(to: &$0) }
  let text = writer.take()
  let again = requireSuccess("what was written is no change: \(text)") {
    try Change(JSONNode(parsing: Array(text.utf8), maximumDepth: 40))
  }
  require(again == change, "a change is read otherwise when written: \(text)")
}

extension ListTree {
  /// Does what a line says.
  ///
  /// - Returns: Whether it fits.
  fileprivate mutating func take(_ message: FeedMessage) throws -> Bool {
    switch message.content {
    case .commit(let changes):
      do throws(ChangeError) { for change in changes { try apply(change) } } catch { return false }
    case .snapshot(let sections, let meta):
      self.sections = sections
      meta.apply(to: &self.meta)
    case .reset, .rejection: return false
    }
    return true
  }
}

/// Edits that a client sends: the line of an edit makes on any other server what it made on this one, and
/// an edit that was taken back, or refused, has changed nothing.
func fuzzEdits(_ bytes: [UInt8]) {
  var served = ServedList("list")
  apply(Known.line, to: &served)
  for body in bytes.split(separator: UInt8(ascii: "\n")).prefix(8) {
    guard let edit = attempt("edit", { try SentEdit(parsing: Array(body), about: "list") }),
      edit.list == "list"
    else { continue }
    for settles in [true, false] {
      served.settle()
      let before = served
      let line: ServedLine
      do {
        line = try served.take(edit, by: .app, at: 1, settles: settles)
      } catch {
        require(served.tree == before.tree, "refused, and changed all the same: \(error)")
        continue
      }
      var other = before
      apply(line.text, to: &other)
      require(other.tree == served.tree, "its line makes \(other.tree.json())")
      var back = served
      back.takeBack()
      require(back.tree == before.tree, "taken back it is \(back.tree.json())")
      require(back.position == before.position, "taken back it is at another line")
    }
    if let snapshot = attempt("snapshot", { try served.snapshot() }) ?? nil {
      var other = ServedList("list")
      apply(snapshot.text, to: &other)
      // Content revisions are each store's own.
      require(
        other.tree.json() == served.tree.json(), "a snapshot makes \(other.tree.json())")
    }
  }
}

private func apply(_ text: [UInt8], to list: inout ServedList) {
  requireSuccess("a server's own line") {
    guard let line = try ServedLine(parsing: text) else { wrong("a server's own line is none") }
    try list.apply(line)
  }
}

/// A list to edit.
enum Known {
  static let line = Array(
    #"""
    {"t":"snapshot","list":"list","seq":"1","sections":[{"id":"s","layout":{"kind":"list"},"items":[
    {"id":"a","cell":"C","content":{"n":1,"title":"Emma"}},{"id":"b","cell":"C","content":{"n":2}},
    {"id":"c","cell":"D","content":null,"type":"T","action":{"url":"u"}}]},
    {"id":"t","header":{"view":"H","content":{}},"items":[{"id":"d","cell":"C","content":[1]}]},
    {"id":"u","items":[]}]}
    """#.utf8)
}
