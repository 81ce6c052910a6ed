/// How much of a list's log is kept.
///
/// The newest commits that fit all bounds are. A reader that stands before them reads the list anew:
/// nobody waits for it.
public struct LogRetention: Hashable, Sendable {
  /// The most changes; `nil`: any number.
  public var changes: Int?
  /// The most bytes that the rows of commits take, about; `nil`: any number.
  public var bytes: Int?
  /// How old a commit may be, in milliseconds; `nil`: as old as can be.
  ///
  /// By the time that the commit says; one that says none is as old as the next that does. A feed's
  /// commits say when the server made them.
  public var age: Int?

  /// What is not said is not bounded.
  public init(changes: Int? = nil, bytes: Int? = nil, age: Int? = nil) {
    self.changes = changes
    self.bytes = bytes
    self.age = age
  }

  /// A million changes, 256 MB: so that no log fills a disk, and undo reaches as far as anybody looks
  /// back.
  public static let standard = LogRetention(changes: 1_000_000, bytes: 256 << 20)
}

/// What the commits of a list came to, since there is the list.
struct LogTotals: Hashable, Sendable {
  var changes = 0
  var bytes = 0

  mutating func add(_ record: ChangeRecord) {
    changes += 1
    // Numbers and what SQLite adds, about.
    bytes += 40 + (record.section?.utf8.count ?? 0) + (record.item?.utf8.count ?? 0)
    bytes += (record.before?.count ?? 0) + (record.after?.count ?? 0)
    bytes += record.seams.count * 24
  }
}
