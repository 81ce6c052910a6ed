import ListModel
import ListTables

/// The lists that one edit changes, in its transaction: each gets a commit of its own.
final class EditSession {
  let repository: Repository
  private let transaction: WriteTransaction
  private let author: Author
  /// The id of the edit, if it waits for a server's answer.
  private let pending: String?
  /// In the order in which they were opened.
  private var lists: [(editor: ListEditor, list: ListID, isNew: Bool)] = []

  init(
    of repository: Repository, in transaction: WriteTransaction, by author: Author,
    pending: String?
  ) {
    self.repository = repository
    self.transaction = transaction
    self.author = author
    self.pending = pending
  }

  /// The editor of a list, which is made if there is none.
  func editor(of target: EditTarget) throws -> ListEditor {
    if let known = lists.first(where: { $0.list == target.list }) { return known.editor }
    let isNew = try transaction.rows(target.list) == nil
    let rows = try repository.rowsToCommit(transaction, target.list, ownedBy: target.owner)
    // An edit has the id of its first list; in another list's outbox it is an edit of its own.
    let name = lists.isEmpty ? pending : pending.map { _ in EditRecord.newName() }
    let commit = PendingCommit(
      rows, by: author, time: WallClock.now, feed: nil,
      step: repository.undoGroup(of: target.list)?.step(by: author) ?? .own,
      record: try rows.outbox.record(pending: name), isBesideOthers: !lists.isEmpty)
    let editor = ListEditor(rows, commit, of: target, in: self)
    lists.append((editor, target.list, isNew))
    return editor
  }

  /// Ends the edits of all lists.
  ///
  /// - Returns: A commit for each list that was changed. Without any, the store is to stay as it was
  ///   before the transaction.
  func commits() throws -> [Commit] {
    var commits: [Commit] = []
    var empty: [ListID] = []
    for (editor, list, isNew) in lists {
      if let commit = try editor.close() {
        commits.append(commit)
      } else if isNew {
        empty.append(list)
      }
    }
    if !commits.isEmpty, !empty.isEmpty { _ = try transaction.delete(empty) }
    return commits
  }

  /// Ends the edits of all lists without commits.
  func discard() { for (editor, _, _) in lists { editor.discard() } }
}
