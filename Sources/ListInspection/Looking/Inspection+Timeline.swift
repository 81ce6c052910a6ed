import Foundation
public import ListModel
import ListStore

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
}
