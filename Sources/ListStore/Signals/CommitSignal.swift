/// Fires when the file of a store may have changed.
///
/// It carries no data, and need not be exact: it may fire before the commit can be read, twice, or
/// for nothing. ``StoreWatch`` then polls the store, at once and a few times later. A signal that is
/// lost costs time only: the store is polled by the clock too.
///
/// A signal either calls a handler, or has a descriptor to wait for.
package protocol CommitSignal: Sendable {
  /// Begins to fire.
  ///
  /// - Parameter handler: Called on any thread until ``stop()``.
  /// - Throws: An error if the system can't report changes of this file.
  func start(handler: @escaping @Sendable () -> Void) throws

  /// The file descriptor that can be read when it fires; `nil` if it calls its handler.
  var descriptor: Int32? { get }

  /// Reads all that the descriptor has.
  ///
  /// - Returns: Whether it has fired.
  func drain() -> Bool

  /// Ends it, for ever.
  func stop()
}

extension CommitSignal {
  /// `nil`: it calls its handler.
  package var descriptor: Int32? { nil }

  /// `false`, because it calls its handler.
  package func drain() -> Bool { false }
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

  /// Notifies other processes of a commit, where their system does not see it by itself.
  static func post(_ path: String) {
    #if canImport(Darwin)
      NotificationSignal.post(path)
    #endif
  }
}
