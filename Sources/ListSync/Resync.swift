public import BatchUpdates

/// How a reader gets from where it stands to where the store is.
public enum Resync: Hashable, Sendable {
  /// It stands there.
  case nothing
  /// By the log: its commits, as one batch update.
  case batch
  /// The log does not lead there, but the reader has the list that it stands at: by comparing it with
  /// the store's.
  case difference(ReloadReason)
  /// By reading the list anew.
  case reload(ReloadReason)
}

/// What a decision needs to know of a store.
package struct StoreStanding: Hashable, Sendable {
  package var storeID: [UInt8]
  /// Whether a newer library than this one has migrated it.
  package var isNewer: Bool
  /// The list's revision.
  package var head: Int
  /// The first revision from which the log leads on.
  package var floor: Int
  /// The chain at the reader's revision; `nil` if the log does not have it.
  package var chain: UInt64?
  /// Whether the log begins where something wrote past the Repository.
  package var beganAnew: Bool
  /// How many changes the log has after the reader's revision, or any number above the budget.
  package var changes: Int

  package init(
    storeID: [UInt8], isNewer: Bool = false, head: Int, floor: Int, beganAnew: Bool = false,
    chain: UInt64?, changes: Int
  ) {
    self.beganAnew = beganAnew
    self.storeID = storeID
    self.isNewer = isNewer
    self.head = head
    self.floor = floor
    self.chain = chain
    self.changes = changes
  }

  /// A store that a newer library has migrated: nothing else is known of it.
  package static let newer = StoreStanding(
    storeID: [], isNewer: true, head: 0, floor: 0, chain: nil, changes: 0)
}

extension Resync {
  /// Decides how a reader catches up.
  ///
  /// Pure; whoever is too far behind gets an answer, not an error.
  ///
  /// - Parameters:
  ///   - token: Where the reader stands.
  ///   - store: Where the store does.
  ///   - hasList: Whether the reader has all of the list that it stands at, to compare with.
  ///   - budget: The most changes that are replayed.
  package init(from token: Token?, to store: StoreStanding, hasList: Bool, budget: Int) {
    guard let token else {
      self = .reload(.noToken)
      return
    }
    self =
      if store.isNewer {
        .reload(.newerSchema)
      } else if token.storeID != store.storeID {
        .reload(.differentStore)
      } else if token.revision > store.head {
        .reload(.storeWentBack)
      } else if token.revision < store.floor, store.beganAnew {
        .reload(.writtenOutside)
      } else if token.revision < store.floor {
        hasList ? .difference(.tooFarBehind) : .reload(.tooFarBehind)
      } else if token.chain != store.chain {
        .reload(.forked)
      } else if token.revision == store.head {
        .nothing
      } else if store.changes > budget {
        .reload(.tooManyChanges(limit: budget))
      } else {
        .batch
      }
  }
}
