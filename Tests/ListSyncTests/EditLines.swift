import ListModel

/// A line of a feed that answers an edit or changes the list.
func line(
  _ sequence: Int, _ changes: [Change], edit: String? = nil, at time: Int? = nil, list: ListID = "l"
) -> String {
  JSONWriter.object { writer in
    writer.member("t", "commit")
    writer.member("list", list.rawValue)
    writer.member("seq", String(sequence))
    if let time { writer.member("at", time) }
    writer.member("by", "server")
    if let edit { writer.member("edit", edit) }
    writer.member("ops", array: changes) { writer, change in
      writer.object { change.writeOperation(to: &$0) }
    }
  }
}

/// A line of a feed with a whole list.
func snapshotLine(_ sequence: Int, _ sections: [ListTree.Section], list: ListID = "l") -> String {
  JSONWriter.object { writer in
    writer.member("t", "snapshot")
    writer.member("list", list.rawValue)
    writer.member("seq", String(sequence))
    writer.member("sections", array: sections) { $1.write(to: &$0) }
  }
}

/// A line of a feed that refuses an edit.
func rejection(of edit: String, why: String? = nil, list: ListID = "l") -> String {
  JSONWriter.object { writer in
    writer.member("t", "reject")
    writer.member("list", list.rawValue)
    writer.member("edit", edit)
    if let why { writer.member("why", why) }
  }
}
