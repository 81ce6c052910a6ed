package import ListModel

/// Finds the places before and after some stages at which the lists must have the same item or
/// section.
///
/// Counts can be right while a stage moves the wrong cell. A view performs a stage like this: the
/// operations place some cells, and the others fill the remaining places in order. The check
/// follows the cells in that way from a place before to a place after. The caller, who has both
/// lists, compares what is at the two places. The check shares no code with the compiler and the
/// planner but the binary search.
package struct IdentityCheck: Sendable {
  /// The path of an item before all stages, and its path after all.
  package private(set) var items: [(old: ItemPath, new: ItemPath)] = []
  /// The index of a section before all stages, and its index after all.
  package private(set) var sections: [(old: Int, new: Int)] = []

  /// Finds the places to compare for legal stages.
  ///
  /// - Parameters:
  ///   - stages: In order.
  ///   - before: How many items each section holds before the first of them.
  ///   - extent: Which items and sections to follow.
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

  /// Converts places that count only shown sections into places of the whole list.
  package mutating func count(_ before: HiddenSections, _ after: HiddenSections) {
    if before.isEmpty, after.isEmpty { return }
    items = items.map { (before.listPath(ofShown: $0.old), after.listPath(ofShown: $0.new)) }
    sections = sections.map {
      (before.listIndex(ofShown: $0.old), after.listIndex(ofShown: $0.new))
    }
  }

  /// Adds the places of a cell before and after all stages, if it exists in both lists.
  ///
  /// - Parameters:
  ///   - step: The cell's path before one of the stages, and after it.
  ///   - index: The index of that stage.
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
