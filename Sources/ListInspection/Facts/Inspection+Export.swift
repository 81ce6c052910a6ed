import Foundation
import GRDB
public import ListModel
import ListStore
import ListTables
import StoreFiles
import StoreSchema

extension Inspection {
  /// A list at a revision, as JSON; at the head, with its exact sizes.
  ///
  /// - Parameters:
  ///   - list: The list.
  ///   - revision: The revision; `nil` for the head. Trees of earlier revisions have no sizes.
  /// - Returns: A tree on one line, in the format of `TreeFormat.md` of ListModel. It agrees with
  ///   the digest of its commit, which covers everything except the sizes. The head of a store to
  ///   which another program has written is not compared: see ``/ListModel/StoreProblem/Code/bypassed``.
  /// - Throws: `StoreError` with ``/ListModel/StoreError/Code/listNotFound``,
  ///   ``/ListModel/StoreError/Code/revisionNotFound``, or
  ///   ``/ListModel/StoreError/Code/damagedStore`` if the list does not match its digest.
  /// - Complexity: O(*n* + *k* · log *n*), *n* items, *k* changes after that revision.
  public func export(_ list: ListID, at revision: Int? = nil) throws(StoreError) -> String {
    var text = ""
    try export(list, at: revision) { text += $0 }
    return text
  }

  /// Writes a list at a revision as JSON, part by part: the head of a long list is never whole in
  /// memory.
  ///
  /// - Parameters:
  ///   - list: The list.
  ///   - revision: The revision; `nil` for the head.
  ///   - write: Takes the parts in order, after the comparison with the digest. If it throws, the
  ///     export ends with that error.
  /// - Throws: As ``export(_:at:)``, and what `write` throws.
  /// - Complexity: O(*n* + *k* · log *n*), *n* items, *k* changes after that revision.
  public func export(
    _ list: ListID, at revision: Int? = nil, to write: (String) throws -> Void
  ) throws(StoreError) {
    try naming { () throws(StoreError) in
      let repository = try lists()
      if let revision, try revision != repository.revision(of: list) {
        let text = try repository.tree(of: list, at: revision).json()
        do { try write(text) } catch { throw .wrap(error, attempt: "write the list", file: "") }
      } else {
        try repository.write(list, to: write)
      }
    }
  }

  /// The revision that a list had at a time: that of the last commit in its log that is not later.
  ///
  /// Commits from a feed have the time that the feed says, so times need not ascend.
  ///
  /// - Parameters:
  ///   - list: The list.
  ///   - time: In milliseconds since 1970; `nil` for the head.
  /// - Returns: The revision; 0 if the log is complete and all of its commits are later.
  /// - Throws: `StoreError` with ``/ListModel/StoreError/Code/listNotFound``, or
  ///   ``/ListModel/StoreError/Code/revisionNotFound`` if the log begins later.
  /// - Complexity: O(*c*), *c* later commits.
  public func revision(of list: ListID, at time: Int? = nil) throws(StoreError) -> Int {
    try naming { () throws(StoreError) in
      let repository = try lists()
      let head = try repository.revision(of: list)
      guard let time else { return head }
      let found = try repository.read("read the log of \"\(list)\"") { db in
        try Statements(db)(
          """
          SELECT coalesce((SELECT revision FROM listCommit WHERE list = list.id AND time <= ?1
            ORDER BY revision DESC LIMIT 1), iif(logFloor = 0, 0, NULL))
          FROM list WHERE name = ?2
          """
        ).first(time, list.rawValue) { try $0.integerIfPresent(0) } ?? nil
      }
      guard let found else {
        throw StoreError(
          .revisionNotFound,
          "all commits in the log of \"\(list)\" are later; what was before them is not kept",
          file: file.path)
      }
      return found
    }
  }

  /// The store as it was after a commit in its write-ahead log.
  ///
  /// This works also where the log of a list does not go back so far. It takes another private copy,
  /// unless the store is read in place.
  ///
  /// - Parameter number: The commit, counted from 1; 0 for the store without the log. The log has
  ///   ``StoreEvidence/Log-swift.struct/commitCount`` commits. They are transactions, which can be
  ///   about any list or none.
  /// - Returns: An inspection of that state. Its ``evidence`` is that of the files.
  /// - Throws: `StoreError` with ``/ListModel/StoreError/Code/revisionNotFound`` if there is no such
  ///   commit, or if SQLite has copied later commits into the file already, so that the file is not
  ///   as it was; else as ``init(of:inPlace:)``.
  /// - Complexity: O(*n*), *n* bytes of the store.
  public func atLogCommit(_ number: Int) throws(StoreError) -> Inspection {
    func missing(_ why: String) -> StoreError {
      StoreError(.revisionNotFound, why, file: file.path)
    }
    let count = evidence.log?.commitCount ?? 0
    if findings.contains(where: { $0.code == .logForeign }) {
      throw missing("its write-ahead log is another store's; no commit of it counts")
    }
    guard (0...count).contains(number) else {
      throw missing("its write-ahead log has commits 0...\(count), not \(number)")
    }
    let opened = try store()
    let copy = opened.copy
    let original = copy?.file ?? file
    return try naming { () throws(StoreError) in
      if let page = try WriteAheadLog.pageOfLaterCommit(than: number, in: original) {
        throw missing(
          "commits after \(number) of its write-ahead log were copied into the file already (page "
            + "\(page)); what was there before is not kept")
      }
      return Inspection(
        file, evidence,
        try OpenedStore(
          original, naming: file.path, inPlace: copy == nil, hasLog: number > 0,
          logCommits: number, migrations: opened.schema.migrations))
    }
  }
}
