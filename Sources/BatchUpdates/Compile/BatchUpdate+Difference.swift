public import ListModel

extension BatchUpdate {
  /// The smallest batch update from one tree to another.
  ///
  /// Sections and items are told apart by their ids. Moves are the survivors outside a longest
  /// increasing subsequence; stages are the fewest that are legal, and each was proven legal. What
  /// can't be proven is a reload with its reason.
  ///
  /// - Parameters:
  ///   - old: What the view shows. Its revision becomes ``from``.
  ///   - new: What it is to show. Its revision becomes ``to``.
  ///   - touched: Items to draw again even if their content is the same.
  ///   - neighbours: Items to draw again where the item before or after them is another one.
  ///   - hidesSections: Whether it is for a view that is not shown hidden sections.
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
