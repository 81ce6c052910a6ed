import Dispatch
import Foundation
public import ListItems
public import ListModel
import StoreFiles

extension Repository {
  /// How far an upgrade of contents has come, and in the end what it did.
  public struct ContentUpgrade: Sendable {
    /// The number of upgraded items by list; lists without such items are left out.
    public internal(set) var upgraded: [ListID: Int] = [:]
    /// The number of items that were looked at so far.
    public internal(set) var checkedCount = 0
    /// The number of items of all lists when it began.
    public internal(set) var itemCount = 0
    /// The number of items that can't be upgraded, and stay as they are.
    public internal(set) var failureCount = 0
    /// The first 100 of them, in the order of the lists.
    public internal(set) var failures: [Failure] = []

    /// An item that can't be upgraded.
    public struct Failure: Sendable {
      /// Its list.
      public let list: ListID
      /// The item, and why it can't be.
      public let error: ItemTypeError
    }
  }

  /// Upgrades the contents of all items that are stored in an earlier version of their types, or
  /// under earlier names of them.
  ///
  /// ```swift
  /// let upgrade = try await repository.upgradeContents(of: [Book.self])
  /// print(upgrade.upgraded, upgrade.failures)
  /// ```
  ///
  /// Items are upgraded when they are read, too; this writes them back, so that reading costs nothing
  /// more and other programs see contents of one version. Nested lists are among the lists. Cells and
  /// actions stay as they are stored. Measured sizes that hold for an item go on to hold.
  ///
  /// Each commit has at most 1,000 items or a megabyte of contents, and moves none. So other writers
  /// wait for some milliseconds, and views reconfigure the cells in sight. A call that ends early can
  /// be repeated, and goes on where it ended. Items that can't be upgraded are counted, and the rest
  /// goes on. An item that somebody else moves meanwhile may be left for the next call.
  ///
  /// It blocks the thread; on the main thread use the call that is `async`.
  ///
  /// - Parameters:
  ///   - types: The types, as in `[Book.self, Quote.self]`; items of others stay as they are.
  ///   - author: The author of the commits.
  ///   - progress: Called after each commit, and at least after 20,000 items that were looked at. To
  ///     end the call, throw; what was committed stays.
  /// - Returns: What was upgraded, and what can't be.
  /// - Throws: `StoreError`, with ``/ListModel/StoreError/Code/nestedEdit`` inside an edit of the same
  ///   Repository; or what `progress` throws.
  /// - Complexity: O(*n*), *n* items of the store.
  @discardableResult
  public func upgradeContents(
    of types: ItemTypes, by author: Author = .app,
    progress: (ContentUpgrade) throws -> Void = { _ in }
  ) throws -> ContentUpgrade {
    try ContentUpgrader(repository: self, types: types, author: author).run(progress)
  }

  /// Upgrades contents on another thread.
  ///
  /// If the task is cancelled, it ends after the commit that it is writing. While somebody observes
  /// a list, as adapters do, it waits for a frame after each commit of the list, so that the view
  /// can follow.
  ///
  /// - Parameters:
  ///   - types: The types; items of others stay as they are.
  ///   - author: The author of the commits.
  ///   - progress: Called on that thread after each commit, and at least after 20,000 items that were
  ///     looked at.
  /// - Returns: What was upgraded, and what can't be.
  /// - Throws: `StoreError`, or `CancellationError`; what was committed stays.
  @discardableResult
  public func upgradeContents(
    of types: ItemTypes, by author: Author = .app,
    progress: @escaping @Sendable (ContentUpgrade) -> Void = { _ in }
  ) async throws -> ContentUpgrade {
    let isCancelled = Guarded(false)
    return try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        DispatchQueue.global(qos: .utility).async {
          let upgrader = ContentUpgrader(
            repository: self, types: types, author: author, letsViewsFollow: true)
          continuation.resume(
            with: Result {
              try upgrader.run { upgrade in
                progress(upgrade)
                if isCancelled.withValue({ $0 }) { throw CancellationError() }
              }
            })
        }
      }
    } onCancel: {
      isCancelled.withValue { $0 = true }
    }
  }
}

extension Repository.ContentUpgrade {
  fileprivate init(_ tally: SliceTally) {
    upgraded = tally.changed
    checkedCount = tally.checkedCount
    itemCount = tally.itemCount
    failureCount = tally.failureCount
    failures = tally.failures.map { Failure(list: $0.list, error: $0.error) }
  }
}

/// Upgrades the contents of all lists.
///
/// While a slice of items is written, the one after it is upgraded and the one after that is read:
/// only the writing needs the lock.
private struct ContentUpgrader {
  let repository: Repository
  let types: ItemTypes
  let author: Author
  var letsViewsFollow = false

  /// The time that a view has to follow a commit, in seconds.
  private static let frame = 1.0 / 60

  func run(
    _ progress: (Repository.ContentUpgrade) throws -> Void
  ) throws -> Repository.ContentUpgrade {
    // Another thread writes, which would wait for this one.
    try repository.writer.requireWritable("upgrade contents")
    let isNeeded = types.all.contains { $0.contentVersion > 1 || !$0.aliases.isEmpty }
    guard isNeeded else { return .init() }
    let tally = try repository.changeItems(
      // What is drawn is the same: the contents were upgraded before they were drawn, too.
      filter, keepingSizes: true, by: author, "upgrade contents",
      progress: { tally, written in
        try progress(.init(tally))
        if let written, letsViewsFollow, repository.observers.observe(written) {
          Thread.sleep(forTimeInterval: Self.frame)
        }
      }
    ) { _, round, write, read in
      do {
        return try round.runAtOnce(write: write, read: read, change: upgraded)
      } catch { throw repository.failure(error, "upgrade contents") }
    }
    return .init(tally)
  }

  /// The items whose contents have to be written in the current form of their type.
  private var filter: ItemFilter {
    .types { [types] name, cell in
      types.type(of: Item(id: "unknown", cell: cell, content: .null, type: name))?
        .isOutdated(storedAs: name) ?? false
    }
  }

  private func upgraded(_ items: [SlicedItem]) throws -> SliceChanges {
    let outdated = items.map { Item(id: $0.id, state: $0.state) }
    let itemTypes = outdated.map { types.type(of: $0) }
    var states: [Result<ItemState, ItemTypeError>] = outdated.map { .success($0.state) }
    let byType = Dictionary(grouping: items.indices) { itemTypes[$0].map(ObjectIdentifier.init) }
    for indexes in byType.values {
      guard let type = itemTypes[indexes[0]] else { continue }
      let name = try type.typeName.stored(version: type.contentVersion)
      for (index, content) in zip(
        indexes, type.upgradedContents(of: indexes.map { outdated[$0] }))
      {
        states[index] = content.map { content in
          var state = outdated[index].state
          state.content = content
          state.type = name
          return state
        }
      }
    }
    var upgraded = SliceChanges()
    for (item, state) in zip(items, states) {
      switch state {
      case .success(let state): upgraded.changes.append((item, state))
      case .failure(let error): upgraded.failures.append(error)
      }
    }
    return upgraded
  }
}
