/// What became of the views of one kind: cells, or headers and footers.
public struct HeadlessCounts: Hashable, Sendable {
  /// Views that were made, because none waited for reuse.
  public internal(set) var created = 0
  /// Views that the data source took out with a dequeuing method, made or reused.
  public internal(set) var dequeued = 0
  /// Views that came out of the reuse queue, each after `prepareForReuse()`.
  public internal(set) var reused = 0
  /// Views that the data source returned for a place: `cellForItemAt` and its like.
  public internal(set) var bound = 0
  /// Views that the data source configured anew in place: `reconfigureItems`.
  public internal(set) var reconfigured = 0
  /// Views that came on display: `willDisplay`.
  public internal(set) var displayed = 0
  /// Views that left: `didEndDisplaying`.
  public internal(set) var ended = 0

  /// Views on display, and those that an animation still takes away.
  public var onDisplay: Int { displayed - ended }

  /// No views.
  public init() {}
}

/// What a cell shows, as far as a test wants to know.
public struct HeadlessContent: Hashable, Sendable, CustomStringConvertible {
  /// Which item it is.
  public var identity: String
  /// Which content of the item; `nil` for one that is not compared.
  public var version: Int?

  /// The content of an item.
  ///
  /// - Parameters:
  ///   - identity: Which item it is.
  ///   - version: Which content of the item; `nil` for one that is not compared.
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

/// A cell, header or footer that says what it shows.
///
/// Views ask it after every batch, where their owner set what they should show: see
/// ``HeadlessCollectionView/expectedContent`` and ``HeadlessTableView/expectedContent``.
@MainActor public protocol HeadlessProbe {
  /// What it was last configured with; `nil` if it was not.
  var headlessContent: HeadlessContent? { get }
}
