public import ListModel
import ListTables
import StoreFiles

extension Repository {
  /// The lists that a feed about several lists may change.
  ///
  /// A list belongs to the feed that filled it, if that feed has a name: the address of a `FeedClient`,
  /// or the name that a call gives it. The store remembers a part of the name's SHA-256.
  public enum FeedLists: Hashable, Sendable {
    /// Those that no other feed has filled; a line about any other one is an error with
    /// ``/ListModel/StoreError/Code/listOfAnotherFeed``.
    ///
    /// A feed without a name may change lists that feeds without a name have filled.
    case notOfOthers
    /// These, whoever has filled them; lines about others are skipped.
    case only(Set<ListID>)
    /// All, whoever has filled them.
    case all
  }
}

/// Where the lines of a feed come from, and which lists they may change.
package struct FeedSource: Sendable {
  /// The feed's name in errors.
  package let shownName: String
  /// The lists that it may change.
  package let lists: Repository.FeedLists
  /// The beginning of the SHA-256 of its name; `nil` for a feed without one.
  let digest: [UInt8]?

  /// A feed.
  ///
  /// - Parameters:
  ///   - name: What lists that it fills belong to; `nil` for a feed without a name.
  ///   - shownName: Its name in errors.
  ///   - lists: The lists that it may change.
  package init(_ name: String?, shownAs shownName: String, lists: Repository.FeedLists) {
    self.shownName = shownName
    self.lists = lists
    digest = name.map { FeedHistory.digest(ofFeedNamed: $0) }
  }

  /// Whether lines about a list are looked at.
  package func reads(_ list: ListID) -> Bool {
    if case .only(let lists) = lists { lists.contains(list) } else { true }
  }

  /// Whether it may change a list with a history.
  func mayChange(_ history: FeedHistory) throws -> Bool {
    guard lists == .notOfOthers, let owner = try history.feedName() else { return true }
    return owner == digest
  }
}

extension Repository {
  /// Refuses a feed that may not change a list.
  ///
  /// - Throws: `StoreError` with ``/ListModel/StoreError/Code/listOfAnotherFeed``.
  func require(_ source: FeedSource, toChange list: ListID, _ history: FeedHistory) throws {
    if let digest = source.digest { feedNames.withValue { $0[digest] = source.shownName } }
    if try source.mayChange(history) { return }
    let owner = try history.feedName() ?? []
    // This process may have seen it.
    let name =
      feedNames.withValue { $0[owner] }.map { "\"\($0)\"" }
      ?? "one of a name whose SHA-256 begins with \(StoreError.shown(owner))"
    throw StoreError(
      .listOfAnotherFeed,
      "list \"\(list)\" is filled by another feed, \(name), and not by \"\(source.shownName)\"; "
        + "nothing of this line was applied. If this feed may change the list, name it in the call")
  }
}
