public import ListModel

extension BatchUpdate {
  /// Makes the smallest batch update from one tree to another.
  ///
  /// Sections and items are compared by their ids. The fewest possible sections and items move, in
  /// the fewest legal stages, and each stage is proven legal. If a proof fails, the update is a
  /// reload with the reason.
  ///
  /// - Parameters:
  ///   - old: The list that the view shows. Its revision becomes ``from``.
  ///   - new: The list that the view shows after the update. Its revision becomes ``to``.
  ///   - touched: Items to draw again even if their content is the same.
  ///   - neighbours: Which items to draw again when the item before or after them changes.
  ///   - hidesSections: Whether the view does not show hidden sections.
  /// - Complexity: O(*n* log *n*), *n* items and sections in both trees.
  public init(
    from old: ListTree, to new: ListTree, touched: Set<ItemID> = [],
    neighbours: NeighbourDependencies = NeighbourDependencies(), hidesSections: Bool = false
  ) {
    self.init(
      list: new.list, from: old.revision, to: new.revision,
      mode: hidesSections
        ? Self.mode(from: old.shown, to: new.shown, touched, neighbours)
        : Self.mode(from: old, to: new, touched, neighbours),
      hidesSections: hidesSections)
  }

  private static func mode(
    from old: ListTree, to new: ListTree, _ touched: Set<ItemID>,
    _ neighbours: NeighbourDependencies
  ) -> Mode {
    var net: NetChange
    do {
      net = try TreeDifference.netChange(
        from: old, to: new, touched: touched, findsNeighbours: !neighbours.isEmpty)
    } catch {
      return .reload(why: .notProven(error.message))
    }
    net.reconfigureNeighbours { path in
      neighbours.dependency(of: new.sections[path.section].items[path.item].state)
    }
    let stages = StagePlan.stages(for: net)
    guard (stages.last?.counts ?? SectionCounts(old.itemCounts)) == SectionCounts(new.itemCounts)
    else { return .reload(why: .notProven("the stages end with other counts than the list")) }
    return mode(of: stages, before: net.before)
  }
}
