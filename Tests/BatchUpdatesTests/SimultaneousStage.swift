import BatchUpdates
import ListModel
import TestSupport

/// A stage between two random lists that a compiler would never make: more moves than it takes,
/// items that cross sections beside section operations, operations in deleted, inserted and moved
/// sections, content beside structure; and what it must lead to.
struct SimultaneousStage {
  typealias List = [(id: String, items: [String])]

  var old: List
  var new: List
  var stage = Stage()
  /// The new list, with `nil` for what is new or drawn again.
  var expected: SequentialRows

  private var oldSections: [String: Int] = [:]
  private var oldPaths: [String: ItemPath] = [:]
  private var accountedFor: Set<String> = []

  init(using generator: inout SeededGenerator) {
    old = Self.list(&generator)
    new = Self.list(&generator)
    expected = SequentialRows(new)
    for (index, section) in old.enumerated() {
      oldSections[section.id] = index
      for (offset, item) in section.items.enumerated() {
        oldPaths[item] = ItemPath(section: index, item: offset)
      }
    }
    stage.counts = SectionCounts(new.map(\.items.count))
    addSections(&generator)
    for index in new.indices { addItems(ofSection: index, &generator) }
    addDeletes(&generator)
    stage.deleteItems.shuffle(using: &generator)
    stage.insertItems.shuffle(using: &generator)
    stage.moveItems.shuffle(using: &generator)
    stage.deleteSections.shuffle(using: &generator)
    stage.insertSections.shuffle(using: &generator)
    stage.moveSections.shuffle(using: &generator)
  }

  private static func list(_ generator: inout SeededGenerator) -> List {
    let sections = (0..<6).map { "s\($0)" }.shuffled(using: &generator)
    var list = sections.prefix(generator.number(0..<6)).map { (id: $0, items: [String]()) }
    if list.isEmpty { return list }
    for item in (0..<generator.number(1..<24)).shuffled(using: &generator) {
      list[generator.number(0..<list.count)].items.append("i\(item)")
    }
    return list
  }

  private mutating func addSections(_ generator: inout SeededGenerator) {
    stage.deleteSections = old.indices.filter { index in
      !new.contains { $0.id == old[index].id }
    }
    var last = -1
    for (index, section) in new.enumerated() {
      guard let before = oldSections[section.id] else {
        stage.insertSections.append(index)
        expected.sections[index] = nil
        continue
      }
      if before > last, generator.percent(80) {
        last = before
      } else {
        stage.moveSections.append(Stage.Move(from: before, to: index))
      }
      if generator.percent(10) {
        stage.updateSections.append(index)
        expected.sections[index] = nil
      }
    }
  }

  private mutating func addItems(
    ofSection index: Int, _ generator: inout SeededGenerator
  ) {
    let before = oldSections[new[index].id]
    var last = -1
    for (offset, item) in new[index].items.enumerated() {
      let path = ItemPath(section: index, item: offset)
      let source = oldPaths[item]
      if let source, source.section == before, source.item > last, generator.percent(80) {
        last = source.item
        accountedFor.insert(item)
        addContent(source, path, &generator)
      } else if let source, generator.percent(90) {
        accountedFor.insert(item)
        stage.moveItems.append(Stage.Move(from: source, to: path))
        if stage.deleteSections.contains(source.section) {
          expected.rows[index][offset] = nil
        } else {
          addContent(source, path, &generator)
        }
      } else {
        expected.rows[index][offset] = nil
        if before != nil || generator.percent(30) { stage.insertItems.append(path) }
      }
    }
  }

  private mutating func addContent(
    _ source: ItemPath, _ path: ItemPath, _ generator: inout SeededGenerator
  ) {
    switch generator.number(0..<20) {
    case 0: stage.reloadItems.append(source)
    case 1: stage.reconfigureItems.append(source)
    default: return
    }
    expected.rows[path.section][path.item] = nil
  }

  private mutating func addDeletes(_ generator: inout SeededGenerator) {
    for (index, section) in old.enumerated() {
      let isDeleted = stage.deleteSections.contains(index)
      for (offset, item) in section.items.enumerated()
      where !accountedFor.contains(item) && (!isDeleted || generator.percent(30)) {
        stage.deleteItems.append(ItemPath(section: index, item: offset))
      }
    }
  }
}
