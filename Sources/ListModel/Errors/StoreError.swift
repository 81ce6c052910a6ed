/// A failure of a store, of a list in it, or of a feed that was applied to it.
///
/// Unless a message says otherwise, the store is as it was before the call.
public struct StoreError: Error, Sendable {
  /// The kind of failure, for code that handles it.
  public let code: Code
  /// What was attempted, on what, why it failed and what to do about it.
  public let message: String
  /// The file with the failure, if it is in a file.
  public var file: String?
  /// The line of that file, counted from 1.
  public var line: Int?
  /// The error that caused this one.
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
  /// Later versions may add kinds, so handle unknown ones.
  public struct Code: Hashable, Sendable, CustomStringConvertible {
    private enum Name: String, Sendable {
      case fileNotFound, notAStore, damagedStore, newerStore, modifiedMigration, foreignSQL
      case irreversibleMigration, verificationFailed
      case notReadable, notWritable, storeFull, busy, noLocks, inputOutput, movedStore
      case timeLimit, memoryLimit
      case changedMeanwhile
      case nestedEdit, readOnly, closed, suspended
      case listNotFound, revisionNotFound, erased
      case sectionNotFound, itemNotFound, nameNotFound, duplicateID, placeOutOfBounds, invalidValue
      case malformedFeed, feedGap, tornFeed, feedLimit, anotherFeed
      case listOfAnotherFeed, insecureAddress, feedRefused, feedUnavailable
    }

    private let name: Name

    private init(_ name: Name) { self.name = name }

    /// There is no file.
    public static let fileNotFound = Code(.fileNotFound)
    /// The file is not a Cellar store.
    public static let notAStore = Code(.notAStore)
    /// The file is a store with missing or wrong parts.
    public static let damagedStore = Code(.damagedStore)
    /// A newer library wrote the store.
    public static let newerStore = Code(.newerStore)
    /// The store was made by a migration whose SQL differs from this library's.
    public static let modifiedMigration = Code(.modifiedMigration)
    /// The schema has an index or a table that no migration makes, and whose SQL would run at each
    /// write: see `Repository.Options.allowedSchemaObjects`.
    public static let foreignSQL = Code(.foreignSQL)
    /// A migration can't be undone.
    public static let irreversibleMigration = Code(.irreversibleMigration)
    /// A check of a migration or of a backup failed, so it was rolled back.
    public static let verificationFailed = Code(.verificationFailed)
    /// The system refuses to read the file.
    public static let notReadable = Code(.notReadable)
    /// The system refuses to write the file.
    public static let notWritable = Code(.notWritable)
    /// The disk is full, or the store has reached its size limit.
    public static let storeFull = Code(.storeFull)
    /// Another connection locks the store for too long.
    public static let busy = Code(.busy)
    /// The file system that the file is on has no locks, so nothing keeps two writers apart.
    public static let noLocks = Code(.noLocks)
    /// Reading or writing failed below SQLite.
    public static let inputOutput = Code(.inputOutput)
    /// The store's file was deleted, moved or replaced while it was open.
    public static let movedStore = Code(.movedStore)
    /// A file changed while it was looked at.
    public static let changedMeanwhile = Code(.changedMeanwhile)
    /// Reading took longer than it can take for an undamaged file of that size.
    public static let timeLimit = Code(.timeLimit)
    /// Reading took more memory than SQLite may have.
    public static let memoryLimit = Code(.memoryLimit)
    /// The closure of an edit tried to write to the store by another call.
    public static let nestedEdit = Code(.nestedEdit)
    /// The call would have to write or to migrate, and the Repository only reads.
    public static let readOnly = Code(.readOnly)
    /// The Repository was closed.
    public static let closed = Code(.closed)
    /// The Repository is suspended, so nothing is written until it is resumed.
    public static let suspended = Code(.suspended)
    /// The store has no such list.
    public static let listNotFound = Code(.listNotFound)
    /// The list never had this revision, or its log no longer reaches back to it.
    public static let revisionNotFound = Code(.revisionNotFound)
    /// The commit can't be undone, because what it would bring back was erased.
    public static let erased = Code(.erased)
    /// The list has no such section.
    public static let sectionNotFound = Code(.sectionNotFound)
    /// The list has no such item, or has it at another place.
    public static let itemNotFound = Code(.itemNotFound)
    /// Nothing in the store has this cell, item type or view.
    public static let nameNotFound = Code(.nameNotFound)
    /// The list already has a section or an item with this id.
    public static let duplicateID = Code(.duplicateID)
    /// The index is not in the range that the list or the section allows.
    public static let placeOutOfBounds = Code(.placeOutOfBounds)
    /// A value that no view can use.
    public static let invalidValue = Code(.invalidValue)
    /// A line is not JSON, or JSON of another shape than a feed's.
    public static let malformedFeed = Code(.malformedFeed)
    /// A line does not follow the last line that was applied.
    public static let feedGap = Code(.feedGap)
    /// The list has applied another line in the place of this one, so the line is of another feed.
    public static let anotherFeed = Code(.anotherFeed)
    /// Another feed fills the list, and the call does not say that this one may change it.
    public static let listOfAnotherFeed = Code(.listOfAnotherFeed)
    /// The last line does not end with a line feed.
    public static let tornFeed = Code(.tornFeed)
    /// A line or a commit is larger than a feed allows.
    public static let feedLimit = Code(.feedLimit)

    /// The address of a feed is not encrypted, and the app does not allow that.
    public static let insecureAddress = Code(.insecureAddress)
    /// A server refuses to send the feed or to take edits, and would refuse it again.
    public static let feedRefused = Code(.feedRefused)
    /// A server does not send the feed or take an edit now; it may do so later.
    public static let feedUnavailable = Code(.feedUnavailable)

    /// The name of the kind, such as `feedGap`.
    public var description: String { name.rawValue }
  }
}
