public import ListModel

/// What a view is told to get from one revision of a list to a later one.
public struct BatchUpdate: Hashable, Sendable {
  /// The list that it is about.
  public let list: ListID
  /// The revision that the view shows before.
  public let from: Int
  /// The revision that it shows after.
  public let to: Int
  /// How the view gets from the one to the other.
  public let mode: Mode
  /// Whether it is for a view that is not shown hidden sections: its indexes and counts then leave these
  /// out, see ``UpdatePolicy/hidesSections``.
  public let hidesSections: Bool

  /// How the view gets there.
  public enum Mode: Hashable, Sendable {
    /// Nothing visible changed.
    case none
    /// By stages, each legal for one `performBatchUpdates` call, one right after another.
    case batch([Stage])
    /// By loading all of it again.
    case reload(why: ReloadReason)
  }

  package init(list: ListID, from: Int, to: Int, mode: Mode, hidesSections: Bool = false) {
    self.list = list
    self.from = from
    self.to = to
    self.mode = mode
    self.hidesSections = hidesSections
  }

  /// The stages; none unless the mode is ``Mode/batch(_:)``.
  public var stages: [Stage] {
    if case .batch(let stages) = mode { stages } else { [] }
  }
}
