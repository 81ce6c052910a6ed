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
    var upgrader = ContentUpgrader(self, types, author)
    return try upgrader.run(progress)
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
          var upgrader = ContentUpgrader(self, types, author, letsViewsFollow: true)
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

/// Upgrades the contents of all lists, one after another.
///
/// While a slice of items is written, the one after it is upgraded and the one after that is read:
/// see ``UpgradeRound``. Only the writing needs the lock.
private struct ContentUpgrader {
  private let repository: Repository
  private let types: ItemTypes
  private let author: Author
  private let letsViewsFollow: Bool
  private var tally = Repository.ContentUpgrade()

  private static let maximumFailureCount = 100
  /// The time that a view has to follow a commit, in seconds.
  private static let frame = 1.0 / 60

  init(
    _ repository: Repository, _ types: ItemTypes, _ author: Author, letsViewsFollow: Bool = false
  ) {
    (self.repository, self.types, self.author) = (repository, types, author)
    self.letsViewsFollow = letsViewsFollow
  }

  mutating func run(
    _ progress: (Repository.ContentUpgrade) throws -> Void
  ) throws -> Repository.ContentUpgrade {
    // Another thread writes, which would wait for this one.
    try repository.writer.requireWritable("upgrade contents")
    let isNeeded = types.all.contains { $0.contentVersion > 1 || !$0.aliases.isEmpty }
    guard isNeeded else { return tally }
    let lists = try repository.lists()
    tally.itemCount = try repository.itemCount
    for list in lists {
      let before = tally
      while try upgrade(list, progress) {
        // Once more, because somebody else has changed the list meanwhile.
        (tally.checkedCount, tally.failureCount) = (before.checkedCount, before.failureCount)
        tally.failures = before.failures
      }
    }
    return tally
  }

  /// Upgrades a list.
  ///
  /// - Returns: Whether it has to be looked through again.
  private mutating func upgrade(
    _ list: ListID, _ progress: (Repository.ContentUpgrade) throws -> Void
  ) throws -> Bool {
    var isAlone = true
    var hasUpgraded = false
    var round = UpgradeRound(
      slice: try repository.outdatedItems(of: list, types, from: ItemPath(section: 0, item: 0)))
    var revision = round.slice?.revision ?? 0
    while !round.isEmpty {
      let next = try run(round, in: list)
      if let ready = round.ready {
        if let written = next.written {
          if written.revision != revision + 1 { isAlone = false }
          revision = written.revision
          hasUpgraded = true
          tally.upgraded[list, default: 0] += written.entries.count
        }
        note(ready, in: list)
        try progress(tally)
        if next.written != nil, letsViewsFollow, repository.isObserved(list) {
          Thread.sleep(forTimeInterval: Self.frame)
        }
      }
      round = next.round
    }
    return hasUpgraded && !isAlone
  }

  private func run(
    _ round: UpgradeRound, in list: ListID
  ) throws(StoreError) -> (written: Commit?, round: UpgradeRound) {
    do {
      return try round.run(
        write: { try write($0, to: list) },
        read: { try repository.outdatedItems(of: list, types, from: $0) })
    } catch { throw repository.failure(error, "upgrade contents") }
  }

  private mutating func note(_ ready: UpgradeRound.Ready, in list: ListID) {
    tally.checkedCount += ready.checkedCount
    tally.failureCount += ready.items.failures.count
    let room = Self.maximumFailureCount - tally.failures.count
    tally.failures += ready.items.failures.prefix(max(0, room)).map { .init(list: list, error: $0) }
  }

  private func write(_ changes: ItemChanges, to list: ListID) throws -> Commit? {
    // What is drawn is the same: the contents were upgraded before they were drawn, too.
    try repository.write(
      changes, to: list, keepingSizes: true, by: author, "upgrade contents")?.commit
  }
}
