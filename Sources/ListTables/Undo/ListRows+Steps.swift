package import BatchUpdates
import GRDB
package import ListModel

/// Where a user goes in the history of a list.
package enum UndoDirection: String {
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
  /// - Returns: The revisions of its commits, ascending; `nil` if there is nothing, if the log does
  ///   not have all of it, or if it is older than the newest 10,000 commits.
  package func newestStep(to direction: UndoDirection, by author: Author) throws -> [Int]? {
    try steps(to: direction, by: author, after: logFloor, limit: 1).first
  }

  /// What would be taken back one after another, the newest step first.
  ///
  /// An edit counts unless it was taken back by an undo that counts itself. An undo of an undo is a
  /// redo, and is to be undone like an edit.
  ///
  /// `floor`: Steps that began at this revision or before are left out.
  package func steps(
    to direction: UndoDirection, by author: Author, after floor: Int, limit: Int = .max
  ) throws -> [[Int]] {
    var steps: [[Int]] = []
    var takenBack: Set<Int> = []
    var kinds = UndoKinds(self)
    let floor = max(floor, logFloor, revision - Self.mostCommits)
    var end = revision
    while end > floor, steps.count < limit {
      let start = max(floor + 1, end - Self.pageSize + 1)
      for row in try stepRows(in: start...end, by: author) where steps.count < limit {
        if direction == .redo, !row.takesBack { return steps }
        if takenBack.contains(row.takesBack ? row.revision : row.step) { continue }
        guard row.step > logFloor else { return steps }
        if !row.takesBack {
          takenBack.insert(row.step)
          if row.step > floor {
            steps.append(try edits(ofStep: row.step, upTo: row.revision, author))
          }
          continue
        }
        guard let isUndo = try kinds.isUndo(row.revision) else { return steps }
        // Once that is taken back, what it took back counts again.
        if isUndo == (direction == .redo) {
          steps.append([row.revision])
        } else {
          takenBack.insert(row.step)
        }
      }
      end = start - 1
    }
    return steps
  }

  /// How commits are undone.
  ///
  /// `revisions`: Ascending, not empty.
  ///
  /// - Throws: `StoreError` with ``/ListModel/StoreError/Code/erased`` if that would bring back what
  ///   was erased.
  package func undo(_ revisions: [Int], file: String) throws -> UndoPlan {
    let first = revisions[0]
    let commits = try commits(in: first...revision, isChecked: true)
    guard commits.count == revision - first + 1 else {
      throw DatabaseError.corrupt("revision \(first) is not in the log")
    }
    let undone = Set(revisions)
    let plan = try undo(commits.map { ($0.entries, undone.contains($0.revision)) })
    let names = plan.changes.map(\.names)
    guard !names.contains(where: { $0.item?.isErased == true || $0.section?.isErased == true })
    else {
      throw StoreError(
        .erased,
        "list \"\(list)\": revision \(revisions.map(String.init).joined(separator: ", ")) can't be "
          + "undone, because something that it deleted or changed was erased. Nothing was changed; "
          + "other commits can still be undone, each by its revision", file: file)
    }
    return plan
  }

  /// The newest commit first.
  private func stepRows(in revisions: ClosedRange<Int>, by author: Author) throws -> [StepRow] {
    var rows: [StepRow] = []
    try statements(
      """
      SELECT revision, step, undoes IS NOT NULL AND undoes = step FROM listCommit
      WHERE list = ? AND revision BETWEEN ? AND ?
        AND author = (SELECT id FROM author WHERE name = ?) AND step IS NOT NULL
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
}

/// Tells undos from redos, and asks for each commit once.
private struct UndoKinds {
  private let rows: ListRows
  private var known: [Int: Bool] = [:]

  init(_ rows: ListRows) { self.rows = rows }

  /// Whether a commit is an undo, and not an edit or a redo.
  ///
  /// - Returns: `nil` if the log does not say it any more.
  mutating func isUndo(_ revision: Int) throws -> Bool? {
    var chain: [Int] = []
    var next = revision
    while known[next] == nil {
      guard next > rows.logFloor else { return nil }
      // A damaged store must not make this endless.
      guard let undone = try takenBack(by: next), undone < next else {
        known[next] = false
        break
      }
      chain.append(next)
      next = undone
    }
    for revision in chain.reversed() {
      known[revision] = known[next] == false
      next = revision
    }
    return known[revision]
  }

  /// The beginning of the whole step that a commit takes back; `nil` for an edit.
  private func takenBack(by revision: Int) throws -> Int? {
    try rows.statements(
      "SELECT step FROM listCommit WHERE list = ? AND revision = ? AND undoes = step"
    ).first(rows.id, revision) { try $0.integer(0) }
  }
}
