package import ListModel

/// What must be one item or one section before and after stages, if the stages put the right cells
/// where they put any: a view can't check that, and counts don't show it.
///
/// Each stage is taken as the view takes it: the operations put some cells, the others fill the
/// places that are left. So the stages lead from places before to places after; whoever has the lists
/// compares what is there. Shares nothing with what makes stages.
package struct IdentityCheck: Sendable {
  /// Paths before all stages, and those after all to which the stages lead from there.
  package private(set) var items: [(old: ItemPath, new: ItemPath)] = []
  /// Indexes before all stages, and those after all to which the stages lead from there.
  package private(set) var sections: [(old: Int, new: Int)] = []
  private var traces: [StageTrace] = []

  /// What to compare for stages that are legal.
  ///
  /// - Parameters:
  ///   - stages: In order.
  ///   - before: How many items each section holds before the first of them.
  ///   - extent: What to look at.
  /// - Complexity: O(*b* log *b*), *b* operations; with ``UpdatePolicy/Proof/everything``,
  ///   O(*n* log *b*), *n* items and sections.
  package init(of stages: [Stage], before: SectionCounts, extent: UpdatePolicy.Proof) {
    var count = before.count
    for stage in stages where stage.isStructural {
      traces.append(StageTrace(stage, before: count))
      count = stage.counts.count
    }
    switch extent {
    case .touched: compareTouched(stages)
    case .everything: compareAll(stages.last?.counts ?? before)
    }
  }

  /// What the operations name; and where they name what comes or goes, what follows it.
  private mutating func compareTouched(_ stages: [Stage]) {
    for (index, trace) in traces.enumerated() {
      let stage = trace.stage
      for section in stage.insertSections { compare(section: section + 1, after: index) }
      for section in stage.deleteSections { compare(section: section + 1, after: index - 1) }
      for move in stage.moveSections { compare(section: move.to, after: index) }
      for path in stage.insertItems { compare(item: path.next, after: index) }
      for path in stage.deleteItems { compare(item: path.next, after: index - 1) }
      for move in stage.moveItems { compare(item: move.to, after: index) }
    }
    guard let content = stages.last, !content.isStructural else { return }
    for path in content.reloadItems + content.reconfigureItems {
      compare(item: path, after: traces.count - 1)
    }
  }

  private mutating func compareAll(_ counts: SectionCounts) {
    for (section, count) in counts.enumerated() {
      compare(section: section, after: traces.count - 1)
      for item in 0..<count {
        compare(item: ItemPath(section: section, item: item), after: traces.count - 1)
      }
    }
  }

  /// Compares the places of a cell before all stages and after all, if it is there in both.
  ///
  /// - Parameters:
  ///   - place: After a stage.
  ///   - stage: The number of the stage; -1 for the list before.
  private mutating func compare(item place: ItemPath, after stage: Int) {
    var (old, new) = (place, place)
    for index in stride(from: stage, through: 0, by: -1) {
      guard let path = traces[index].oldPath(ofNew: old) else { return }
      old = path
    }
    for index in stage + 1..<traces.count {
      guard let path = traces[index].newPath(ofOld: new) else { return }
      new = path
    }
    items.append((old, new))
  }

  private mutating func compare(section place: Int, after stage: Int) {
    var (old, new) = (place, place)
    for index in stride(from: stage, through: 0, by: -1) {
      guard let index = traces[index].oldIndex(ofNew: old) else { return }
      old = index
    }
    for index in stage + 1..<traces.count {
      guard let index = traces[index].newIndex(ofOld: new) else { return }
      new = index
    }
    sections.append((old, new))
  }
}

extension ItemPath {
  fileprivate var next: ItemPath { ItemPath(section: section, item: item + 1) }
}
