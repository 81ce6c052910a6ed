import ListModel

/// A file of the edit folder: one line of JSON.
struct LeftEdit {
  let list: ListID
  let author: Author
  let time: Int?
  let isPending: Bool
  let changes: [LeftChange]

  init(list: ListID, author: Author, time: Int?, isPending: Bool, changes: [LeftChange]) {
    self.list = list
    self.author = author
    self.time = time
    self.isPending = isPending
    self.changes = changes
  }

  init(parsing line: [UInt8]) throws(FormatError) {
    let object = try JSONNode(parsing: line, maximumDepth: 40).object()
    let kind = try object.required("t", as: String.self)
    guard kind == "edit" else { throw FormatError("expected an edit, found a \(kind)", at: "t") }
    list = try object.required("list")
    author = try object.optional("by") ?? .app
    time = try object.optional("at")
    isPending = try object.optional("pending", as: JSON.self)?.text == "true"
    changes = try object.required("ops")
  }

  /// Without a line feed.
  var line: String {
    JSONWriter.object { writer in
      writer.member("t", "edit")
      writer.member("list", list.rawValue)
      if let time { writer.member("at", time) }
      writer.member("by", author.name)
      if isPending { writer.member("pending", JSON(minified: "true")) }
      writer.member("ops", array: changes) { writer, change in
        writer.object { change.write(to: &$0) }
      }
    }
  }
}
