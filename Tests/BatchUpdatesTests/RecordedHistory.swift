import BatchUpdates
import ListModel
import TestSupport
import Testing

/// A tree that changes, with the log since a mark, for comparing both ways to a batch update.
struct RecordedHistory {
  private(set) var tree: ListTree
  private(set) var marked: ListTree
  private(set) var entries: [LogEntry] = []
  private(set) var changes: [Change] = []
  private(set) var touched: Set<ItemID> = []
  /// Sections deleted since the mark: one of the same id is another one.
  private var deleted: Set<SectionID> = []

  init(_ tree: ListTree = ListTree(list: "list")) {
    self.tree = tree
    marked = tree
  }

  mutating func apply(_ change: Change) throws {
    let entry = try tree.apply(change)
    entries.append(entry)
    changes.append(change)
    if case .touchItem(let id) = change { touched.insert(id) }
    if case .deleteSection(let id) = change { deleted.insert(id) }
  }

  /// Begins the log here.
  mutating func mark() {
    marked = tree
    entries = []
    changes = []
    touched = []
    deleted = []
  }

  /// From the log.
  var update: BatchUpdate {
    BatchUpdate(
      list: tree.list, from: 0, to: 1, replaying: entries,
      on: SectionCounts(marked.itemCounts))
  }

  /// The tree, where a section that was deleted and inserted again has another id.
  var renamed: ListTree {
    var renamed = tree
    renamed.sections = tree.sections.map { section in
      guard deleted.contains(section.id) else { return section }
      return ListTree.Section(
        id: SectionID(stringLiteral: section.id.rawValue + " again"),
        attributes: section.attributes, items: section.items)
    }
    return renamed
  }

  /// Compares the update from the log with the one from the trees, and has the view check it.
  func check(_ hint: String, sourceLocation: SourceLocation = #_sourceLocation) {
    let update = update
    if case .reload(let why) = update.mode {
      Issue.record("reload, \(why): \(hint)", sourceLocation: sourceLocation)
    }
    var view = CheckingView(showing: marked)
    do { try view.perform(update, showing: renamed) } catch {
      Issue.record("\(error): \(hint)\n\(update.json)", sourceLocation: sourceLocation)
    }
    let expected = BatchUpdate(from: marked, to: renamed, touched: touched)
    #expect(
      MinimalOperations(of: update) == MinimalOperations(of: expected),
      "\(hint)\n\(update.json)\n\(expected.json)", sourceLocation: sourceLocation)
    for content in [\Stage.reloadItems, \Stage.reconfigureItems] {
      let found = update.stages.flatMap { $0[keyPath: content] }
      let wanted = expected.stages.flatMap { $0[keyPath: content] }
      #expect(
        found == wanted, "\(hint)\n\(update.json)\n\(expected.json)",
        sourceLocation: sourceLocation)
    }
    #expect(
      update.stages.flatMap(\.updateSections) == expected.stages.flatMap(\.updateSections),
      "\(hint)", sourceLocation: sourceLocation)
  }
}

/// Every change of a small tree, each kind at each place.
enum SmallChanges {
  static func all(for tree: ListTree) -> [Change] {
    var changes: [Change] = []
    let sections = tree.sections.map(\.id)
    let items = tree.sections.flatMap { $0.items.map(\.id) }
    let unused: [SectionID] = ["a", "b"].filter { !sections.contains($0) }
    if let id = unused.first {
      for index in 0...sections.count { changes.append(.insertSection(id, at: .index(index))) }
    }
    for id in sections {
      changes.append(.deleteSection(id))
      for index in 0..<sections.count { changes.append(.moveSection(id, to: .index(index))) }
    }
    changes.append(.updateList(meta: "1"))
    if let id = sections.first {
      changes.append(.updateSection(id, SectionUpdate(meta: .set("1"))))
    }
    let new: [ItemID] = ["1", "2", "3"].filter { !items.contains($0) }
    for section in tree.sections {
      if let id = new.first {
        for index in 0...section.items.count {
          changes.append(
            .insertItem(
              Item(id: id, cell: "X", content: "1"), in: section.id, at: .index(index)))
        }
      }
    }
    for id in items {
      changes.append(.deleteItem(id))
      for section in tree.sections {
        let others = section.items.filter { $0.id != id }.count
        for index in 0...others {
          changes.append(.moveItem(id, in: section.id, to: .index(index)))
        }
      }
    }
    if let id = items.first {
      changes.append(.updateItem(id, ItemUpdate(content: .set("2"))))
      changes.append(.touchItem(id))
    }
    return changes
  }
}
