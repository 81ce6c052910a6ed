import BatchUpdates
import ListModel
import TestSupport

/// A list with identities before and after a stage of the safe subset, made by editing it.
struct LegalityTreePair {
  struct Section: Hashable {
    let id: Int
    var items: [Int]
  }

  private(set) var before: [Section] = []
  private(set) var after: [Section] = []
  private(set) var question = LegalityQuestion([], [], [])

  private var nextID = 0
  private var movedSections: Set<Int> = []
  private var movedItems: Set<Int> = []

  init(using random: inout SeededGenerator) {
    before = (0..<random.below(5)).map { _ in newSection(&random) }
    after = before
    let changesSections = random.oneIn(2)
    if changesSections { changeSections(&random) }
    changeItems(betweenSections: !changesSections, &random)
    settle()
    writeQuestion()
  }

  private mutating func newID() -> Int {
    nextID += 1
    return nextID
  }

  private mutating func newSection(_ random: inout SeededGenerator) -> Section {
    Section(id: newID(), items: (0..<random.below(6)).map { _ in newID() })
  }

  private mutating func changeSections(_ random: inout SeededGenerator) {
    after.removeAll { _ in random.oneIn(4) }
    for section in after where random.oneIn(4) {
      after.removeAll { $0.id == section.id }
      after.insert(section, at: random.below(after.count + 1))
      movedSections.insert(section.id)
    }
    for _ in 0..<random.below(3) {
      after.insert(newSection(&random), at: random.below(after.count + 1))
    }
  }

  /// Edits the items of sections that were there before and did not move.
  private mutating func changeItems(betweenSections: Bool, _ random: inout SeededGenerator) {
    let old = Set(before.map(\.id))
    let editable = after.indices.filter {
      old.contains(after[$0].id) && !movedSections.contains(after[$0].id)
    }
    var moved: [(item: Int, section: Int)] = []
    for section in editable {
      for item in after[section].items {
        switch random.below(6) {
        case 0: after[section].items.removeAll { $0 == item }
        case 1:
          after[section].items.removeAll { $0 == item }
          moved.append((item, betweenSections ? editable[random.below(editable.count)] : section))
        default: continue
        }
      }
    }
    for (item, section) in moved {
      after[section].items.insert(item, at: random.below(after[section].items.count + 1))
      movedItems.insert(item)
    }
    for section in editable {
      for _ in 0..<random.below(3) {
        after[section].items.insert(newID(), at: random.below(after[section].items.count + 1))
      }
    }
  }

  /// Takes out moves onto the own index that change nothing: with the one that does not move, those
  /// that stay are still in their old order.
  private mutating func settle() {
    let sections = before.map(\.id)
    for (index, section) in after.enumerated()
    where movedSections.contains(section.id) && sections.firstIndex(of: section.id) == index {
      let stay = after.map(\.id).filter {
        sections.contains($0) && (!movedSections.contains($0) || $0 == section.id)
      }
      if stay == sections.filter(stay.contains) { movedSections.remove(section.id) }
    }
    for new in after {
      guard let old = before.first(where: { $0.id == new.id }) else { continue }
      for (index, item) in new.items.enumerated()
      where movedItems.contains(item) && old.items.firstIndex(of: item) == index {
        let stay = new.items.filter {
          old.items.contains($0) && (!movedItems.contains($0) || $0 == item)
        }
        if stay == old.items.filter(stay.contains) { movedItems.remove(item) }
      }
    }
  }

  private mutating func writeQuestion() {
    question = LegalityQuestion(before.map(\.items.count), after.map(\.items.count), [])
    let newIDs = after.map(\.id)
    let oldIDs = before.map(\.id)
    for (index, id) in oldIDs.enumerated() {
      guard let new = newIDs.firstIndex(of: id) else {
        question.add(.deleteSection(index))
        continue
      }
      if movedSections.contains(id) { question.add(.moveSection(index, new)) }
      for (position, item) in before[index].items.enumerated() {
        guard let section = after.firstIndex(where: { $0.items.contains(item) }),
          let place = after[section].items.firstIndex(of: item)
        else {
          question.add(.deleteItem(index, position))
          continue
        }
        if movedItems.contains(item) {
          question.add(.moveItem(index, position, to: section, place))
        }
      }
    }
    let oldItems = Set(before.flatMap(\.items))
    for (index, section) in after.enumerated() {
      if !oldIDs.contains(section.id) {
        question.add(.insertSection(index))
        continue
      }
      for (position, item) in section.items.enumerated() where !oldItems.contains(item) {
        question.add(.insertItem(index, position))
      }
    }
  }
}
