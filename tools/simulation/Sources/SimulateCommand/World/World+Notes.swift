import Cellar

// The list that a device has for itself.
extension World {
  func note(_ device: Device, _ app: AppProcess, _ random: inout Randomness) throws {
    try compareNotes(device, app)
    guard device.notes.isCertain else { return }
    let before = device.notes.current
    let operations = before.list.randomOperations(device.newName(), &random).filter {
      if case .touchItem = $0 { false } else { true }
    }
    var after = before
    for operation in operations { try after.list.apply(operation) }
    if after.list == before.list { return }
    after.revision += 1
    after.undo.append(before.list)
    after.redo = []
    try change(device, to: after) {
      try app.notes.edit { editor in for operation in operations { try editor.make(operation) } }
    }
  }

  func takeBack(_ device: Device, _ app: AppProcess, isRedo: Bool) throws {
    try compareNotes(device, app)
    guard device.notes.isCertain else { return }
    var after = device.notes.current
    if let list = isRedo ? after.redo.popLast() : after.undo.popLast() {
      if isRedo { after.undo.append(after.list) } else { after.redo.append(after.list) }
      after.list = list
      after.revision += 1
      try change(device, to: after) {
        if try (isRedo ? app.notes.redo() : app.notes.undo()) == nil {
          throw Violation("undo", "device \(device.name): there is something to take back")
        }
      }
    } else if after.revision > 0 {
      try tolerate(device) {
        if try (isRedo ? app.notes.redo() : app.notes.undo()) != nil {
          throw Violation("undo", "device \(device.name): there was nothing to take back")
        }
      }
    }
  }

  private func change(
    _ device: Device, to after: NotesModel.State, _ body: () throws -> Void
  ) throws {
    var isDone = false
    try tolerate(device) {
      device.notes.doubt(after)
      try body()
      isDone = true
    }
    if isDone { device.notes.acknowledge(after) }
  }

  /// The notes are as the model has them: what was acknowledged is there, at every moment.
  func compareNotes(_ device: Device, _ app: AppProcess) throws {
    try within(app.number) {
      try tolerate(device) {
        let isThere = try app.repository.lists().contains("notes")
        let tree = isThere ? try app.notes.tree() : ListTree(list: "notes")
        if let problem = device.notes.match(revision: tree.revision, ModelList(tree)) {
          throw Violation("notes", "device \(device.name): \(problem)")
        }
      }
    }
  }
}
