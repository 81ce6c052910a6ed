import Foundation
public import ListModel
import ListStore
import ListTables

extension Inspection {
  /// The commits of the store, by list.
  ///
  /// The log is read from its end, so that the sections of earlier places are known. A commit that
  /// can't be read hides no other.
  ///
  /// - Parameters:
  ///   - list: The list; `nil` for all lists.
  ///   - filter: Which commits are told.
  ///   - last: The most commits of a list; earlier ones are left out.
  ///   - entries: The most changes of a commit that are told one by one.
  ///   - hasRates: Whether all commits that fit are counted by author.
  ///   - content: How much is told of contents.
  /// - Returns: The commits that fit, oldest first.
  /// - Throws: `StoreError` with ``/ListModel/StoreError/Code/listNotFound``.
  /// - Complexity: O(*s* + *k*), *s* sections, *k* changes since the earliest commit that is told;
  ///   of all changes after ``CommitFilter/after`` with rates, or if fewer commits fit.
  public func timeline(
    of list: ListID? = nil, matching filter: CommitFilter = CommitFilter(), last: Int = 100,
    entries: Int = 20, hasRates: Bool = false, content: ContentDetail = .hash
  ) throws(StoreError) -> Timeline {
    try naming { () throws(StoreError) in
      let repository = try lists()
      var timeline = Timeline(file: file.path, findings: findings.filter { $0.severity == .error })
      var ids: [ListID] = []
      if let list { ids = [list] } else { ids = try repository.lists() }
      for id in ids {
        do throws(StoreError) {
          var walk = LogWalk(
            repository, id, matching: filter, last: last, entries: entries, content: content)
          timeline.lists.append(try walk.run(hasRates: hasRates))
          timeline.findings += walk.findings
        } catch {
          if list != nil, error.code == .listNotFound { throw error }
          timeline.findings.append(.unreadable("list \"\(id)\"", error))
        }
      }
      return timeline
    }
  }
  /// Refuses an item that neither lists nor their logs have.
  ///
  /// - Parameters:
  ///   - item: The item.
  ///   - list: The list; `nil` for all lists.
  /// - Throws: `StoreError` with ``/ListModel/StoreError/Code/itemNotFound``, which names those that
  ///   may have been meant, or with ``/ListModel/StoreError/Code/listNotFound``.
  /// - Complexity: O(log *n*), *n* items; O(*k*), *k* changes in the logs, if no list has it now.
  public func requireItem(_ item: ItemID, in list: ListID? = nil) throws(StoreError) {
    try naming { () throws(StoreError) in
      let repository = try lists()
      var lists: [ListID] = []
      if let list { lists = [list] } else { lists = try repository.lists() }
      var missing: StoreError?
      for list in lists {
        let error = try repository.read(list: list, "look for item \"\(item)\"") { stored in
          try stored.row(of: item) == nil ? stored.notFound(item) : nil
        }
        guard let error else { return }
        let logged = try history(
          of: list, matching: CommitFilter(item: item.rawValue), last: 1, content: .none)
        // What can't be read may have it.
        if !logged.history.commits.isEmpty || !logged.findings.isEmpty { return }
        missing = error
      }
      guard let missing else { return }
      throw lists.count == 1
        ? missing
        : StoreError(.itemNotFound, "no list has an item \"\(item)\", nor had it in its log")
    }
  }

  /// The commits of a list that fit.
  func history(
    of list: ListID, matching filter: CommitFilter, last: Int, content: ContentDetail
  ) throws(StoreError) -> (history: Timeline.List, findings: [Finding]) {
    var walk = LogWalk(
      try lists(), list, matching: filter, last: last, entries: 20, content: content)
    return (try walk.run(hasRates: false), walk.findings)
  }
}
