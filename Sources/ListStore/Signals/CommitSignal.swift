/// Rings when the file of a store may have changed.
///
/// A ring carries no data, and need not be exact: it may come before the commit can be read, twice,
/// or for nothing. Whoever hears it looks into the store, now and a few times later: see
/// ``StoreWatch``. A ring that never comes costs time only: the store is looked at by the clock too.
///
/// A signal either calls a closure, or has a descriptor that its listener waits for.
package protocol CommitSignal: Sendable {
  /// Begins to ring.
  ///
  /// - Parameter ring: Called on any thread until ``stop()``.
  /// - Throws: An error if the system can't tell of changes of this file.
  func start(ring: @escaping @Sendable () -> Void) throws

  /// The file descriptor that can be read when it rings; `nil` if it calls `ring`.
  var descriptor: Int32? { get }

  /// Reads all that the descriptor has.
  ///
  /// - Returns: Whether it rang.
  func takeRings() -> Bool

  /// Ends it, for ever.
  func stop()
}

extension CommitSignal {
  /// `nil`: it calls `ring`.
  package var descriptor: Int32? { nil }

  /// `false`, because it calls `ring`.
  package func takeRings() -> Bool { false }
}

/// The signals that the system has for a store's file.
package enum SystemSignals {
  /// New signals; none has begun.
  ///
  /// - Parameter path: The file's.
  /// - Returns: One signal or more; none where the system has none.
  package static func all(for path: String) -> [any CommitSignal] {
    #if canImport(Darwin)
      [LogFileSignal(path), NotificationSignal(path)]
    #elseif os(Linux) || os(Android)
      [FolderSignal(path)]
    #else
      []
    #endif
  }

  /// Tells other processes of a commit, where their system does not see it by itself.
  static func post(_ path: String) {
    #if canImport(Darwin)
      NotificationSignal.post(path)
    #endif
  }
}
