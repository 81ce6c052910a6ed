import GRDB

/// The statements of the connection that writes, kept from one transaction to the next: commits are
/// small, and looking up each statement takes as long as running it.
final class WritingStatements: Sendable {
  private let kept = Guarded<Statements?>(nil)

  /// Those of a connection, inside its transaction.
  func of(_ db: Database) -> Statements {
    kept.withValue { kept in
      if let kept, kept.db === db { return kept }
      let statements = Statements(db)
      kept = statements
      return statements
    }
  }

  /// Lets go of them: a statement that is left would keep the connection open, and its log beside the
  /// store.
  func forget() { kept.withValue { $0 = nil } }
}
