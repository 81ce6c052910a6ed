import BatchUpdates
public import Foundation
public import ListModel
import ListStore
import ListTables

/// A store with copies of a server's lists, each at some line of its log: what a server that starts
/// again need not fetch.
///
/// It is a cache. A list that can't be read or does not fit is forgotten, and a store that can't be
/// opened is moved aside.
public final class KeptLists: Sendable {
  private let repository: Repository

  /// Opens the store; makes it if there is none.
  ///
  /// - Throws: `StoreError` if it can't be written.
  public init(at file: URL) throws(StoreError) {
    var options = Repository.Options()
    options.migration.onUnopenable = .moveAside
    options.otherProcesses = .ignored
    // Nobody reads the log, and of lines only the last one counts.
    options.logRetention = LogRetention(changes: 1_000)
    options.maximumFeedLineCount = 1
    repository = try Repository(at: file, options: options)
  }

  /// A list as it was kept; `nil` if it was not.
  ///
  /// - Throws: `StoreError` if it can't be read.
  /// - Complexity: O(*n*), *n* items.
  public func list(_ id: ListID) throws(StoreError) -> ServedList? {
    guard let head = try repository.feedHeads(of: id, for: Self.source).first,
      let hash = head.digest, head.sequence > 0
    else { return nil }
    return ServedList(
      try repository.tree(of: id), at: LinePosition(sequence: head.sequence, hash: hash))
  }

  /// Keeps what lists have become, in one write transaction.
  ///
  /// - Throws: `StoreError`; nothing is written then. ``forget(_:)`` the lists.
  public func keep(_ lists: [UnkeptList]) throws(StoreError) {
    if lists.isEmpty { return }
    try repository.write(
      lists.map { list in
        Repository.FeedState(
          line: FeedLine(
            list: list.list, sequence: list.position.sequence, isSnapshot: true, author: .feed,
            time: nil, digest: list.position.hashBytes)
        ) { current in
          switch list.content {
          case .changes(let changes): changes
          case .whole(let tree): try current().changes(to: tree.sections, meta: .set(tree.meta))
          }
        }
      })
  }

  /// Forgets a list; nothing happens if it is not there.
  ///
  /// - Throws: `StoreError` if the store can't be written.
  public func forget(_ id: ListID) throws(StoreError) {
    do { try repository.deleteList(id) } catch  where error.code == .listNotFound {}
  }

  /// Closes the store.
  ///
  /// - Throws: `StoreError` if it can't be closed.
  public func close() throws(StoreError) { try repository.close() }

  private static let source = FeedSource(nil, shownAs: "relay", lists: .all)
}

/// What a copy of a list in a store lacks.
public struct UnkeptList: Sendable {
  /// The list.
  public let list: ListID
  /// The line that it comes to.
  public let position: LinePosition
  let content: Content

  enum Content {
    case changes([Change])
    case whole(ListTree)
  }
}
