/// Counts of what happened to the views of one role: cells, or headers and footers.
public struct HeadlessCounts: Hashable, Sendable {
  /// Views that were made because none waited for reuse.
  public internal(set) var created = 0
  /// Views that the data source took out with a dequeuing method, made or reused.
  public internal(set) var dequeued = 0
  /// Views that came out of the reuse queue.
  ///
  /// `prepareForReuse()` was called on each.
  public internal(set) var reused = 0
  /// Views that the data source returned, for instance from `cellForItemAt`.
  public internal(set) var bound = 0
  /// Views that the data source reconfigured after `reconfigureItems`.
  public internal(set) var reconfigured = 0
  /// Cells that came back on display without the data source, since the view had kept them.
  public internal(set) var returned = 0
  /// Views that came on display: `willDisplay`.
  public internal(set) var displayed = 0
  /// Views that left the display: `didEndDisplaying`.
  public internal(set) var ended = 0

  /// Views on display, including those that an animation still removes.
  public var onDisplay: Int { displayed - ended }

  /// No views.
  public init() {}
}

/// What a cell shows, as a test compares it.
public struct HeadlessContent: Hashable, Sendable, CustomStringConvertible {
  /// The identity of the item.
  public var identity: String
  /// The version of the item's content; `nil` is not compared.
  public var version: Int?

  /// The content of an item.
  ///
  /// - Parameters:
  ///   - identity: The identity of the item.
  ///   - version: The version of the item's content; `nil` is not compared.
  public init(identity: String, version: Int? = nil) {
    self.identity = identity
    self.version = version
  }

  /// The identity, and the version after a colon.
  public var description: String { version.map { "\(identity):\($0)" } ?? identity }

  func agrees(with other: HeadlessContent) -> Bool {
    identity == other.identity
      && (version == nil || other.version == nil || version == other.version)
  }
}

/// A cell, header or footer that can report what it shows.
///
/// A view compares this content with the expected one after every batch update: see
/// ``HeadlessCollectionView/expectedContent`` and ``HeadlessTableView/expectedContent``.
@MainActor public protocol HeadlessProbe {
  /// The content that the view was last configured with; `nil` if it was not configured.
  var headlessContent: HeadlessContent? { get }
}
