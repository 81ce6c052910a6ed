import Cellar
import Foundation

// The operations of the feed format, read and written by Foundation.

extension ModelList.Operation {
  typealias Members = [String: Any]

  /// Reads an operation of an edit.
  ///
  /// - Throws: ``ModelList/Misfit`` for what no app of the simulation sends.
  init(_ members: Members) throws {
    let section = members["section"] as? String
    let item = members["item"] as? String
    switch (members["op"] as? String, section, item) {
    case ("insertSection", let section?, _): self = .insertSection(section, try Self.place(members))
    case ("deleteSection", let section?, _): self = .deleteSection(section)
    case ("moveSection", let section?, _): self = .moveSection(section, try Self.place(members))
    case ("insertItem", let section?, let item?):
      guard let content = members["content"] as? Members, let title = content["title"] as? String,
        let likes = content["likes"] as? Int
      else { throw ModelList.Misfit(why: "content of \(item)") }
      self = .insertItem(
        ModelList.Item(
          id: item, title: title, likes: likes, isWide: members["cell"] as? String == "WideCell"),
        section: section, try Self.place(members))
    case ("deleteItem", _, let item?): self = .deleteItem(item)
    case ("moveItem", _, let item?):
      self = .moveItem(item, section: section, try Self.place(members))
    case ("updateItem", _, let item?):
      let content = members["content"] as? Members
      self = .updateItem(
        item, title: content?["title"] as? String, likes: content?["likes"] as? Int,
        isWide: (members["cell"] as? String).map { $0 == "WideCell" })
    case ("touchItem", _, let item?): self = .touchItem(item)
    case (let name, _, _): throw ModelList.Misfit(why: "operation \(name ?? "without a name")")
    }
  }

  private static func place(_ members: Members) throws -> ModelList.Place {
    if let index = members["index"] as? Int { return .index(index) }
    if let after = members["after"] { return (after as? String).map { .after($0) } ?? .start }
    if let before = members["before"] { return (before as? String).map { .before($0) } ?? .end }
    return .end
  }

  /// The operation for a list, whose other values an update keeps.
  func members(in list: ModelList) -> Members {
    switch self {
    case .insertSection(let id, let place):
      Self.with(place, ["op": "insertSection", "section": id])
    case .deleteSection(let id): ["op": "deleteSection", "section": id]
    case .moveSection(let id, let place): Self.with(place, ["op": "moveSection", "section": id])
    case .insertItem(let item, let section, let place):
      Self.with(
        place,
        ["op": "insertItem", "item": item.id, "section": section].merging(item.members) { $1 })
    case .deleteItem(let id): ["op": "deleteItem", "item": id]
    case .moveItem(let id, let section, let place):
      Self.with(
        place,
        ["op": "moveItem", "item": id].merging(section.map { ["section": $0] } ?? [:]) { $1 })
    case .updateItem(let id, _, _, let isWide):
      updated(id, in: list, changesCell: isWide != nil)
    case .touchItem(let id): ["op": "touchItem", "item": id]
    }
  }

  private func updated(_ id: String, in list: ModelList, changesCell: Bool) -> Members {
    var after = list
    guard (try? after.apply(self)) != nil, let item = after.items.first(where: { $0.id == id })
    else { return [:] }
    var members: Members = ["op": "updateItem", "item": id, "content": item.content]
    if changesCell { members["cell"] = item.cell }
    return members
  }

  private static func with(_ place: ModelList.Place, _ members: Members) -> Members {
    var members = members
    switch place {
    case .start: members["after"] = NSNull()
    case .end: members["before"] = NSNull()
    case .after(let id): members["after"] = id
    case .before(let id): members["before"] = id
    case .index(let index): members["index"] = index
    }
    return members
  }
}

extension ModelList.Item {
  var cell: String { isWide ? "WideCell" : "BookCell" }
  var content: [String: Any] { ["id": id, "title": title, "likes": likes, "isWide": isWide] }
  /// Those of an item in a feed, without its id.
  var members: [String: Any] { ["cell": cell, "type": "Book", "content": content] }
}

/// A JSON object as a text, its members in order.
func jsonText(_ members: [String: Any]) -> String {
  let data = try? JSONSerialization.data(
    withJSONObject: members, options: [.sortedKeys, .withoutEscapingSlashes])
  return String(decoding: data ?? Data(), as: UTF8.self)
}

/// A JSON object of bytes; `nil` if they are none.
func jsonMembers(_ data: Data) -> [String: Any]? {
  try? JSONSerialization.jsonObject(with: data) as? [String: Any]
}

extension ModelList {
  /// What an edit that waits does; `nil` if it holds what no app of the simulation sends.
  static func operations(of edit: Repository.PendingEdit) -> [Operation]? {
    let text = Data("{\"ops\":\(edit.operations.text)}".utf8)
    let written = jsonMembers(text)?["ops"] as? [[String: Any]] ?? []
    let operations = written.compactMap { try? Operation($0) }
    return operations.count == written.count ? operations : nil
  }
}

extension ModelList {
  /// Reads the sections of a snapshot.
  ///
  /// - Throws: ``Misfit`` for what no app of the simulation sends.
  init(_ sections: [[String: Any]]) throws {
    for section in sections {
      guard let id = section["id"] as? String else { throw Misfit(why: "a section without an id") }
      try apply(.insertSection(id, .end))
      for item in section["items"] as? [[String: Any]] ?? [] {
        let members = item.merging(["op": "insertItem", "section": id, "item": item["id"] ?? ""]) {
          $1
        }
        try apply(Operation(members))
      }
    }
  }

  /// The list as a tree of the feed format.
  var members: [String: Any] {
    [
      "sections": sections.map { section in
        [
          "id": section.id,
          "items": section.items.map { $0.members.merging(["id": $0.id]) { $1 } },
        ] as [String: Any]
      }
    ]
  }
}
