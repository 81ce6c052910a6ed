public import ListModel

/// The operations that lead a view from one revision of a list to a later one.
public struct BatchUpdate: Hashable, Sendable {
  /// The list that changed.
  public let list: ListID
  /// The revision that the view shows before the update.
  public let from: Int
  /// The revision that the view shows after the update.
  public let to: Int
  /// How the view gets from ``from`` to ``to``: by stages, or by loading the list again.
  public let mode: Mode
  /// Whether the update is for a view that does not show hidden sections.
  ///
  /// Its indexes and counts then leave hidden sections out; see ``UpdatePolicy/hidesSections``.
  public let hidesSections: Bool
  /// Of a derived list: the revision of its source that ``to`` is derived from.
  public package(set) var sourceRevision: Int?

  /// How a view gets from one revision to another.
  public enum Mode: Hashable, Sendable {
    /// The view does nothing: no visible thing changed.
    case none
    /// The view performs the stages one right after another, each in a `performBatchUpdates` call
    /// of its own.
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
