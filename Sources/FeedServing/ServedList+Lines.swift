public import ListModel
import ListSync

// The lines of a log as text. FeedFormat.md of ListSync describes them.
extension ServedList {
  /// The line of a commit.
  func line(
    _ number: Int, _ changes: [Change], edit: String?, by author: Author, at time: Int
  ) throws(EditRefusal) -> ServedLine {
    let text = JSONWriter.object { writer in
      writer.member("t", "commit")
      writer.member("list", id.rawValue)
      writer.member("seq", String(number))
      writer.member("at", time)
      writer.member("by", author.name)
      if let edit { writer.member("edit", edit) }
      writer.member("ops", array: changes) { writer, change in
        writer.object { change.writeOperation(to: &$0) }
      }
    }
    return try ServedLine(
      Array(text.utf8), id, number, edit: edit, .commit(changes), by: author, time: time)
  }

  /// The line of a snapshot.
  static func snapshot(
    _ tree: ListTree, _ number: Int, by author: Author?, at time: Int?
  ) throws(EditRefusal) -> ServedLine {
    let text = JSONWriter.object { writer in
      writer.member("t", "snapshot")
      writer.member("list", tree.list.rawValue)
      writer.member("seq", String(number))
      if let time { writer.member("at", time) }
      if let author { writer.member("by", author.name) }
      writer.member("meta", tree.meta ?? .null)
      writer.member("sections", array: tree.sections) { $1.write(to: &$0) }
    }
    return try ServedLine(
      Array(text.utf8), tree.list, number, .snapshot(tree.sections, meta: .set(tree.meta)),
      by: author ?? .feed, time: time)
  }

  /// The line that empties a list, for a client that has another history.
  public static func reset(_ list: ListID) -> [UInt8] {
    Array(
      JSONWriter.object { writer in
        writer.member("t", "reset")
        writer.member("list", list.rawValue)
      }.utf8)
  }
}
