package import ListModel

/// A change of an edit that does not fit the list any more.
package struct EditConflict: Error {
  /// Its number among the changes of the edit, from 0.
  package let index: Int
  package let error: ChangeError
}

extension ListOverlay {
  /// Reverts an edit.
  ///
  /// `changes`: What reverts it. Those that do not fit are left out: another program has written to
  /// the list.
  ///
  /// - Returns: Whether all fit.
  package mutating func revert(_ changes: [Change]) throws(Failure) -> Bool {
    var allFit = true
    for change in changes {
      if case .failure = try apply(change) { allFit = false }
    }
    return allFit
  }

  /// Reapplies an edit, as a whole or not at all.
  ///
  /// - Returns: The changes that revert it; or the first change that does not fit, and then
  ///   nothing is changed.
  package mutating func reapply(
    _ edit: [EditedChange]
  ) throws(Failure) -> Result<[Change], EditConflict> {
    var undo: [[Change]] = []
    var joiner = GapJoiner()
    for (index, edited) in edit.enumerated() {
      guard let change = try change(again: edited) else { continue }
      switch try apply(change) {
      case .success(let entry):
        undo.append(try changes(takingBack: entry))
        try joiner.note(entry, in: self)
      case .failure(let error):
        _ = try revert(undo.reversed().flatMap(\.self))
        return .failure(EditConflict(index: index, error: error))
      }
    }
    for entry in try join(&joiner) { undo.append(entry) }
    return .success(undo.reversed().flatMap(\.self))
  }

  /// Makes one of gaps that stand next to each other.
  ///
  /// - Returns: What takes back each change, in their order.
  package mutating func join(_ joiner: inout GapJoiner) throws(Failure) -> [[Change]] {
    var undo: [[Change]] = []
    while let changes = try joiner.next(in: self) {
      for change in changes {
        guard case .success(let entry) = try apply(change) else { continue }
        undo.append(try self.changes(takingBack: entry))
        try joiner.note(entry, in: self)
      }
    }
    return undo
  }
}
