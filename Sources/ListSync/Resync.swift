/// How a reader gets from where it stands to where the store is.
public enum Resync: Hashable, Sendable {
  /// It stands there.
  case nothing
  /// By the log: its commits, as one batch update.
  case batch
  /// The log does not lead there, but the reader has the list that it stands at: by comparing it with
  /// the store's.
  case difference(ResyncReason)
  /// By reading the list anew.
  case reload(ResyncReason)
}

/// Why the log does not do.
public enum ResyncReason: String, Hashable, Sendable, CaseIterable {
  /// The reader stands nowhere yet, or its token can't be read.
  case noToken
  /// The token is of another store.
  case differentStore
  /// Another process has migrated the store to a schema that this library does not know: what is there
  /// can't be read here.
  case newerSchema
  /// The store is at an earlier revision: it was restored from a copy.
  case storeWentBack
  /// The store had other commits under these revisions: it was restored from a copy and written on.
  case forked
  /// The log begins later: it was truncated.
  case tooFarBehind
  /// Something else than Cellar changed the list: the log begins anew behind that.
  case writtenOutside
  /// Reading anew is faster than replaying.
  case tooManyChanges
  /// The store does not have the list any more.
  case listDeleted

  /// The reason as a clause for people.
  public var explanation: String {
    switch self {
    case .noToken: "the reader has no token"
    case .differentStore: "the store is another one"
    case .newerSchema: "a newer library wrote the store"
    case .storeWentBack: "the store is at an earlier revision than the reader"
    case .forked: "the store has other commits than the reader has seen"
    case .tooFarBehind: "the log does not reach back to the reader"
    case .writtenOutside: "something else than Cellar wrote to the store"
    case .tooManyChanges: "more has changed than is worth replaying"
    case .listDeleted: "the store does not have the list any more"
    }
  }
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
        .reload(.tooManyChanges)
      } else {
        .batch
      }
  }
}
