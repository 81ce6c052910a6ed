public import Foundation
public import ListModel

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
  /// The original texts and ids that were searched for: those of six bytes or more.
  public var searchedTextCount: Int
  /// The bytes in which they were searched for: all of the new file.
  public var searchedByteCount: Int
  /// How many different runs of six bytes of original texts were found.
  ///
  /// If there is one, the new file was removed.
  public var foundRunCount: Int

  /// Whether no six bytes in a row of an original text were found.
  ///
  /// If some were, there is no new store.
  public var isClean: Bool { foundRunCount == 0 }

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
  /// Writes a copy of the store without its contents and ids, for instance for a bug report.
  ///
  /// Contents, actions, metas and views' contents become filler of the same length and structure,
  /// so that cells measure about the same. Ids of lists, sections and items, and names of authors
  /// other than the library's own, become pseudonyms of the same length: consonants only. The same
  /// text has the same pseudonym everywhere in the store, and another one each time. Order,
  /// revisions, the log, sizes and layouts stay. A kind of view and a variant of a size stay, too.
  /// Digests are made anew.
  ///
  /// At last all bytes of the new file are searched for parts of original texts. Runs
  /// of digits are searched for in its texts, because its rows have numbers of their own. Not
  /// searched for are numbers and texts of fewer than six bytes; not counted are the names that
  /// stay.
  ///
  /// ```swift
  /// let redaction = try Inspection(of: file).redact(to: newFile)
  /// if redaction.isClean { attach(newFile) }
  /// ```
  ///
  /// - Parameters:
  ///   - newFile: The new store, which must not exist. It appears whole or not at all.
  ///   - options: What is replaced.
  /// - Returns: What was replaced, and whether the search found something. If it did, there is no
  ///   new file.
  /// - Throws: `StoreError` with ``/ListModel/StoreError/Code/damagedStore`` if
  ///   ``check(registry:)`` finds an error: recover the store first;
  ///   ``/ListModel/StoreError/Code/newerStore``; or ``/ListModel/StoreError/Code/notWritable`` if
  ///   `newFile` exists or can't be written. There is then no new file.
  /// - Complexity: O(*n*), all bytes of the store; memory for about 300 bytes an id, and up to
  ///   128 MB.
  public func redact(
    to newFile: URL, options: StoreRedaction.Options = .init()
  ) throws(StoreError) -> StoreRedaction {
    if let refusal { throw refusal }
    if let finding = check().first, finding.severity == .error {
      throw StoreError(
        .damagedStore,
        "it is damaged (\(finding.message)), so not all texts in it can be found; make a sound "
          + "store with `cellar recover` first, and redact that", file: file.path)
    }
    return try Redaction(file, store(), newFile, options).run()
  }
}
