import BatchUpdates
import ListModel
import ListStore
import Providers

// A view that goes from one list to another, mostly of the same items.
extension LiveList {
  /// Brings a Provider of another list to this one, by comparing ids.
  ///
  /// - Returns: A batch update, whose `from` is a revision of the other list; a reload if more differs
  ///   than the budget allows.
  /// - Complexity: O(*n* log *n*), *n* items of both lists; O(*s*), *s* sections, if their lengths
  ///   differ by more than the budget.
  func replace(_ provider: inout Provider) throws(StoreError) -> BatchUpdate {
    let old = provider
    if let query, query.current.number == old.selection,
      try repository.revision(of: id) == old.revision
    {
      return BatchUpdate(
        list: id, from: old.revision, to: old.revision, mode: .none,
        hidesSections: policy.hidesSections)
    }
    provider = try self.provider()
    return update(from: old, to: provider)
  }

  /// The update from what a view shows to another list.
  func update(from old: Provider, to new: Provider) -> BatchUpdate {
    let limit = policy.budget.limit(for: old.numberOfItems)
    func update(_ mode: BatchUpdate.Mode) -> BatchUpdate {
      BatchUpdate(
        list: new.list, from: old.revision, to: new.revision, mode: mode,
        hidesSections: policy.hidesSections)
    }
    let least = abs(old.numberOfItems - new.numberOfItems)
    guard least <= limit, max(old.numberOfItems, new.numberOfItems) <= Self.longestCompared else {
      return update(.reload(why: .tooManyChanges(limit: limit)))
    }
    let failedReadCount = old.failedReadCount + new.failedReadCount
    let (before, after) = comparedTrees(old, new) ?? (old.tree, new.tree)
    // They lack what can't be read, and the view has it.
    guard old.failedReadCount + new.failedReadCount == failedReadCount else {
      return update(.reload(why: .notProven("parts of the list can't be read")))
    }
    let found = BatchUpdate(
      from: before, to: after, neighbours: policy.neighbours,
      hidesSections: policy.hidesSections)
    if found.stages.reduce(0, { $0 + $1.operationCount }) > limit {
      return update(.reload(why: .tooManyChanges(limit: limit)))
    }
    return update(found.mode)
  }

  /// The lists with what tells their items apart; `nil` if that takes all of their contents.
  private func comparedTrees(_ old: Provider, _ new: Provider) -> (ListTree, ListTree)? {
    guard policy.neighbours.isEmpty else { return nil }
    if let trees = old.placeTrees(with: new) { return trees }
    guard old.position?.storeID == new.position?.storeID else { return nil }
    return old.comparedTree.flatMap { old in new.comparedTree.map { (old, $0) } }
  }

  /// Longer lists take longer to compare than to load.
  private static var longestCompared: Int { 20_000 }
}

extension Provider {
  /// The list with numbers for contents, of which equal ones stand for equal contents; `nil` for a list
  /// in memory.
  fileprivate var comparedTree: ListTree? {
    var sections: [ListTree.Section] = []
    for index in 0..<numberOfSections {
      guard let id = sectionID(at: index), let attributes = attributes(ofSection: index) else {
        continue
      }
      var items: [Item] = []
      items.reserveCapacity(numberOfItems(inSection: index))
      for item in 0..<numberOfItems(inSection: index) {
        let path = ItemPath(section: index, item: item)
        guard let id = itemID(at: path), let cell = cell(at: path),
          let content = contentRow(at: path)
        else { return nil }
        items.append(
          Item(
            id: id,
            state: ItemState(
              cell: cell.cell, content: JSON(minified: "\(content)"))))
      }
      sections.append(ListTree.Section(id: id, attributes: attributes, items: items))
    }
    return ListTree(list: list, revision: revision, sections: sections)
  }
}
