import Cellar

/// The fewest operations that lead a view from one list to another, counted without the code that
/// finds them.
///
/// `MinimalOperations` of the suites counts more plainly, and stages too. It tries all sets of sections,
/// and no other package sees it.
///
/// A view knows an item again in a section that stays. What goes with a deleted section, or comes with
/// an inserted one, is no operation of its own.
struct LeastUpdate: Equatable {
  var deleteSections = 0
  var insertSections = 0
  var moveSections = 0
  var deleteItems = 0
  var insertItems = 0
  var moveItems = 0
  /// Items that need another cell.
  var reloadItems = 0

  /// How many operations of each kind a batch update has; `nil` for a reload.
  init?(_ update: BatchUpdate) {
    switch update.mode {
    case .none: break
    case .reload: return nil
    case .batch(let stages):
      for stage in stages {
        deleteSections += stage.deleteSections.count
        insertSections += stage.insertSections.count
        moveSections += stage.moveSections.count
        deleteItems += stage.deleteItems.count
        insertItems += stage.insertItems.count
        moveItems += stage.moveItems.count
        reloadItems += stage.reloadItems.count
      }
    }
  }

  /// The fewest between two lists.
  init(from old: ListTree, to new: ListTree) {
    let (before, after) = (Places(old), Places(new))
    deleteSections = before.sections.count { after.index[$0] == nil }
    insertSections = after.sections.count { before.index[$0] == nil }
    moveSections = Self.moves(after.sections.compactMap { before.index[$0] })
    var stay = after.sections.map { _ in [Int]() }
    for (id, from) in before.items where after.index[before.sections[from.section]] != nil {
      guard let to = after.items[id], before.index[after.sections[to.section]] != nil else {
        deleteItems += 1
        continue
      }
      if from.cell != to.cell { reloadItems += 1 }
      if before.sections[from.section] != after.sections[to.section] { moveItems += 1 }
    }
    for (index, section) in new.sections.enumerated() where before.index[section.id] != nil {
      for item in section.items {
        let from = before.items[item.id]
        if let from, before.sections[from.section] == section.id {
          stay[index].append(from.item)
        } else if from.map({ after.index[before.sections[$0.section]] == nil }) ?? true {
          insertItems += 1
        }
      }
    }
    for places in stay { moveItems += Self.moves(places) }
  }

  private struct Places {
    var sections: [SectionID] = []
    var index: [SectionID: Int] = [:]
    var items: [ItemID: (section: Int, item: Int, cell: CellName)] = [:]

    init(_ tree: ListTree) {
      sections = tree.sections.map(\.id)
      for (number, section) in tree.sections.enumerated() {
        index[section.id] = number
        for (place, item) in section.items.enumerated() {
          items[item.id] = (number, place, item.state.cell)
        }
      }
    }
  }

  /// How many must move: all but a longest ascending subsequence.
  private static func moves(_ places: [Int]) -> Int {
    var ends: [Int] = []
    for place in places {
      if let index = ends.firstIndex(where: { $0 > place }) {
        ends[index] = place
      } else {
        ends.append(place)
      }
    }
    return places.count - ends.count
  }
}
