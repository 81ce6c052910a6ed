import ListModel

/// What a checked change showed to be wrong.
struct Disagreement: Error, CustomStringConvertible {
  let description: String

  init(_ what: String, _ change: Change, on tree: ListTree) {
    description = "\(what)\n  \(change)\n  on \(NaiveList(tree))"
  }
}

/// Applies one change to a tree and to the naive model and compares all that is promised: success,
/// the result, the entry's paths and states, its replay, and its way back.
///
/// - Returns: The tree after, with its entry; `nil` if the change does not fit.
/// - Throws: ``Disagreement``.
func checkedStep(_ change: Change, on tree: ListTree) throws -> (tree: ListTree, entry: LogEntry)? {
  let expected = NaiveList(tree).applying(change)
  var after = tree
  let entry: LogEntry
  do {
    entry = try after.apply(change)
  } catch {
    guard expected == nil else { throw Disagreement("refused: \(error)", change, on: tree) }
    guard after == tree else { throw Disagreement("an error left a change", change, on: tree) }
    return nil
  }
  guard let expected else { throw Disagreement("accepted", change, on: tree) }
  guard NaiveList(after) == expected else {
    throw Disagreement("gave \(NaiveList(after)) and not \(expected)", change, on: tree)
  }
  guard entry.isTrue(before: tree, after: after) else {
    throw Disagreement("logged \(entry)", change, on: tree)
  }

  var replayed = tree
  try replayed.apply(entry)
  guard replayed == after else {
    throw Disagreement("the replay of \(entry) differs", change, on: tree)
  }
  var undone = after
  for step in entry.inverse { try undone.apply(step) }
  guard undone == tree else {
    throw Disagreement("the inverse of \(entry) gave \(NaiveList(undone))", change, on: tree)
  }
  return (after, entry)
}

extension LogEntry {
  /// Whether every index, path and state of this entry is the one that a search finds.
  fileprivate func isTrue(before: ListTree, after: ListTree) -> Bool {
    switch self {
    case .updateList(let old, let new):
      return before.meta == old && after.meta == new && before.sections == after.sections
    case .insertSection(let id, let attributes, let index):
      return before.place(of: id) == nil && after.place(of: id) == index
        && after.sections[index] == ListTree.Section(id: id, attributes: attributes)
    case .deleteSection(let section, let index):
      return before.place(of: section.id) == index && before.sections[index] == section
        && after.place(of: section.id) == nil
    case .moveSection(let id, let from, let to):
      return before.place(of: id) == from && after.place(of: id) == to
        && before.sections[from] == after.sections[to]
    case .updateSection(let id, let index, let old, let new):
      return before.place(of: id) == index && after.place(of: id) == index
        && before.sections[index].attributes == old && after.sections[index].attributes == new
    case .insertItem(let item, let path):
      return before.place(of: item.id) == nil && after.place(of: item.id) == path
        && after.sections[path.section].items[path.item] == item
    case .deleteItem(let item, let path):
      return before.place(of: item.id) == path && after.place(of: item.id) == nil
        && before.sections[path.section].items[path.item] == item
    case .moveItem(let id, let from, let to):
      return before.place(of: id) == from && after.place(of: id) == to
    case .updateItem(let id, let path, let old, let new):
      return before.place(of: id) == path && after.place(of: id) == path
        && before.sections[path.section].items[path.item].state == old
        && after.sections[path.section].items[path.item].state == new
    case .touchItem(let id, let path):
      return before.place(of: id) == path && before == after
    }
  }
}

extension ListTree {
  fileprivate func place(of id: SectionID) -> Int? {
    for index in sections.indices where sections[index].id == id { return index }
    return nil
  }

  fileprivate func place(of id: ItemID) -> ItemPath? {
    for section in sections.indices {
      for item in sections[section].items.indices where sections[section].items[item].id == id {
        return ItemPath(section: section, item: item)
      }
    }
    return nil
  }
}
