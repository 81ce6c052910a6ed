/// Whether an adapter may update its view now, and the work that waits until it may.
///
/// A view must not be updated while it performs a batch update, while the user reorders an item, or
/// during a pause: a drag, or an app that holds updates back. ``handle(_:isPaused:)`` holds all
/// transitions. The adapter passes events to it, and does the work that it returns.
package enum UpdateState: Hashable, Sendable {
  /// The view may be updated, and there is nothing to do.
  case idle
  /// `next` waits for the next event, because of a pause, or because the view asked for an item
  /// that could not be read. It is never empty.
  case waiting(next: Work)
  /// The view performs a batch update; `next` comes after it.
  case updating(next: Work)
  /// The user moves an item in the view; `next` comes after that.
  case reordering(next: Work)

  /// What an adapter has to do with its view.
  package struct Work: OptionSet, Hashable, Sendable {
    package let rawValue: Int

    package init(rawValue: Int) { self.rawValue = rawValue }

    /// Place everything again, because sizes changed.
    package static let relayout = Work(rawValue: 1)
    /// Show the list's newest revision, by a batch update if possible.
    package static let advance = Work(rawValue: 2)
    /// Show the list's newest revision with new cells.
    ///
    /// It includes the others.
    package static let reload: Work = [.relayout, .advance, Work(rawValue: 4)]
  }

  /// What happens to a list or to the view that shows it.
  package enum Event: Hashable, Sendable, CaseIterable {
    /// The list may have a new revision.
    case commitArrived
    /// Stored sizes no longer hold.
    case sizesChanged
    /// The view asked for an item that could not be read, and shows the fallback cell.
    case itemUnreadable
    /// The view shows something that only a reload can replace.
    case viewOutdated
    /// The adapter begins a batch update.
    case batchBegan
    /// The animations of the batch update are over.
    case batchEnded
    /// The user moves an item in the view.
    case reorderBegan
    /// The view has finished moving the user's item.
    case reorderEnded
    /// A drag ended, or the app no longer holds updates back.
    case pauseEnded

    /// The work that the event causes.
    fileprivate var work: Work {
      switch self {
      case .commitArrived: .advance
      case .sizesChanged: .relayout
      case .itemUnreadable, .viewOutdated: .reload
      case .batchBegan, .batchEnded, .reorderBegan, .reorderEnded, .pauseEnded: []
      }
    }
  }

  /// The work that waits.
  package var pending: Work {
    switch self {
    case .idle: []
    case .waiting(let next), .updating(let next), .reordering(let next): next
    }
  }

  /// Goes to the next state.
  ///
  /// - Parameters:
  ///   - event: What happened.
  ///   - isPaused: Whether a drag or the app holds updates back, now.
  /// - Returns: What the adapter has to do now; empty if there is nothing to do, or it has to wait.
  package mutating func handle(_ event: Event, isPaused: Bool) -> Work {
    let work = pending.union(event.work)
    switch (self, event) {
    case (.updating, .batchEnded), (.reordering, .reorderEnded):
      return release(work, isPaused: isPaused)
    // A drop during a batch update ends with the update: the view is busy until then.
    case (.updating, _): self = .updating(next: work)
    case (.reordering, _): self = .reordering(next: work)
    case (_, .batchBegan): self = .updating(next: work)
    case (_, .reorderBegan): self = .reordering(next: work)
    // The view is asking for its cells: it can't be reloaded before it has them.
    case (_, .itemUnreadable): self = .waiting(next: work)
    // Sizes may change while the view places its cells or reports a tap: no path may change then.
    case (.waiting(let next), .sizesChanged) where next.contains(.advance) && !isPaused:
      return .relayout
    case (.idle, _), (.waiting, _): return release(work, isPaused: isPaused)
    }
    return []
  }

  /// Hands work out, unless a pause keeps it.
  private mutating func release(_ work: Work, isPaused: Bool) -> Work {
    if isPaused, !work.isEmpty {
      self = .waiting(next: work)
      return []
    }
    self = .idle
    return work
  }
}
