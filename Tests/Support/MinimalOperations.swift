package import BatchUpdates
package import ListModel

/// The fewest operations from one tree to another, counted in the plainest way: by definition, with
/// a quadratic longest increasing subsequence, and for sections by trying all sets that may stay.
package struct MinimalOperations: Equatable, Sendable {
  package var deleteSections = 0
  package var insertSections = 0
  package var moveSections = 0
  package var deleteItems = 0
  package var insertItems = 0
  package var moveItems = 0
  /// The structural stages that the rules ask for at least, and one for content if there is any.
  package var stages = 0

  /// Counts what an update holds.
  package init(of update: BatchUpdate) {
    for stage in update.stages {
      deleteSections += stage.deleteSections.count
      insertSections += stage.insertSections.count
      moveSections += stage.moveSections.count
      deleteItems += stage.deleteItems.count
      insertItems += stage.insertItems.count
      moveItems += stage.moveItems.count
    }
    stages = update.stages.count
  }

  /// Counts what is needed.
  package init(from old: ListTree, to new: ListTree, touched: Set<ItemID> = []) {
    let oldIDs = old.sections.map(\.id)
    let newIDs = new.sections.map(\.id)
    let surviving = newIDs.filter(oldIDs.contains)
    deleteSections = oldIDs.count - surviving.count
    insertSections = newIDs.count - surviving.count

    var home: [ItemID: SectionID] = [:]
    for section in old.sections { for item in section.items { home[item.id] = section.id } }
    var lostBy: [SectionID: Int] = [:]
    var otherwiseDirty: Set<SectionID> = []
    var kept: Set<ItemID> = []
    var crossings = 0
    for section in new.sections where surviving.contains(section.id) {
      for item in section.items {
        guard let source = home[item.id], surviving.contains(source) else {
          insertItems += 1
          otherwiseDirty.insert(section.id)
          continue
        }
        kept.insert(item.id)
        if source != section.id {
          crossings += 1
          otherwiseDirty.formUnion([source, section.id])
        }
      }
      let stayers = section.items.map(\.id).filter { home[$0] == section.id }
      let before = old.sections.first { $0.id == section.id }?.items.map(\.id) ?? []
      let moves =
        stayers.count
        - Self.longestIncreasing(stayers.map { before.firstIndex(of: $0) ?? -1 })
      moveItems += moves
      if moves > 0 { otherwiseDirty.insert(section.id) }
    }
    moveItems += crossings
    for section in old.sections where surviving.contains(section.id) {
      let lost = section.items.count { !kept.contains($0.id) }
      deleteItems += lost
      lostBy[section.id] = lost
    }
    let order = surviving.map { oldIDs.firstIndex(of: $0) ?? -1 }
    moveSections = order.count - Self.longestIncreasing(order)
    stages = structuralStages(order, surviving, lostBy, otherwiseDirty, hasCrossings: crossings > 0)
    if Self.hasContentChange(old, new, home, surviving, touched) { stages += 1 }
  }

  /// The fewest stages over all smallest sets of sections to move.
  private func structuralStages(
    _ order: [Int], _ sections: [SectionID], _ lostBy: [SectionID: Int],
    _ otherwiseDirty: Set<SectionID>, hasCrossings: Bool
  ) -> Int {
    if deleteSections + insertSections + moveSections + deleteItems + insertItems + moveItems == 0 {
      return 0
    }
    var best = 3
    for set in 0..<(1 << order.count) where set.nonzeroBitCount == moveSections {
      let still = order.indices.filter { set >> $0 & 1 == 0 }.map { order[$0] }
      guard zip(still, still.dropFirst()).allSatisfy({ $0 < $1 }) else { continue }
      let moved = order.indices.filter { set >> $0 & 1 == 1 }.map { sections[$0] }
      let losing = moved.contains { lostBy[$0, default: 0] > 0 }
      let dirty = losing || moved.contains(where: otherwiseDirty.contains)
      let hasSectionOperations = deleteSections + insertSections + moveSections > 0
      let stages =
        if !dirty, !(hasCrossings && hasSectionOperations) {
          1
        } else if losing, hasCrossings,
          deleteSections > 0
        { 3 } else { 2 }
      best = min(best, stages)
    }
    return best
  }

  private static func longestIncreasing(_ values: [Int]) -> Int {
    var lengths: [Int] = []
    for (index, value) in values.enumerated() {
      let before = (0..<index).filter { values[$0] < value }.map { lengths[$0] }.max() ?? 0
      lengths.append(before + 1)
    }
    return lengths.max() ?? 0
  }

  private static func hasContentChange(
    _ old: ListTree, _ new: ListTree, _ home: [ItemID: SectionID], _ surviving: [SectionID],
    _ touched: Set<ItemID>
  ) -> Bool {
    var states: [ItemID: ItemState] = [:]
    for section in old.sections { for item in section.items { states[item.id] = item.state } }
    for section in new.sections where surviving.contains(section.id) {
      let before = old.sections.first { $0.id == section.id }
      if before?.attributes.drawn.isEquivalent(to: section.attributes.drawn) == false {
        return true
      }
      for item in section.items {
        guard let source = home[item.id], surviving.contains(source) else { continue }
        if touched.contains(item.id) || states[item.id]?.isEquivalent(to: item.state) == false {
          return true
        }
      }
    }
    return false
  }
}
