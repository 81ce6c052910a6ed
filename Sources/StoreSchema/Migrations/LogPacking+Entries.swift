import GRDB
import ListModel

extension LogPacking {
  /// The entry of a row of version 6.
  ///
  /// - Returns: `nil` if the row does not hold what its operation needs.
  mutating func entry(_ old: OldChange, in list: Int) throws -> Entry? {
    var text = EntryText()
    do {
      switch old.operation {
      case "insertItem", "deleteItem", "moveItem", "updateItem", "touchItem":
        try writeItem(old, in: list, to: &text)
      case "insertSection":
        text.begin(6, name: try old.known(old.section))
        text.append(try old.known(old.toSection))
        text.append(json: try old.object(old.after))
      case "deleteSection": try writeDeletedSection(old, in: list, to: &text)
      case "moveSection":
        text.begin(8, name: try old.known(old.section))
        text.append(try old.known(old.fromSection), try old.known(old.toSection))
      case "updateSection":
        text.begin(9, name: try old.known(old.section))
        text.append(try old.known(old.fromSection))
        text.append(json: try old.object(old.before))
        text.append(json: try old.object(old.after))
      case "updateList":
        text.begin(10)
        for json in [old.before, old.after] {
          text.append(
            json: try json.map { try JSONNode(loggedIn: Array($0)).value().text } ?? "null")
        }
      default: throw FormatError("unknown operation \"\(old.operation)\" in the log")
      }
    } catch is FormatError { return nil }
    return Entry(
      json: text.end(), seams: old.seams,
      member: (old.item ?? old.section).map { XXHash64.hash($0) } ?? Seam.none)
  }

  private mutating func writeItem(
    _ old: OldChange, in list: Int, to text: inout EntryText
  ) throws {
    let item = try old.known(old.item)
    switch old.operation {
    case "insertItem":
      let state = try OldState(old.known(old.after))
      let content = try contentInserted(with: item, in: list, as: state)
      text.begin(1, name: item)
      text.append(try old.known(old.toSection), try old.known(old.toItem))
      text.append(try cell(state), state.contentRevision, content)
    case "deleteItem":
      let state = try OldState(old.known(old.before))
      let content = try makeContent(state)
      try hold(content, by: item, in: list)
      text.begin(2, name: item)
      text.append(try old.known(old.fromSection), try old.known(old.fromItem))
      text.append(try cell(state), state.contentRevision, content)
    case "moveItem":
      text.begin(3, name: item)
      text.append(try old.known(old.fromSection), try old.known(old.fromItem))
      text.append(try old.known(old.toSection), try old.known(old.toItem))
    case "updateItem":
      let (before, after) = (
        try OldState(old.known(old.before)), try OldState(old.known(old.after))
      )
      let new = try contentHeld(by: item, in: list, as: after)
      let former = before.holdsSame(as: after) ? new : try makeContent(before)
      try hold(former, by: item, in: list)
      text.begin(4, name: item)
      text.append(try old.known(old.fromSection), try old.known(old.fromItem))
      text.append(try cell(before), before.contentRevision, former)
      text.append(try cell(after), after.contentRevision, new)
    default:
      text.begin(5, name: item)
      text.append(try old.known(old.fromSection), try old.known(old.fromItem))
    }
  }

  private mutating func writeDeletedSection(
    _ old: OldChange, in list: Int, to text: inout EntryText
  ) throws {
    let section = try JSONNode(loggedIn: Array(old.known(old.before))).object()
    text.begin(7, name: try old.known(old.section))
    text.append(try old.known(old.fromSection))
    var attributes: [(name: String, value: JSON)] = []
    for (name, value) in section.members {
      let name = try name.string()
      if name != "items" { attributes.append((name, value.value())) }
    }
    text.append(
      json: JSONWriter.object { writer in
        for (name, value) in attributes { writer.member(name, value) }
      })
    text.beginArray()
    for node in try section.required("items").elements() {
      let object = try node.object()
      let item = try object.required("id").string()
      let state = try OldState(object)
      let content = try makeContent(state)
      let cell = try cell(state)
      try Array(item.utf8).withUnsafeBytes { item in
        try hold(content, by: item, in: list)
        text.beginItem(name: item)
      }
      text.append(cell, state.contentRevision, content)
      text.endArray()
    }
    text.endArray()
  }

  private mutating func cell(_ state: OldState) throws -> Int {
    if let row = cells[state.cell] { return row }
    try db.execute(
      sql: "INSERT INTO cell (name) VALUES (?)",
      arguments: [String(decoding: state.cell, as: UTF8.self)])
    let row = Int(db.lastInsertedRowID)
    cells[state.cell] = row
    return row
  }
}
