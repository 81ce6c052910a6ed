package import ListModel

/// What must be one item or one section before and after stages, if the stages put the right cells
/// where they put any: a view can't check that, and counts don't show it.
///
/// Each stage is taken as the view takes it: the operations put some cells, the others fill the
/// places that are left, in order. So the stages lead from places before to places after; whoever has
/// both lists compares what is there. Shares nothing with what makes stages.
package struct IdentityCheck: Sendable {
  /// Paths before all stages, and those after all to which the stages lead from there.
  package private(set) var items: [(old: ItemPath, new: ItemPath)] = []
  /// Indexes before all stages, and those after all to which the stages lead from there.
  package private(set) var sections: [(old: Int, new: Int)] = []

  /// What to compare for stages that are legal.
  ///
  /// - Parameters:
  ///   - stages: In order.
  ///   - before: How many items each section holds before the first of them.
  ///   - extent: What to look at.
  /// - Complexity: O(*b* log *b*), *b* operations; with ``UpdatePolicy/Proof/everything``,
  ///   O(*n* log *b*), *n* items and sections.
  package init(of stages: [Stage], before: SectionCounts, extent: UpdatePolicy.Proof) {
    var counts = before
    var traces: [StageTrace] = []
    let structural = stages.filter(\.isStructural)
    let tracesCells = structural.count > 1 || extent == .everything
    for stage in structural {
      traces.append(StageTrace(stage, before: counts, tracesCells: tracesCells))
      counts = stage.counts
    }
    switch extent {
    case .touched:
      for index in traces.indices {
        traces[index].forEachTouchedSection { compare(section: $0, before: index, traces) }
        traces[index].forEachTouchedItem { compare(item: $0, before: index, traces) }
      }
    case .everything:
      for (section, count) in before.enumerated() {
        compare(section: section, before: 0, traces)
        for item in 0..<count {
          compare(item: ItemPath(section: section, item: item), before: 0, traces)
        }
      }
    }
  }

  /// Turns places that count shown sections alone into those of the whole list.
  package mutating func count(_ before: HiddenSections, _ after: HiddenSections) {
    if before.isEmpty, after.isEmpty { return }
    items = items.map { (before.listPath(ofShown: $0.old), after.listPath(ofShown: $0.new)) }
    sections = sections.map {
      (before.listIndex(ofShown: $0.old), after.listIndex(ofShown: $0.new))
    }
  }

  /// Compares the places of a cell before all stages and after all, if it is there in both.
  ///
  /// - Parameters:
  ///   - step: Where the stage of an index takes the cell from, and to.
  ///   - index: Of the stage.
  ///   - traces: All stages.
  private mutating func compare(
    item step: (old: ItemPath, new: ItemPath), before index: Int, _ traces: [StageTrace]
  ) {
    if traces.count == 1 {
      items.append(step)
      return
    }
    var (old, new) = step
    for trace in traces[..<index].reversed() {
      guard let path = trace.oldPath(ofNew: old) else { return }
      old = path
    }
    for trace in traces[(index + 1)...] {
      guard let path = trace.newPath(ofOld: new) else { return }
      new = path
    }
    items.append((old, new))
  }

  private mutating func compare(item old: ItemPath, before index: Int, _ traces: [StageTrace]) {
    guard let trace = traces.first else {
      items.append((old, old))
      return
    }
    if let new = trace.newPath(ofOld: old) { compare(item: (old, new), before: index, traces) }
  }

  private mutating func compare(
    section step: (old: Int, new: Int), before index: Int, _ traces: [StageTrace]
  ) {
    var (old, new) = step
    for trace in traces[..<index].reversed() {
      guard let section = trace.oldIndex(ofNew: old) else { return }
      old = section
    }
    for trace in traces[(index + 1)...] {
      guard let section = trace.newIndex(ofOld: new) else { return }
      new = section
    }
    sections.append((old, new))
  }

  private mutating func compare(section old: Int, before index: Int, _ traces: [StageTrace]) {
    guard let trace = traces.first else {
      sections.append((old, old))
      return
    }
    if let new = trace.newIndex(ofOld: old) {
      compare(section: (old, new), before: index, traces)
    }
  }
}
