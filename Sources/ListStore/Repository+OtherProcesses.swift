import ListModel
import StoreFiles

extension Repository {
  /// Whether lists observe commits of other processes, and of other Repositories of the same file.
  public enum OtherProcesses: Hashable, Sendable {
    /// They are observed, most within a millisecond.
    ///
    /// While somebody observes a list, the system reports writes to the store's files: inotify
    /// on Linux; on Apple's systems a Darwin notification, which other Repositories post, and events
    /// of the write-ahead log. Where the system reports nothing, as on some network volumes, a commit
    /// is found after so many seconds, which are at least 0.01: the store is asked for a number.
    case observed(atLeastEvery: Double = 1)
    /// They come with the next commit of this Repository, or when the app reads the list.
    case ignored
  }

  static func watching(
    _ options: Options, _ readers: ReaderPool, _ path: String, _ events: StoreEvents
  ) -> Observers.Watching? {
    guard case .observed(let seconds) = options.otherProcesses else { return nil }
    return Observers.Watching(
      interval: seconds > 0.01 ? min(seconds, 86_400) : 0.01,
      signals: options.signals ?? { SystemSignals.all(for: path) }, readers: readers,
      onMissingSignal: { events.note("missingSignal") })
  }
}
