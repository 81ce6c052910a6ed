/// The limits of a list's log.
///
/// The newest commits that are within all limits are kept. A reader at an earlier revision has to
/// read the list anew.
public struct LogRetention: Hashable, Sendable {
  /// The most changes; `nil` for no limit.
  public var changes: Int?
  /// The most bytes that the rows of commits take, approximately; `nil` for no limit.
  public var bytes: Int?
  /// The greatest age of a commit, in milliseconds; `nil` for no limit.
  ///
  /// The age is counted from the commit's time; for a feed, that is when the server made the
  /// commit. A commit without a time is as old as the next one that has a time.
  public var age: Int?

  /// Limits; `nil` means no limit.
  public init(changes: Int? = nil, bytes: Int? = nil, age: Int? = nil) {
    self.changes = changes
    self.bytes = bytes
    self.age = age
  }

  /// A million changes and 256 MB: enough for a long history, and little enough for any disk.
  public static let standard = LogRetention(changes: 1_000_000, bytes: 256 << 20)
}
