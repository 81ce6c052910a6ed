import ListModel
import StoreSchema

/// What a commit is for a user who undoes: the column `step`.
enum CommitStep {
  /// Nothing that a user undoes, such as a line of a feed.
  case none
  /// An edit that is undone alone, or the first of several.
  case own
  /// An edit of the step that began at a revision, or what takes that step back.
  case of(Int)

  /// The revision at which the step began; `nil` for an edit without a change, too.
  func first(at revision: Int, isEmpty: Bool) -> Int? {
    switch self {
    case .none: nil
    case .own: isEmpty ? nil : revision
    case .of(let first): first
    }
  }
}

/// Edits of a list that are undone together.
final class UndoGroup: Sendable {
  @TaskLocal static var current: UndoGroup?

  private let repository: ObjectIdentifier
  private let list: ListID
  /// Where the step of each author began.
  private let first = Guarded<[Author: Int]>([:])

  init(of list: ListID, in repository: Repository) {
    self.repository = ObjectIdentifier(repository)
    self.list = list
  }

  func contains(_ list: ListID, in repository: Repository) -> Bool {
    self.list == list && self.repository == ObjectIdentifier(repository)
  }

  fileprivate func begin(_ author: Author) -> Int? { first.withValue { $0[author] } }

  fileprivate func note(_ commit: Commit) {
    first.withValue { $0[commit.author] = $0[commit.author] ?? commit.revision }
  }
}

extension Repository {
  /// The step of an edit that is being made.
  func step(of list: ListID, by author: Author) -> CommitStep {
    guard let group = UndoGroup.current, group.contains(list, in: self),
      let first = group.begin(author)
    else { return .own }
    return .of(first)
  }

  /// Notes the edit that its group, if it has one, begins with.
  func noteStep(_ commit: Commit) {
    guard let group = UndoGroup.current, group.contains(commit.list, in: self),
      !commit.entries.isEmpty
    else { return }
    group.note(commit)
  }
}
