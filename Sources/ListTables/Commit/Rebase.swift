import BatchUpdates
import GRDB
package import ListModel
package import Pages

/// An answer of a server to an edit.
package enum EditAnswer {
  case taken(String)
  case rejected(String, why: String?)

  /// The edit's id.
  var edit: String {
    switch self {
    case .taken(let edit), .rejected(let edit, _): edit
    }
  }
}

/// Puts the edits of a list that wait onto what a server has made of it.
///
/// A list with edits that wait consists of its *base*, which a server has, and of the edits since,
/// in their order: the pending ones and the ordinary ones beside them. The tables have both
/// together.
///
/// A line of a feed is about the base. So the edits are taken back, the newest first, the line is
/// applied, and the edits are reapplied. All that happens in an overlay of the list; the tables and
/// the log get the net change, as one commit. What is the same before and after keeps its rows, with
/// their sizes, and no view is told of it.
///
/// Pages that know more than the feed has told, ``PagesAhead``, lie between the base and the edits: they are
/// taken back and reapplied like edits, but where they belong by then.
///
/// An edit fits as a whole or not at all: `ListLookup.change(again:)` says how its places settle.
/// One that does not fit becomes a conflict. After a reset the list is empty and nearly nothing
/// fits, and a snapshot may have what an edit does; so the edits wait aside until one fits again or
/// the server answers. When no pending edit waits any more, the list is the base.
///
/// The outbox has what takes each edit back, so the log can be truncated as ever. Commits that
/// rename something or bring contents to another version are no edits; they belong to the base.
package struct Rebase {
  private let rows: ListRows
  private var before: [EditRow]
  private var edits: [EditRow]
  private var overlay: ListOverlay<ListRows>
  private var joiner = GapJoiner()
  /// Those that know less come first.
  private var pages: [PagesAhead.Row]
  /// How many of the pages the overlay has.
  private var pageCount = 0
  /// The edits that the base has, by their indices.
  private var taken: Set<Int> = []
  /// Whether all edits could be taken back; if not, another program has written to the list.
  package private(set) var isExact = true

  /// Reverts the edits of a list, and the pages that know more than what is to be applied.
  ///
  /// `sequence`: The last line that it knows; 0 for a line of the feed.
  package init(_ rows: ListRows, beforePagesAfter sequence: Int = .max) throws {
    self.rows = rows
    before = try rows.outbox.edits()
    edits = before
    overlay = try ListOverlay(rows)
    for edit in edits.reversed() {
      if let undo = edit.undo, try !overlay.revert(undo) { isExact = false }
    }
    pages = try rows.hasPage ? rows.pagesAhead.all() : []
    pageCount = pages.firstIndex { $0.sequence > sequence } ?? pages.count
    for page in pages[pageCount...].reversed() where try !overlay.revert(page.undo) {
      isExact = false
    }
    rows.pagesAhead.isRebased = true
  }

  /// The base; after ``reapply(after:)`` the list.
  package func tree() throws -> ListTree { try overlay.tree(rows.list, revision: rows.revision) }

  /// Applies a change of the server to the base.
  ///
  /// `line`: The line that has it.
  ///
  /// - Returns: The reason why it does not fit.
  package mutating func apply(_ change: Change, of line: FeedLine?) throws -> ChangeError? {
    for change in try overlay.changes(forServers: change, lacking: rows.lacking(for: line)) {
      switch try overlay.apply(change) {
      case .success(let entry):
        rows.noteLostGaps(entry, of: line)
        try joiner.note(entry, in: overlay)
      case .failure(let error): return error
      }
    }
    return nil
  }

  // MARK: Pages that are ahead

  /// Puts a page onto the base and the pages that know no more.
  ///
  /// - Throws: An `AskedPage.Refusal`, or the error of reading the list.
  package mutating func add(
    _ page: inout AskedPage, _ changed: AskedPage.ChangedItems
  ) throws -> PageMerge.Outcome {
    if pages.count > pageCount, try !page.isAsked(in: overlay) {
      throw AskedPage.Refusal.outdated
    }
    guard let sequence = page.page.sequence, sequence > rows.feed.sequence else {
      return try page.apply(to: &overlay, &joiner, changed: changed, rows)
    }
    let (undo, outcome) = try apply(&page, changed)
    pages.insert(PagesAhead.Row(page: page, sequence: sequence, undo: undo), at: pageCount)
    pageCount += 1
    if pages.count > Self.mostPages {
      try applyPages()
      try settlePages()
    }
    return outcome
  }

  /// Makes a gap of what the list has too much with a page.
  ///
  /// Then no page can be taken out any more.
  package mutating func trim(
    for page: AskedPage, to limit: Page.Limit, inSight: Set<ItemID>
  ) throws {
    try applyPages()
    let count = try page.trim(&overlay, to: limit, inSight: inSight, &joiner, rows)
    if count > 0 { try settlePages() }
  }

  /// Makes all pages a part of the base: they can't be taken out any more.
  private mutating func settlePages() throws {
    if pages.isEmpty { return }
    try rows.settlePagesAhead()
    rows.pageSequence = .max
    pages = []
    pageCount = 0
  }

  /// More pages are not put into a list anew for each line: that takes some milliseconds for each of them.
  private static let mostPages = 16

  /// Puts the pages into the overlay that it does not have yet.
  ///
  /// One of which nobody knows any more where it belongs is left out: its gap is there.
  private mutating func applyPages() throws {
    _ = try overlay.join(&joiner)
    for index in pageCount..<pages.count {
      var page = pages[index]
      do {
        page.undo = try apply(&page.page, AskedPage.ChangedItems(), isAgain: true).undo
      } catch is AskedPage.Refusal { page.undo = [] }
      pages[index] = page
    }
    pageCount = pages.count
  }

  private mutating func apply(
    _ page: inout AskedPage, _ changed: AskedPage.ChangedItems, isAgain: Bool = false
  ) throws -> (undo: [Change], outcome: PageMerge.Outcome) {
    var layer = try ListOverlay(overlay)
    var joiner = GapJoiner()
    let outcome = try page.apply(
      to: &layer, &joiner, changed: changed, isAgain: isAgain, rows)
    _ = try layer.join(&joiner)
    switch try overlay.reapply(layer.changes().map { EditedChange($0) }) {
    case .success(let undo): return (undo, outcome)
    case .failure(let conflict): throw conflict.error
    }
  }

  /// Makes those pages a part of the base of which the feed has told all by now.
  private mutating func settlePages(after line: FeedLine) throws {
    if line.isReset || line.isSnapshot {
      // It tells everything itself.
      pages.removeAll { line.isReset || $0.sequence <= line.sequence }
    }
    try applyPages()
    pages.removeAll { $0.sequence <= line.sequence }
    pageCount = pages.count
    try rows.pagesAhead.settle(upTo: line)
  }

  // MARK: The base

  /// Takes what is erased out of the base, and out of the edits.
  ///
  /// An edit of which nothing else is left is deleted. So is one that names any of it and is not made
  /// again: what it says of its conflict may hold some of it.
  ///
  /// - Returns: What the base and the edits had of it.
  package mutating func erase(_ names: ErasedNames) throws -> ErasedMentions {
    var mentions = ErasedMentions()
    for index in edits.indices.reversed() {
      let edit = edits[index]
      let left = names.left(of: edit.changes)
      if left == edit.changes { continue }
      for change in edit.changes.map(\.change) { mentions.note(change.names, names) }
      if left.isEmpty || !edit.isMadeAgain {
        try rows.outbox.delete(edit)
        edits.remove(at: index)
        before.remove(at: index)
      } else {
        edits[index].changes = left
      }
    }
    for section in names.sections.keys.sorted() where try overlay.sectionIndex(of: section) != nil {
      _ = try overlay.apply(.deleteSection(section)).get()
      mentions.note((nil, section), names)
    }
    for item in names.items.keys.sorted() where try overlay.location(of: item) != nil {
      _ = try overlay.apply(.deleteItem(item)).get()
      mentions.note((item, nil), names)
    }
    return mentions
  }

  /// Notes the server's answer to an edit; one that is not in the outbox is ignored.
  package mutating func note(_ answer: EditAnswer) {
    guard let index = edits.firstIndex(where: { $0.name == answer.edit && $0.state != .local })
    else { return }
    switch answer {
    case .taken: taken.insert(index)
    case .rejected(_, let why):
      edits[index].state = .rejected
      edits[index].undo = nil
      edits[index].why = why
      edits[index].found = nil
    }
  }

  /// Reapplies the edits that wait.
  ///
  /// `line`: The line that was applied, if there was one.
  package mutating func reapply(after line: FeedLine?) throws {
    if let line { try settlePages(after: line) } else { try applyPages() }
    let isWhole = line?.isReset == true || line?.isSnapshot == true
    if isWhole {
      // The server has made them already: the line, or one that is to come, has what it made of them.
      taken.formUnion(edits.indices.filter { edits[$0].state == .accepted })
    }
    for index in edits.indices where edits[index].isMadeAgain && !taken.contains(index) {
      let wasAside = edits[index].undo == nil
      switch try reapply(edits[index].changes) {
      case .success(let undo):
        edits[index].undo = undo
        edits[index].why = nil
        edits[index].found = nil
      case .failure(let conflict):
        edits[index].undo = nil
        edits[index].why = conflict.error.description
        edits[index].found = try found(instead: edits[index].changes, conflict)
        if line?.isReset == true || wasAside && line?.isSnapshot != true { continue }
        let isAside = isWhole || wasAside || edits[index].state == .accepted
        if !(edits[index].isOpen && isAside) { edits[index].state = .conflicted }
      }
    }
    if isWaiting { return }
    for index in edits.indices where edits[index].state == .local && edits[index].undo == nil {
      edits[index].state = .conflicted
    }
  }

  /// Whether an edit still waits for the server.
  private var isWaiting: Bool {
    edits.indices.contains { edits[$0].isOpen && !taken.contains($0) }
  }

  /// Reapplies an edit, without what it inserts and a page has brought: the server has taken that.
  private mutating func reapply(
    _ changes: [EditedChange]
  ) throws -> Result<[Change], EditConflict> {
    let whole = try overlay.reapply(changes)
    guard rows.hasPage else { return whole }
    var (rest, result) = (changes, whole)
    while case .failure(let conflict) = result, case .duplicateItem = conflict.error {
      rest.remove(at: conflict.index)
      result = try overlay.reapply(rest)
    }
    if case .success = result { return result }
    return whole
  }

  /// What the list has of that which a change names.
  private func found(instead changes: [EditedChange], _ conflict: EditConflict) throws -> JSON {
    let (item, section) = changes[conflict.index].change.names
    let path = try item.flatMap { try overlay.location(of: $0)?.path }
    let state = try path.flatMap { path in try item.map { try overlay.state(of: $0, at: path) } }
    let index = try section.flatMap { try overlay.sectionIndex(of: $0) }
    let attributes = try index.flatMap { index in
      try section.map { try overlay.attributes(ofSection: $0, at: index) }
    }
    let text = JSONWriter.object { writer in
      writer.member("change", conflict.index)
      if let item, let state {
        writer.member("item") { Item(id: item, state: state).write(to: &$0) }
      }
      if let section, let attributes {
        writer.member("section") {
          ListTree.Section(id: section, attributes: attributes).write(to: &$0)
        }
      }
    }
    return JSON(minified: text)
  }

  /// The changes that the list gets.
  package func changes() throws -> [Change] { try overlay.changes() }

  /// Writes the outbox, and the pages that are ahead.
  ///
  /// `isUnchanged`: Whether the list is as it was.
  package func save(isUnchanged: Bool) throws -> [EditOutcome] {
    for page in pages { try rows.pagesAhead.save(page) }
    rows.pagesAhead.isRebased = false
    var outcomes: [EditOutcome] = []
    let isWaiting = isWaiting
    for (index, edit) in edits.enumerated() {
      if taken.contains(index) {
        try rows.outbox.delete(edit)
        outcomes.append(.taken(before[index], isUnchanged: isUnchanged))
      } else if edit.state == .local, !isWaiting {
        try rows.outbox.delete(edit)
      } else if edit != before[index] {
        try rows.outbox.update(edit)
      }
      guard edit.state != before[index].state else { continue }
      outcomes.append(edit.state == .conflicted ? .conflicted(edit) : .rejected(edit))
    }
    return outcomes
  }
}

/// What became of an edit of the outbox.
package enum EditOutcome {
  /// The server has taken it: the row as it was, which is deleted.
  ///
  /// `isUnchanged`: Whether the list looks the same before and after.
  case taken(EditRow, isUnchanged: Bool)
  /// It does not fit the list any more.
  case conflicted(EditRow)
  /// The server has refused it.
  case rejected(EditRow)
}
