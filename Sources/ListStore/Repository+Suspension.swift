package import ListModel
import StoreFiles

extension Repository {
  /// Lets go of the file until ``resume()``: ends the read transactions that Providers hold, writes what
  /// waits to be written, and then neither writes nor listens to other processes.
  ///
  /// Call it when the app is about to be suspended: iOS ends a suspended app that holds a lock on a
  /// file in a shared container (`0xdead10cc`). Call it also if the write-ahead log must shrink
  /// although a Provider stays at its revision.
  ///
  /// When it returns, no write transaction of this Repository is open, and none begins until
  /// ``resume()``: a call that writes fails with ``/ListModel/StoreError/Code/suspended``, at once. It
  /// does not wait, because the thread that waits may be the one that has to call ``resume()``. What
  /// the Repository writes by itself waits: sizes, the states of screens, truncation. Inside an edit
  /// of this Repository, that edit can still commit. Only this Repository stops: GRDB's notification
  /// that suspends databases is not posted, because it would stop the app's own ones too.
  ///
  /// Providers still answer from memory. When one has to read and its list is unchanged, it begins
  /// a new read transaction. If its list has changed, reads answer `nil` until the Provider is
  /// advanced.
  public func suspend() {
    observers.pause(true)
    maintenance.suspend(waits: !writer.isInside)
    writer.suspend()
    readers.releaseAll()
  }

  /// Writes again after ``suspend()``, and observes commits of other processes again, first of all those
  /// made meanwhile.
  ///
  /// Edits that wait to be sent are sent at once.
  ///
  /// Call it when the app is active again.
  public func resume() {
    writer.resume()
    maintenance.resume()
    observers.pause(false)
    outboxSignals.retry()
  }

  /// Refuses what would write where nothing can be written now.
  package func requireWritable(_ attempt: String) throws(StoreError) {
    try writer.requireWritable(attempt)
  }

  /// Does what the maintenance queue still has to do, on this thread or its own; also while suspended.
  func finishMaintenance() {
    writer.resume()
    maintenance.resume()
    maintenance.drain()
    sizeQueue.flush()
    // While the Repository is deallocated, jobs do not find it any more.
    do {
      try saveScreens()
      try truncateDueLogs()
    } catch { events.report(error, "finish the maintenance of the store") }
  }
}
