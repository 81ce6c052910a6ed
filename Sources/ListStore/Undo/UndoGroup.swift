import ListModel
import ListTables
import StoreFiles

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

  fileprivate func contains(_ list: ListID, in repository: Repository) -> Bool {
    self.list == list && self.repository == ObjectIdentifier(repository)
  }

  /// The step of an edit that is being made.
  func step(by author: Author) -> CommitStep {
    first.withValue { $0[author] }.map { .of($0) } ?? .own
  }

  /// Notes an edit once it is committed; each author's first one begins the step.
  func note(_ commit: Commit) {
    if commit.entries.isEmpty { return }
    first.withValue { $0[commit.author] = $0[commit.author] ?? commit.revision }
  }
}

extension Repository {
  /// The group to which edits of a list belong that this task or thread makes.
  func undoGroup(of list: ListID) -> UndoGroup? {
    guard let group = UndoGroup.current, group.contains(list, in: self) else { return nil }
    return group
  }
}
