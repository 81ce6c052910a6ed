/// What went wrong with a store, a list in it, or a feed that was applied to it.
///
/// Unless a message says otherwise, the store is as it was before the call.
public struct StoreError: Error, Sendable {
  /// The kind of failure, to decide by.
  public let code: Code
  /// What was attempted, on what, why it failed and what to do about it.
  public let message: String
  /// The file that it is about.
  public var file: String?
  /// The line of that file, from 1.
  public var line: Int?
  /// What was reported from below.
  public let cause: (any Error)?

  package init(
    _ code: Code, _ message: String, file: String? = nil, line: Int? = nil,
    cause: (any Error)? = nil
  ) {
    self.code = code
    self.message = message
    self.file = file
    self.line = line
    self.cause = cause
  }
}

extension StoreError: CustomStringConvertible {
  /// File and line, if known, and the message.
  public var description: String {
    let place = [file, line.map { "line \($0)" }].compactMap(\.self).joined(separator: ", ")
    return place.isEmpty ? message : "\(place): \(message)"
  }
}

extension StoreError {
  /// The kind of failure.
  ///
  /// New kinds may come; always have a default.
  public struct Code: Hashable, Sendable, CustomStringConvertible {
    private enum Name: String, Sendable {
      case fileNotFound, notAStore, damagedStore, newerStore, modifiedMigration
      case notReadable, notWritable, storeFull, busy, inputOutput, movedStore, timeLimit
      case nestedEdit
      case listNotFound, revisionNotFound
      case sectionNotFound, itemNotFound, duplicateID, placeOutOfBounds, invalidValue
      case malformedFeed, feedGap, tornFeed, feedLimit, anotherFeed
    }

    private let name: Name

    private init(_ name: Name) { self.name = name }

    /// There is no file.
    public static let fileNotFound = Code(.fileNotFound)
    /// The file is something else than a Cellar store.
    public static let notAStore = Code(.notAStore)
    /// The file was a store, and parts are missing or wrong.
    public static let damagedStore = Code(.damagedStore)
    /// A newer library wrote the store.
    public static let newerStore = Code(.newerStore)
    /// The store was made by a migration that this library has with other SQL.
    public static let modifiedMigration = Code(.modifiedMigration)
    /// The system does not let us read.
    public static let notReadable = Code(.notReadable)
    /// The system does not let us write.
    public static let notWritable = Code(.notWritable)
    /// The disk, or the size that the store may have, is used up.
    public static let storeFull = Code(.storeFull)
    /// Another connection holds the store for too long.
    public static let busy = Code(.busy)
    /// Reading or writing failed below SQLite.
    public static let inputOutput = Code(.inputOutput)
    /// The store's file was deleted, moved or replaced while it was open.
    public static let movedStore = Code(.movedStore)
    /// A file that may come from anywhere took longer to read than any honest one of its size.
    public static let timeLimit = Code(.timeLimit)
    /// The store was to be written inside the closure of an edit of it.
    public static let nestedEdit = Code(.nestedEdit)
    /// The store has no such list.
    public static let listNotFound = Code(.listNotFound)
    /// The list never had this revision, or its log does not reach it.
    public static let revisionNotFound = Code(.revisionNotFound)
    /// The list has no such section.
    public static let sectionNotFound = Code(.sectionNotFound)
    /// The list has no such item, or not where it was said to be.
    public static let itemNotFound = Code(.itemNotFound)
    /// The list has a section or an item of this id already.
    public static let duplicateID = Code(.duplicateID)
    /// The index is not among those that the list or the section takes.
    public static let placeOutOfBounds = Code(.placeOutOfBounds)
    /// A value that no view could use.
    public static let invalidValue = Code(.invalidValue)
    /// A line is not JSON, or JSON of another shape than a feed's.
    public static let malformedFeed = Code(.malformedFeed)
    /// A line does not follow the last one applied.
    public static let feedGap = Code(.feedGap)
    /// A line in whose place the list took another: it is of another feed.
    public static let anotherFeed = Code(.anotherFeed)
    /// The last line has no end.
    public static let tornFeed = Code(.tornFeed)
    /// A line is longer, or a commit larger, than a feed may be.
    public static let feedLimit = Code(.feedLimit)

    /// The name of the kind, such as `feedGap`.
    public var description: String { name.rawValue }
  }
}
