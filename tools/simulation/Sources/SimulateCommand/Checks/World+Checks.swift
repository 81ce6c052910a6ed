import Cellar
import CellarUIKit
import HeadlessUIKit
import SimulatedSystem

// What must hold after each step, and at rest. The lists to compare with are made by the model.
extension World {
  /// After each step.
  func check() throws {
    if let problem = server.problem { throw problem }
    for device in devices {
      if let edit = device.resent {
        throw Violation("resent", "device \(device.name): edit \(edit), although it was answered")
      }
      guard let app = device.app, !app.isSuspended else { continue }
      try checkReports(device, app)
      // Nobody has written since it was checked.
      if device.isTroubled || app.changesChecked == simulated_disk_change_count() { continue }
      defer { app.changesChecked = simulated_disk_change_count() }
      try inApp(device) { app in
        try checkLines(device, app)
        try checkDerived(device, app)
        try checkConflicts(device, app)
        try checkFound(device, app)
        try checkMail(device, app)
      }
    }
  }

  /// No error without a cause, and none that nobody is told of.
  private func checkReports(_ device: Device, _ app: AppProcess) throws {
    let problems = app.screen.takeProblems() + app.takeFailures()
    if let problem = problems.first, !device.isTroubled {
      throw Violation("report", "device \(device.name): \(problem)")
    }
    for event in ["mismatch", "editMismatch"] {
      if let count = app.repository.diagnostics[event] {
        throw Violation("mismatch", "device \(device.name): \(event) \(count)")
      }
    }
    for update in app.screen.takeUpdates() {
      guard case .reload(let why) = update.mode else { continue }
      switch why {
      // No commit here has more changes than that.
      case .tooManyChanges(let limit) where limit < 150 * (update.to - update.from): break
      // What can't be read can't be compared.
      case .notProven("parts of the list can't be read")
      where device.isTroubled || app.wasSuspended:
        break
      default: throw Violation("reload", "device \(device.name): \(why)")
      }
    }
    if let excess = app.screen.takeExcess() {
      throw Violation("least", "device \(device.name): \(excess)")
    }
  }

  /// A list without edits that wait is what the server's was at one of its lines: each line was applied whole,
  /// and none was left out.
  private func checkLines(_ device: Device, _ app: AppProcess) throws {
    guard try app.repository.lists().contains("shelf"), try app.shelf.pendingEdits().isEmpty else {
      return
    }
    let list = ModelList(try app.shelf.tree())
    if !server.mayHaveBeen(list) {
      throw Violation("lines", "device \(device.name): no line leads to\n\(list.text)")
    }
  }

  /// The derived list is what its definition makes of its source, at every moment.
  private func checkDerived(_ device: Device, _ app: AppProcess) throws {
    guard try app.repository.lists().contains("shelf") else { return }
    let source = ModelList(try app.shelf.tree())
    let expected = source.items.enumerated().filter { $0.element.likes > 2 }.sorted {
      ($1.element.likes, $0.offset) < ($0.element.likes, $1.offset)
    }.map(\.element)
    let found = ModelList(try app.liked.tree()).items
    if found != expected {
      throw Violation(
        "derived",
        "device \(device.name): \(found.map(\.id)), and must be \(expected.map(\.id))")
    }
  }

  /// An edit of something that is gone is a conflict as soon as it is gone, unless the server may
  /// have the edit, or something may come again.
  private func checkConflicts(_ device: Device, _ app: AppProcess) throws {
    if server.mayBeginAnew { return }
    let edits = try app.shelf.pendingEdits()
    let waiting = edits.filter { $0.state == .waiting && !device.hasSent($0.id) }
    if waiting.isEmpty { return }
    let list = ModelList(try app.shelf.tree())
    let operations = edits.flatMap { ModelList.operations(of: $0) ?? [] }
    // Edits that wait may have deleted it themselves.
    let deletesSections = operations.contains {
      if case .deleteSection = $0 { true } else { false }
    }
    if deletesSections { return }
    for edit in waiting {
      for operation in ModelList.operations(of: edit) ?? [] {
        guard case .updateItem(let id, _, _, _) = operation, list.place(of: id) == nil,
          !operations.contains(.deleteItem(id))
        else { continue }
        throw Violation(
          "conflict", "device \(device.name): edit \(edit.id) of \(id), which is gone, still waits")
      }
    }
  }

  /// A search finds what has its word, in the order of the source.
  private func checkFound(_ device: Device, _ app: AppProcess) throws {
    guard !device.searched.isEmpty, try app.repository.lists().contains("found") else { return }
    let source = ModelList(try app.shelf.tree()).items
    let found = ModelList(try app.repository.liveList("found", items: [Book.self]).tree()).items
    let isRight = device.searched.contains { word in
      source.filter { word.isFound(in: $0.title) } == found
    }
    if isRight { return }
    let words = device.searched.map(\.rawValue).sorted().joined(separator: " or ")
    throw Violation("found", "device \(device.name): \(found.map(\.title)) for \(words)")
  }

  /// When nothing is left to do.
  func checkAtRest(_ device: Device) throws {
    try inApp(device) { app in
      try compareNotes(device, app)
      try checkScreen(device, app)
      try checkHeights(device, app)
      try checkNewestMail(device, app)
      try checkMailEdits(device, app)
      let problems = try app.repository.checkInvariants()
      if let problem = problems.first {
        throw Violation("store", "device \(device.name): \(problem)")
      }
      try checkEdits(device, app)
      let files = simulated_disk_open_files(Int32(app.number))
      if files > 40 { throw Violation("files", "device \(device.name): \(files) open files") }
    }
  }

  /// Each cell in sight shows the item of the server's list that is there.
  private func checkScreen(_ device: Device, _ app: AppProcess) throws {
    let sections = server.model.sections
    guard app.screen.counts == sections.map(\.items.count) else {
      throw Violation(
        "screen",
        "device \(device.name): the view has \(app.screen.counts) items, the server "
          + "\(sections.map(\.items.count))")
    }
    let visible = app.screen.visible
    if visible.isEmpty, sections.contains(where: { !$0.items.isEmpty }) {
      throw Violation("screen", "device \(device.name): nothing is in sight")
    }
    for (path, book) in visible {
      let item = sections[path.section].items[path.item]
      let shown = book.map {
        ModelList.Item(id: $0.id, title: $0.title, likes: $0.likes, isWide: item.isWide)
      }
      if shown != item {
        throw Violation(
          "screen",
          "device \(device.name): at \(path) is \(shown.map { "\($0)" } ?? "nothing") instead of "
            + "\(item)")
      }
    }
  }

  /// Each item in sight has the height of what it shows.
  private func checkHeights(_ device: Device, _ app: AppProcess) throws {
    for (path, height, book) in app.screen.heights where abs(height - book.height) > 0.5 {
      throw Violation(
        "height", "device \(device.name): \(height) points at \(path), and must be \(book.height)")
    }
  }

  /// An edit that was acknowledged to a user is the server's, or its refusal is there to be shown.
  private func checkEdits(_ device: Device, _ app: AppProcess) throws {
    let outbox = Set(try app.shelf.pendingEdits().map(\.id))
    let taken = server.taken
    for (edit, mayBeLost) in device.edits {
      let isKnown = taken[edit] != nil || outbox.contains(edit)
      if !isKnown, !mayBeLost {
        throw Violation("durable", "device \(device.name): edit \(edit) is lost")
      }
      if taken[edit] != nil, outbox.contains(edit) {
        throw Violation(
          "durable", "device \(device.name): edit \(edit) waits, and the server has it")
      }
    }
  }
}
