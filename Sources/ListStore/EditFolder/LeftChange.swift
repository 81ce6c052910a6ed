import BatchUpdates
import ListItems
import ListModel
import ListTables

/// A change of an edit that was left: one of a feed's, or one that fits whatever the list has by the time
/// when it is imported.
enum LeftChange: Sendable {
  case change(Change)
  /// Inserts an item, or updates the one that is there: `insertItem` with `"orUpdate":true`.
  case upsertItem(Item, in: SectionID, at: Place<ItemID>)
  /// `deleteItem` with `"ifPresent":true`.
  case deleteItemIfPresent(ItemID)
  /// Sets members of an item's content.
  case setMembers(ItemID, JSON)

  /// A change that names the same.
  var named: Change {
    switch self {
    case .change(let change): change
    case .upsertItem(let item, let section, let place): .insertItem(item, in: section, at: place)
    case .deleteItemIfPresent(let item): .deleteItem(item)
    case .setMembers(let item, _): .touchItem(item)
    }
  }

  /// The change that it is for a list; `nil` if there is nothing to do.
  ///
  /// - Throws: ``/ListModel/FormatError`` if the item's content has no members.
  func change(in list: some ListLookup) throws -> Change? {
    switch self {
    case .change(let change): return change
    case .upsertItem(let item, let section, let place):
      return try list.location(of: item.id) == nil
        ? .insertItem(item, in: section, at: place)
        : .updateItem(item.id, ItemUpdate(to: item.state))
    case .deleteItemIfPresent(let item):
      return try list.location(of: item) == nil ? nil : .deleteItem(item)
    case .setMembers(let item, let members):
      // Refused as all changes of an unknown item are.
      guard let path = try list.location(of: item)?.path else {
        return .updateItem(item, ItemUpdate())
      }
      var content = try list.state(of: item, at: path).content
      for name in (members.memberNames ?? []).sorted() {
        if let value = try members.member(name) { try content.set(name, to: value) }
      }
      return .updateItem(item, ItemUpdate(content: .set(content)))
    }
  }
}

extension LeftChange: JSONReadable {
  init(_ node: JSONNode) throws(FormatError) {
    let object = try node.object()
    switch try object.required("op", as: String.self) {
    case "setMembers":
      _ = try object.required("members").object()
      self = .setMembers(try object.required("item"), try object.required("members"))
    case "insertItem" where try Self.isTrue("orUpdate", in: object):
      let change = try Change(node)
      guard case .insertItem(let item, let section, let place) = change else {
        self = .change(change)
        return
      }
      self = .upsertItem(item, in: section, at: place)
    case "deleteItem" where try Self.isTrue("ifPresent", in: object):
      self = .deleteItemIfPresent(try object.required("item"))
    default: self = .change(try Change(node))
    }
  }

  private static func isTrue(_ name: String, in object: JSONObject) throws(FormatError) -> Bool {
    try object.optional(name, as: JSON.self)?.text == "true"
  }

  /// As an element of `ops`.
  func write(to writer: inout JSONWriter) {
    switch self {
    case .change(let change): change.writeOperation(to: &writer)
    case .upsertItem(let item, let section, let place):
      Change.insertItem(item, in: section, at: place).writeOperation(to: &writer)
      writer.member("orUpdate", JSON(minified: "true"))
    case .deleteItemIfPresent(let item):
      Change.deleteItem(item).writeOperation(to: &writer)
      writer.member("ifPresent", JSON(minified: "true"))
    case .setMembers(let item, let members):
      writer.member("op", "setMembers")
      writer.member("item", item.rawValue)
      writer.member("members", members)
    }
  }
}
