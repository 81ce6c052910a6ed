/// Why a reader loads a list again instead of following its changes.
public enum ReloadReason: Hashable, Sendable {
  /// The reader has no token yet, or one that can't be read.
  case noToken
  /// The token is of another store.
  case differentStore
  /// Another process migrated the store to a schema that this library does not know.
  case newerSchema
  /// The store is at an earlier revision: it was restored from a copy.
  case storeWentBack
  /// The store has other commits under these revisions: it was restored from a copy and written on.
  case forked
  /// Something was erased from these revisions.
  case erased
  /// The log was truncated and begins after the reader's revision.
  case tooFarBehind
  /// Something other than Cellar changed the list; its log begins anew after that.
  case writtenOutside
  /// More changed than the reader's ``ReloadBudget`` allows; `limit` is the most changes that it
  /// allows for a list of this length.
  case tooManyChanges(limit: Int)
  /// The store no longer has the list.
  case listDeleted
  /// The log does not fit the list; the clause says where.
  case logMismatch(String)
  /// No stages for the change could be proven legal; the clause says what was wrong with them.
  case notProven(String)
}

extension ReloadReason: CustomStringConvertible {
  /// The reason as a clause for people.
  public var description: String {
    switch self {
    case .noToken: "the reader has no token"
    case .differentStore: "the store is another one"
    case .newerSchema: "a newer library wrote the store"
    case .storeWentBack: "the store is at an earlier revision than the reader"
    case .forked: "the store has other commits than the reader has seen"
    case .erased: "something was erased from what the reader has seen"
    case .tooFarBehind: "the log does not reach back to the reader"
    case .writtenOutside: "something else than Cellar wrote to the store"
    case .tooManyChanges(let limit): "more than \(limit) changes, the budget for this list"
    case .listDeleted: "the store does not have the list any more"
    case .logMismatch(let clause): clause
    case .notProven(let clause): clause
    }
  }

  /// The name under which a Repository counts that it happened.
  package var name: String {
    switch self {
    case .noToken: "noToken"
    case .differentStore: "differentStore"
    case .newerSchema: "newerSchema"
    case .storeWentBack: "storeWentBack"
    case .forked: "forked"
    case .erased: "erased"
    case .tooFarBehind: "tooFarBehind"
    case .writtenOutside: "writtenOutside"
    case .tooManyChanges: "tooManyChanges"
    case .listDeleted: "listDeleted"
    case .logMismatch: "mismatch"
    case .notProven: "notProven"
    }
  }
}
