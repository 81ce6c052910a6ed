public import BatchUpdates
package import ListStore

/// The way a reader of a list gets from its revision to the store's.
public enum Resync: Hashable, Sendable {
  /// The reader is at the store's revision already.
  case nothing
  /// Replay the commits in the log, as one batch update.
  case batch
  /// The log does not lead on from the reader's revision: compare the reader's list with the
  /// store's.
  case difference(ReloadReason)
  /// Read the list anew.
  case reload(ReloadReason)
}

extension Resync {
  /// Decides how a reader catches up with a store.
  ///
  /// A pure function. A reader that is too far behind gets an answer, not an error.
  ///
  /// - Parameters:
  ///   - token: The reader's token.
  ///   - log: How far the log reaches in the store; `nil` if a newer library has migrated the
  ///     store, so that nothing is known of it.
  ///   - hasList: Whether the reader has all of the list at its revision, to compare with.
  ///   - budget: The most changes that are replayed.
  package init(from token: Token?, to log: LogReach?, hasList: Bool, budget: Int) {
    guard let token else {
      self = .reload(.noToken)
      return
    }
    guard let log else {
      self = .reload(.newerSchema)
      return
    }
    self =
      if token.storeID != log.storeID {
        .reload(.differentStore)
      } else if token.revision > log.head {
        .reload(.storeWentBack)
      } else if token.revision < log.floor, log.beganAnew {
        .reload(.writtenOutside)
      } else if token.revision < log.floor {
        hasList ? .difference(.tooFarBehind) : .reload(.tooFarBehind)
      } else if token.chain != log.chain, log.wasErased {
        hasList ? .difference(.erased) : .reload(.erased)
      } else if token.chain != log.chain {
        .reload(.forked)
      } else if token.revision == log.head {
        .nothing
      } else if log.changes > budget {
        .reload(.tooManyChanges(limit: budget))
      } else {
        .batch
      }
  }
}
