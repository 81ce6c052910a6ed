import GRDB
import ListModel

/// Where a user goes in the history of a list.
enum UndoDirection: String {
  case undo, redo
}

extension ListRows {
  /// How many commits are looked at, from the newest one on.
  private static let mostCommits = 10_000
  private static let pageSize = 250

  private struct StepRow {
    let revision: Int
    /// The revision at which its step began, or that of the step which it takes back.
    let step: Int
    /// Whether it takes a whole step back.
    let takesBack: Bool
  }

  /// What is to be taken back next: the author's newest step that counts, or the newest undo that no
  /// edit of the author came after.
  ///
  /// An edit counts unless it was taken back by an undo that counts itself. An undo of an undo is a
  /// redo, and is to be undone like an edit.
  ///
  /// - Returns: The revisions of its commits, ascending; `nil` if there is nothing, if the log does
  ///   not have all of it, or if it is older than the newest 10,000 commits.
  func newestStep(to direction: UndoDirection, by author: Author) throws -> [Int]? {
    var takenBack: Set<Int> = []
    var end = revision
    while end > logFloor, revision - end < Self.mostCommits {
      let start = max(logFloor + 1, end - Self.pageSize + 1)
      for row in try stepRows(in: start...end, by: author) {
        if direction == .redo, !row.takesBack { return nil }
        if takenBack.contains(row.takesBack ? row.revision : row.step) { continue }
        guard row.step > logFloor else { return nil }
        guard row.takesBack else { return try edits(ofStep: row.step, upTo: row.revision, author) }
        takenBack.insert(row.step)
        guard let isRedo = try takesBackStep(row.step) else { return nil }
        if isRedo == (direction == .undo) { return [row.revision] }
      }
      end = start - 1
    }
    return nil
  }

  /// The newest commit first.
  private func stepRows(in revisions: ClosedRange<Int>, by author: Author) throws -> [StepRow] {
    var rows: [StepRow] = []
    try statements(
      """
      SELECT revision, step, undoes IS NOT NULL AND undoes = step FROM listCommit
      WHERE list = ? AND revision BETWEEN ? AND ? AND step IS NOT NULL
        AND author = (SELECT id FROM author WHERE name = ?)
      ORDER BY revision DESC
      """
    ).forEach(id, revisions.lowerBound, revisions.upperBound, author.name) { row in
      rows.append(
        StepRow(
          revision: try row.integer(0), step: try row.integer(1),
          takesBack: try row.integer(2) != 0))
    }
    return rows
  }

  /// The commits of a step.
  private func edits(ofStep step: Int, upTo last: Int, _ author: Author) throws -> [Int] {
    var revisions: [Int] = []
    try statements(
      """
      SELECT revision FROM listCommit
      WHERE list = ? AND revision BETWEEN ? AND ? AND step = ? AND undoes IS NOT step
        AND author = (SELECT id FROM author WHERE name = ?)
      ORDER BY revision
      """
    ).forEach(id, step, last, step, author.name) { revisions.append(try $0.integer(0)) }
    return revisions
  }

  /// Whether a commit is an undo, and not an edit or a redo.
  ///
  /// - Returns: `nil` if the log does not say it any more.
  private func takesBackStep(_ revision: Int) throws -> Bool? {
    var isUndo = false
    var next: Int? = revision
    while let at = next {
      guard at > logFloor else { return nil }
      let row = try statements(
        "SELECT undoes, undoes IS NOT NULL AND undoes = step FROM listCommit WHERE list = ? AND revision = ?"
      ).first(id, at) { (undoes: try $0.integerIfPresent(0), takesBack: try $0.integer(1) != 0) }
      guard let row else { return nil }
      // A damaged store must not make this endless.
      guard row.takesBack, let undoes = row.undoes, undoes < at else { break }
      isUndo.toggle()
      next = undoes
    }
    return isUndo
  }
}
