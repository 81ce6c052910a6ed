import Foundation
import GRDB
import ListInspection
import ListItems
import ListModel
import ListStore
import ListTables
import TestSupport

extension InspectionBench {
  /// A store with a text in every place that takes one, in rows, in the log and on free pages.
  func makeSecretStore(_ secret: String) throws {
    let text = try JSON(encoding: secret).text
    let repository = try Repository(at: file)
    let content = try JSON(
      parsing: "{\"secretMember\":\(text),\"number\":-12.5e3,\"flag\":true,\"list\":[\(text)]}")
    let view = Supplementary(view: "SecretView", content: content)
    try repository.edit("secret-list", by: "secret-author") { list in
      try list.setMeta(content)
      try list.insertSection(
        "secret-section",
        SectionAttributes(
          header: view, footer: view, meta: content, supplementaries: ["badge": view],
          decorations: [
            Decoration(view: "SecretView", content: content)
          ]))
      let action = Action(
        url: "https://example.org/nobody@home", event: "secret-event", attrs: content)
      try list.insert(
        Item(
          id: "secret-item", cell: "SecretCell", content: content, type: "SecretType",
          action: action), in: "secret-section")
      try list.insertSection("secret-section 2")
      try list.insert(
        (0..<200).map {
          Item(id: try ItemID("secret-item \($0)"), cell: "SecretCell", content: content)
        }, in: "secret-section 2")
    }
    try repository.edit("secret-list") { list in
      try list.setMeta(nil)
      try list.apply(.deleteSection("secret-section 2"))
    }
    let owner = ListOwner(list: "secret-list", item: "secret-item", name: "chapters")
    _ = try repository.edit(owner.nestedList, ownedBy: owner, by: .app) { list in
      try list.insertSection("secret-owned")
    }
    try repository.save(
      ListViewState(selection: ItemSelection(.single, ["secret-item"])), of: "secret-list")
    try repository.save(
      [
        MeasuredSize(
          item: "secret-item", size: Size(width: 320, height: 44), cell: "SecretCell",
          contentRevision: 0)
      ], for: SizeKey(fittingPixels: 320, environment: LayoutEnvironment()), in: "secret-list")
    try repository.save(
      [
        MeasuredSupplementarySize(
          section: "secret-section", kind: .header, size: Size(width: 320, height: 30),
          supplementary: view)
      ], for: SizeKey(fittingPixels: 320, environment: LayoutEnvironment()), in: "secret-list")
  }

  /// The revision after which the log of a list begins.
  func logFloor(of list: ListID, in file: URL? = nil) throws -> Int {
    let queue = try DatabaseQueue(path: (file ?? self.file).path)
    let floor = try queue.read { db in try ListRows(db, list)?.logFloor }
    try queue.close()
    return floor ?? -1
  }
}

/// What a redacted list has in common with its original.
enum RedactedShape {
  /// The lists of both stores that belong together, by their numbers of commits and items.
  static func lists(
    _ old: Repository, _ new: Repository
  ) throws -> [(ListID, ListID)] {
    func shape(_ repository: Repository, _ list: ListID) throws -> [Int] {
      let tree = try repository.tree(of: list)
      return [tree.revision, list.rawValue.utf8.count] + tree.sections.map(\.items.count)
    }
    return try old.lists().compactMap { list in
      let wanted = try shape(old, list)
      return try new.lists().first { try shape(new, $0) == wanted }.map { (list, $0) }
    }
  }

  /// What differs but ids and contents; `names` maps the ids that were seen to their pseudonyms.
  static func differences(
    _ old: ListTree, _ new: ListTree, _ names: inout [String: String]
  ) -> [String] {
    var differences: [String] = []
    func compare(_ what: String, _ isSame: Bool) { if !isSame { differences.append(what) } }
    func compare(_ old: String, _ new: String) {
      compare("\(old): two pseudonyms", names[old, default: new] == new && old != new)
      compare("\(old): length", new.utf8.count >= old.utf8.count)
      names[old] = new
    }
    func compare(_ old: JSON?, _ new: JSON?) {
      compare("length of \(old?.text ?? "")", old?.text.utf8.count == new?.text.utf8.count)
    }
    compare(old.meta, new.meta)
    compare("sections", old.sections.count == new.sections.count)
    for (section, redacted) in zip(old.sections, new.sections) {
      compare(section.id.rawValue, redacted.id.rawValue)
      compare("layout", section.attributes.layout == redacted.attributes.layout)
      compare(
        "kinds", section.attributes.supplementaryKinds == redacted.attributes.supplementaryKinds)
      compare(section.attributes.header?.content, redacted.attributes.header?.content)
      compare(section.attributes.meta, redacted.attributes.meta)
      compare("items", section.items.count == redacted.items.count)
      for (item, other) in zip(section.items, redacted.items) {
        compare(item.id.rawValue, other.id.rawValue)
        compare("cell", item.state.cell == other.state.cell && item.state.type == other.state.type)
        compare("contentRevision", item.state.contentRevision == other.state.contentRevision)
        compare(item.state.content, other.state.content)
      }
    }
    return differences
  }
}

extension LogEntry {
  /// What a change does and where, without ids and contents.
  var shape: String {
    switch self {
    case .updateList(let before, let after): "list \(before == nil) \(after == nil)"
    case .insertSection(_, let attributes, let index):
      "section in \(index) \(attributes.supplementaryKinds)"
    case .deleteSection(let section, let index):
      "section out \(index) \(section.items.map(\.state.contentRevision))"
    case .moveSection(_, let from, let to): "section \(from) \(to)"
    case .updateSection(_, let index, let before, let after):
      "section \(index) \(before.visibility) \(after.visibility) \(after.decorations.count)"
    case .insertItem(let item, let path): "in \(path) \(item.state.content.text.utf8.count)"
    case .deleteItem(let item, let path): "out \(path) \(item.state.contentRevision)"
    case .moveItem(_, let from, let to): "\(from) \(to)"
    case .updateItem(_, let path, let before, let after):
      "\(path) \(before.cell) \(before.contentRevision) \(after.cell) \(after.contentRevision)"
    case .touchItem(_, let path): "touch \(path)"
    }
  }
}
