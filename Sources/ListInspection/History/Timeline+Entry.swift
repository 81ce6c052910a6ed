import ListModel

extension Inspection.Timeline.Entry {
  /// What a change says by itself: without the sections of its places.
  init(_ entry: LogEntry, _ detail: Inspection.ContentDetail) {
    typealias Place = Inspection.Timeline.Place
    func state(_ state: ItemState) -> Inspection.StateFacts { .init(state, detail) }
    func facts(_ attributes: SectionAttributes) -> Inspection.ContentFacts? {
      .init(attributes, detail)
    }
    self.init(operation: entry.name)
    switch entry {
    case .updateList(let before, let after):
      attributesBefore = before.flatMap { .init($0.text, detail) }
      attributesAfter = after.flatMap { .init($0.text, detail) }
    case .insertSection(let id, let attributes, let index):
      section = id.rawValue
      to = Place(path: [index])
      attributesAfter = facts(attributes)
    case .deleteSection(let deleted, let index):
      section = deleted.id.rawValue
      from = Place(path: [index])
      attributesBefore = facts(deleted.attributes)
      itemCount = deleted.items.count
    case .moveSection(let id, let from, let to):
      section = id.rawValue
      (self.from, self.to) = (Place(path: [from]), Place(path: [to]))
    case .updateSection(let id, let index, let before, let after):
      section = id.rawValue
      from = Place(path: [index])
      (attributesBefore, attributesAfter) = (facts(before), facts(after))
    case .insertItem(let inserted, let path):
      item = inserted.id.rawValue
      to = Place(path)
      after = state(inserted.state)
    case .deleteItem(let deleted, let path):
      item = deleted.id.rawValue
      from = Place(path)
      before = state(deleted.state)
    case .moveItem(let id, let from, let to):
      item = id.rawValue
      (self.from, self.to) = (Place(from), Place(to))
    case .updateItem(let id, let path, let before, let after):
      item = id.rawValue
      from = Place(path)
      (self.before, self.after) = (state(before), state(after))
    case .touchItem(let id, let path):
      item = id.rawValue
      from = Place(path)
    }
  }
}

extension Inspection.Timeline.Place {
  init(_ path: ItemPath) { self.init(path: [path.section, path.item]) }
}

extension LogEntry {
  /// The name of the operation, as feeds write it.
  var name: String {
    switch self {
    case .updateList: "updateList"
    case .insertSection: "insertSection"
    case .deleteSection: "deleteSection"
    case .moveSection: "moveSection"
    case .updateSection: "updateSection"
    case .insertItem: "insertItem"
    case .deleteItem: "deleteItem"
    case .moveItem: "moveItem"
    case .updateItem: "updateItem"
    case .touchItem: "touchItem"
    }
  }
}
