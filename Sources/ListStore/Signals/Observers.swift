import Foundation
import GRDB
import ListModel
import StoreFiles
import StoreSchema

/// Who listens to the revisions of lists.
///
/// The own Repository notifies of its commits directly. While somebody listens, a ``StoreWatch`` finds
/// those of others.
final class Observers: Sendable {
  private let watching: Watching?
  private let state = Guarded(State())

  /// How commits of others are found.
  struct Watching: Sendable {
    /// The most seconds until one is found.
    var interval: Double
    var signals: @Sendable () -> [any CommitSignal]
    var readers: ReaderPool
    /// Called for each signal that the system does not give.
    var onMissingSignal: @Sendable () -> Void
  }

  private struct State {
    var observers: [UUID: Observer] = [:]
    var watch: StoreWatch?
    var isPaused = false
    /// How often the own Repository has notified.
    var notificationCount = 0
  }

  private struct Observer {
    var list: ListID
    var continuation: AsyncStream<Int>.Continuation
    /// The head that it knows; `nil`: none.
    var head: ListHead?
    /// The number of the notification that it got last.
    var lastNotification = 0
  }

  /// `watching`: `nil` if commits of others are not looked for.
  init(watching: Watching?) { self.watching = watching }

  /// Whether commits of others are looked for.
  var watchOthers: Bool { watching != nil }

  // MARK: Who listens

  /// Whether somebody listens to a list.
  func observe(_ list: ListID) -> Bool {
    state.withValue { $0.observers.values.contains { $0.list == list } }
  }

  /// Adds an observer of a list, which it knows at a head; the first one begins the watch.
  func add(_ continuation: AsyncStream<Int>.Continuation, of list: ListID, at head: ListHead?) {
    let id = UUID()
    continuation.onTermination = { [weak self] _ in self?.remove(id) }
    let (begun, isPaused) = state.withValue { state in
      state.observers[id] = Observer(list: list, continuation: continuation, head: head)
      guard state.watch == nil, let watching else { return (nil as StoreWatch?, false) }
      state.watch = watch(watching)
      return (state.watch, state.isPaused)
    }
    if let watching { begun?.start(isPaused: isPaused, onFailure: watching.onMissingSignal) }
  }

  private func watch(_ watching: Watching) -> StoreWatch {
    let reader = HeadReader(watching.readers)
    return StoreWatch(
      signals: watching.signals(), interval: watching.interval,
      StoreWatch.Poll(
        read: { [weak self] in self?.readHeads(by: reader) },
        interrupt: { [weak reader] in reader?.interrupt() }))
  }

  /// Removes an observer; the last one ends the watch.
  private func remove(_ id: UUID) {
    let ended = state.withValue { state in
      state.observers[id] = nil
      guard state.observers.isEmpty else { return nil as StoreWatch? }
      defer { state.watch = nil }
      return state.watch
    }
    ended?.stop()
  }

  /// Ends all streams.
  func removeAll() {
    for continuation in state.withValue({ $0.observers.values.map(\.continuation) }) {
      continuation.finish()
    }
  }

  /// Holds the watch back, or lets it go on.
  func pause(_ isPaused: Bool) {
    let watch = state.withValue { state in
      state.isPaused = isPaused
      return state.watch
    }
    if isPaused { watch?.pause() } else { watch?.resume() }
  }

  // MARK: Notifying

  /// Notifies of a commit of the own Repository.
  func notify(of list: ListID, at head: ListHead) {
    let notify = notification { state in
      state.notificationCount += 1
      return state.observers.compactMap { id, observer in
        if observer.list != list { return nil }
        state.observers[id]?.lastNotification = state.notificationCount
        // The watch may have been faster.
        return observer.head == head ? nil : (id, head)
      }
    }
    notify()
  }

  /// Reads what others have committed.
  private func readHeads(by reader: HeadReader) -> StoreWatch.Notification? {
    let (lists, notificationCount) = state.withValue { state in
      (Set(state.observers.values.map(\.list)), state.notificationCount)
    }
    let heads: [ListID: ListHead]
    watching?.readers.releaseIfErasing()
    do {
      guard let found = try reader.heads(of: lists) else { return nil }
      heads = found
    } catch {
      reader.forget()
      let code = (error as? DatabaseError)?.resultCode
      // Another connection has a lock, or the watch was paused.
      if code == .SQLITE_BUSY || code == .SQLITE_INTERRUPT { return nil }
      // Who reads gets the error.
      heads = lists.reduce(into: [:]) { $0[$1] = ListHead() }
    }
    return notification { state in
      state.observers.compactMap { id, observer in
        guard let head = heads[observer.list], head != observer.head else { return nil }
        if observer.lastNotification <= notificationCount { return (id, head) }
        // The own Repository has notified of a commit while this was read: which one is newer?
        reader.forget()
        return nil
      }
    }
  }

  /// Notes new heads.
  ///
  /// - Returns: What notifies the observers. It is called outside all locks: a listener may stop
  ///   listening at once, or is being cancelled on another thread, which takes them.
  private func notification(
    _ heads: (inout State) -> [(UUID, ListHead)]
  ) -> StoreWatch.Notification {
    let notified = state.withValue { state in
      heads(&state).compactMap { id, head in
        state.observers[id]?.head = head
        return state.observers[id].map { ($0.continuation, head.revision) }
      }
    }
    return { for (continuation, revision) in notified { continuation.yield(revision) } }
  }
}
