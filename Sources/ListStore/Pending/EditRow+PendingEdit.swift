import GRDB
import ListModel
import ListTables

extension EditRow {
  /// The edit as the app sees it.
  func pendingEdit(of list: ListID) throws -> Repository.PendingEdit {
    let state: Repository.PendingEdit.State =
      switch state {
      case .local, .waiting: .waiting
      case .accepted: .accepted
      case .conflicted: .conflicted(try conflict())
      case .rejected: .rejected(why: why)
      }
    return Repository.PendingEdit(
      id: name, list: list, author: author, time: time, state: state, edited: changes)
  }

  private func conflict() throws -> Repository.PendingEdit.Conflict {
    let object = try JSONNode(parsing: Array((found ?? .null).text.utf8), maximumDepth: 40).object()
    let index = try object.required("change", as: Int.self)
    guard changes.indices.contains(index) else {
      throw DatabaseError.corrupt("edit \(name) has no change \(index)")
    }
    return Repository.PendingEdit.Conflict(
      change: changes[index].change, why: why ?? "",
      item: try object.optional("item"),
      section: try object.optional("section"))
  }
}

extension EditOutcome {
  /// The outcome as the app sees it.
  func outcome(of list: ListID) throws -> Repository.PendingEdit.Outcome {
    switch self {
    case .taken(let row, let isUnchanged):
      let edit = try row.pendingEdit(of: list)
      return isUnchanged ? .acknowledged(edit) : .changed(edit)
    case .conflicted(let row): return .conflicted(try row.pendingEdit(of: list))
    case .rejected(let row): return .rejected(try row.pendingEdit(of: list))
    }
  }
}
