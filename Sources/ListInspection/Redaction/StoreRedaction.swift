public import Foundation
public import ListModel
import StoreFiles
import StoreSchema

/// What was made of a store that was redacted.
///
/// Its JSON is an output format: names and meanings stay.
public struct StoreRedaction: Codable, Sendable {
  /// The version of the format: 1.
  ///
  /// It grows when a member changes its meaning.
  public var formatVersion = 1
  /// The path of the original, as it was given.
  public var file: String
  /// The path of the new store.
  public var newFile: String
  /// The number of lists.
  public var listCount: Int
  /// The number of their items.
  public var itemCount: Int
  /// The number of commits in their logs.
  public var commitCount: Int
  /// The number of derived lists, which are left out: their definitions name values of contents.
  public var derivedListCount = 0
  /// What was lost before the redaction, because the original is damaged; `nil` for a sound one.
  public var recovery: StoreRecovery?

  /// What is replaced.
  public struct Options: Sendable {
    /// Whether names of members of contents stay; they are usually those of the app's types.
    ///
    /// Pass `false` for contents that have names of users, or the like, as members.
    public var keepsMembers = true
    /// Whether names of cells, types, views, screens, events and nested lists stay.
    public var keepsNames = true
    /// Whether times stay; else they are those of the start of their day, in UTC.
    public var keepsTimes = true
    /// What the pseudonyms depend on; `nil` for a random key, so that they differ each time.
    public var seed: UInt64?

    /// Options that keep names and times.
    public init() {}
  }
}

extension Inspection {
  /// Writes a new store without the texts of this one, for instance for a bug report.
  ///
  /// It has the lists with their logs, sizes, saved screens, feed positions and pending edits: what
  /// explains a list. It is written as any store is, by commits, from values whose texts are
  /// replaced. No row and no SQL is copied, so nothing is there that Cellar does not know, such as an
  /// app's own tables.
  ///
  /// Contents, actions, metas and views' contents become filler of the same length and structure,
  /// so that cells measure about the same. Ids of lists, sections, items and edits, and names of
  /// authors other than the library's own, become pseudonyms of the same length: consonants only.
  /// The same text has the same pseudonym everywhere in the store, and another one each time. Order,
  /// revisions, sizes and layouts stay. Digests are made anew.
  ///
  /// A damaged store is recovered first, and the answer says what was lost.
  ///
  /// ```swift
  /// let redaction = try Inspection(of: file).redact(to: newFile)
  /// if let lost = redaction.recovery { print(lost.lists) }
  /// ```
  ///
  /// - Parameters:
  ///   - newFile: The new store, which must not exist. It appears whole or not at all, for its owner
  ///     alone.
  ///   - options: What is replaced.
  /// - Returns: What was written.
  /// - Throws: `StoreError` with ``/ListModel/StoreError/Code/newerStore``;
  ///   ``/ListModel/StoreError/Code/modifiedMigration``;
  ///   ``/ListModel/StoreError/Code/damagedStore`` or ``/ListModel/StoreError/Code/notAStore`` if
  ///   nothing can be recovered; or ``/ListModel/StoreError/Code/notWritable`` if `newFile` exists or
  ///   can't be written. There is then no new file.
  /// - Complexity: O((*n* + *k*) log *n*), *n* items, *k* changes in the logs; memory for about 50
  ///   bytes an id.
  public func redact(
    to newFile: URL, options: StoreRedaction.Options = .init()
  ) throws(StoreError) -> StoreRedaction {
    if let refusal { throw refusal }
    func redact(_ store: URL) throws(StoreError) -> StoreRedaction {
      try Redaction(
        file: file, store: store, newFile: newFile, migrations: migrations, options: options
      ).run()
    }
    guard check().first?.severity == .error else { return try redact(store().listsFile) }
    try StoreDraft.requireFreeName(newFile)
    let folder: OwnedFolder
    do {
      folder = try OwnedFolder(
        named: PrivateCopy.folderPrefix, in: FileManager.default.temporaryDirectory)
    } catch { throw .wrap(error, attempt: "recover the store", file: file.path) }
    defer { withExtendedLifetime(folder) {} }
    let recovered = folder.url.appendingPathComponent("store.sqlite")
    var recovery = try naming { () throws(StoreError) in
      try StoreRecovery.recover(damagedFile, to: recovered, migrations: migrations)
    }
    (recovery.file, recovery.newFile) = (file.path, newFile.path)
    var redaction = try redact(recovered)
    redaction.recovery = recovery
    return redaction
  }

  /// What a recovery reads: the copy, if it could be opened, because an app may write to the
  /// original.
  private var damagedFile: URL {
    guard case .success(let store) = opened, store.copy != nil else { return file }
    return store.file
  }
}
