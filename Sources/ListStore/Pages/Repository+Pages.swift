import BatchUpdates
import Foundation
import GRDB
package import ListModel
import ListTables
package import Pages

// Pages of a server's list, for lists that load as one scrolls.
extension Repository {
  /// What is known of a gap, and of the moment at which a page for it is asked for.
  package struct PageQuestion: Equatable, Sendable {
    /// The list's revision.
    package fileprivate(set) var revision = 0
    /// How many resets the list's feed has had.
    fileprivate var epoch = 0
    /// The last edit that the server has taken; 0 for none.
    ///
    /// A page that is asked for now has it.
    package fileprivate(set) var lastAccepted = 0
    /// The edits that a page that is asked for now need not have.
    fileprivate var edits: [AskedEdit] = []
    /// The section of the gap; `nil` without one.
    package fileprivate(set) var section: SectionID?
    /// What the gap says; `nil` without one.
    package fileprivate(set) var gap: Gap?
    /// The items right above and right below it.
    package fileprivate(set) var above: ItemID?
    package fileprivate(set) var below: ItemID?

    /// The newest item that the server may know; `nil` if a gap is above it.
    fileprivate func newest(of rows: ListRows, at end: PageEnd) throws -> ItemID? {
      guard let index = try rows.sectionIndex(of: end.section) else { return nil }
      let count = try rows.itemCount(inSection: end.section, at: index)
      for distance in 0..<count {
        let path = ItemPath(
          section: index, item: end.isAtStart ? distance : count - 1 - distance)
        if try rows.isGap(at: path) { return nil }
        let item = try rows.itemID(at: path)
        // What waits for the server is not there yet, or not there any more.
        if !edits.contains(where: { $0.placed.contains(item) }) { return item }
      }
      return nil
    }
  }

  /// At which end of which section the newest items of a list stand.
  package struct PageEnd: Sendable {
    fileprivate var section: SectionID
    fileprivate var isAtStart: Bool

    package init(of section: SectionID, isAtStart: Bool) {
      (self.section, self.isAtStart) = (section, isAtStart)
    }
  }

  /// An edit that waits for its answer when a page is asked for.
  fileprivate struct AskedEdit: Equatable, Sendable {
    var name: String
    /// The items that it is about, and those that it inserts, moves or deletes.
    var items: Set<ItemID> = []
    var placed: Set<ItemID> = []

    init(_ edit: EditRow) {
      name = edit.name
      for change in edit.changes.map(\.change) + (edit.undo ?? []) {
        guard let item = change.names.item else { continue }
        items.insert(item)
        if change.places { placed.insert(item) }
      }
    }
  }

  /// What a page for a gap is to be asked for with.
  ///
  /// - Parameters:
  ///   - gap: The gap; `nil` for the newest page.
  ///   - list: The list.
  ///   - end: Where the newest items of the list stand; `nil` if no newest page is asked for.
  /// - Returns: `nil` if there is no such gap any more.
  /// - Throws: ``/ListModel/StoreError``
  package func pageQuestion(
    for gap: ItemID?, of list: ListID, newestAt end: PageEnd? = nil
  ) throws(StoreError) -> PageQuestion? {
    try read("read a gap of \"\(list)\"") { db in
      guard let rows = try ListRows(db, list) else { return gap == nil ? PageQuestion() : nil }
      var question = PageQuestion(
        revision: rows.revision, epoch: try rows.feed.head().epoch,
        lastAccepted: try rows.outbox.lastAccepted())
      if try rows.outbox.contents().hasWaiting {
        question.edits = try rows.outbox.edits()
          .filter { $0.state == .waiting || $0.state == .local }.map(AskedEdit.init)
      }
      guard let gap else {
        if let end, let newest = try question.newest(of: rows, at: end) {
          if end.isAtStart { question.below = newest } else { question.above = newest }
        }
        return question
      }
      guard let location = try rows.location(of: gap), try rows.isGap(at: location.path) else {
        return nil
      }
      func neighbour(_ distance: Int) throws -> ItemID? {
        let path = ItemPath(
          section: location.path.section, item: location.path.item + distance)
        let count = try rows.itemCount(inSection: location.section, at: path.section)
        guard 0..<count ~= path.item else { return nil }
        return try rows.itemID(at: path)
      }
      question.section = location.section
      question.gap = try? Gap(rows.state(of: gap, at: location.path).content)
      (question.above, question.below) = (try neighbour(-1), try neighbour(1))
      return question
    }
  }

  /// An item near a gap.
  ///
  /// - Parameters:
  ///   - gap: The gap.
  ///   - list: The list.
  ///   - distance: 1 for the item right above, 2 for the one above that; −1 for the one right below.
  /// - Returns: `nil` if there is none, or another gap is between.
  /// - Throws: ``/ListModel/StoreError``
  package func item(
    near gap: ItemID, of list: ListID, atDistance distance: Int
  ) throws(StoreError) -> ItemID? {
    try read("read the items around a gap of \"\(list)\"") { db in
      guard let rows = try ListRows(db, list), let location = try rows.location(of: gap) else {
        return nil
      }
      let count = try rows.itemCount(inSection: location.section, at: location.path.section)
      var path = location.path
      for _ in 0..<abs(distance) {
        path.item -= distance.signum()
        guard 0..<count ~= path.item, try !rows.isGap(at: path) else { return nil }
      }
      return try rows.itemID(at: path)
    }
  }

  /// How many gaps a list has; 0 for one that is not there.
  package func gapCount(of list: ListID) throws(StoreError) -> Int {
    try read("count the gaps of \"\(list)\"") { db in try ListRows(db, list)?.gapCount() ?? 0 }
  }

  /// The gaps of a list, in their order.
  package func gaps(of list: ListID) throws(StoreError) -> [ItemID] {
    try read("look for the gaps of \"\(list)\"") { db in
      try ListRows(db, list)?.gaps().map(\.id) ?? []
    }
  }

  /// Whether a list has had a page since its feed was last reset, or has gaps that say what it lacks.
  package func hasPage(_ list: ListID) throws(StoreError) -> Bool {
    try read("look for pages of \"\(list)\"") { db in
      guard let rows = try ListRows(db, list) else { return false }
      return try rows.gapCount() > 0 || rows.hasPage
    }
  }

  /// Whether a list has an item.
  package func hasItem(_ item: ItemID, in list: ListID) throws(StoreError) -> Bool {
    try read("look for an item of \"\(list)\"") { db in
      try ListRows(db, list)?.items.find(item) != nil
    }
  }

  /// What came of a page.
  package enum PageAnswer {
    /// It is in the list; the commit is `nil` if that stays as it is.
    case taken(PageMerge.Outcome, Commit?)
    /// It is not in the list.
    case refused(AskedPage.Refusal)
  }

  /// Puts a page into a list as a server has it, below the edits that wait for the server.
  ///
  /// One write transaction. The commit is none that a user undoes.
  ///
  /// - Parameters:
  ///   - page: The page.
  ///   - list: The list; made if there is none.
  ///   - owner: The item that owns it.
  ///   - question: What was known when the server was asked.
  ///   - limit: How much the list keeps; `nil`: all.
  ///   - inSight: What screens show: it stays.
  /// - Returns: What came of it.
  /// - Throws: ``/ListModel/StoreError``
  package func take(
    _ page: AskedPage, into list: ListID, ownedBy owner: ListOwner?,
    askedWith question: PageQuestion, keeping limit: Page.Limit? = nil, inSight: Set<ItemID> = []
  ) throws(StoreError) -> PageAnswer {
    // Where screens stand.
    try saveScreens()
    let attempt = "add a page to \"\(list)\""
    var taken = Taken()
    var refusal: AskedPage.Refusal?
    let outcome: PageMerge.Outcome
    do throws(StoreError) {
      outcome = try write(attempt) { transaction in
        do {
          let outcome: PageMerge.Outcome
          (outcome, taken) = try take(
            page, into: rowsToCommit(transaction, list, ownedBy: owner), askedWith: question,
            keeping: limit, inSight: inSight)
          return outcome
        } catch let error as AskedPage.Refusal {
          refusal = error
          // Nothing is written of it.
          throw error
        }
      }
    } catch {
      if let refusal { return .refused(refusal) }
      throw error
    }
    taken.report(to: self)
    if taken.commit == nil, !taken.outcomes.isEmpty { outboxSignals.noteProgress(of: list) }
    return .taken(outcome, taken.commit)
  }

  private func take(
    _ page: AskedPage, into rows: ListRows, askedWith question: PageQuestion,
    keeping limit: Page.Limit?, inSight: Set<ItemID>
  ) throws -> (PageMerge.Outcome, Taken) {
    var page = page
    let sequence = page.page.sequence
    // A reset begins another list: what was said of the one before is no part of it.
    guard question.epoch == (try rows.feed.head().epoch) else {
      throw AskedPage.Refusal.outdated
    }
    var changed = AskedPage.ChangedItems()
    // No range: a file may have a floor beyond its revision.
    let isLogged = question.revision >= rows.logFloor && question.revision <= rows.revision
    if let sequence {
      if sequence < rows.feed.sequence { throw AskedPage.Refusal.outdated }
    } else {
      guard isLogged else { throw AskedPage.Refusal.outdated }
      // Its feed may tell later what the page has already.
      try rows.settlePagesAhead()
      rows.pageSequence = .max
    }
    if isLogged, question.revision < rows.revision, sequence == nil || question.gap == nil {
      for commit in try rows.commits(in: question.revision + 1...rows.revision) {
        changed.note(commit, tellsAge: sequence != nil)
      }
    }
    if sequence == nil, !question.edits.isEmpty {
      // Those that are not there any more were made before the page was asked for, and answered since: no
      // commit of that time tells of them, and the page may not know them.
      let left = Set(try rows.outbox.edits().map(\.name))
      for edit in question.edits where !left.contains(edit.name) { changed.note(edit) }
    }
    try rows.updatePageEnds()
    // Where no feed brings them, the pages do.
    let settled =
      try sequence == nil && rows.feed.lastLine() == nil
      ? rows.outbox.settle(upTo: question.lastAccepted) : []
    var rebase = try Rebase(rows, beforePagesAfter: sequence ?? .max)
    if !rebase.isExact { note("editMismatch") }
    let outcome = try rebase.add(&page, changed)
    if let limit { try rebase.trim(for: page, to: limit, inSight: inSight) }
    try rebase.reapply(after: nil)
    let net = try rebase.changes()
    let taken = Taken(
      commit: net.isEmpty
        ? nil : try commit(net, to: rows, by: .pages, time: WallClock.now, feed: nil),
      outcomes: try settled.map {
        try EditOutcome.taken($0, isUnchanged: true).outcome(of: rows.list)
      } + rebase.save(isUnchanged: net.isEmpty).map { try $0.outcome(of: rows.list) })
    if net.isEmpty { try rows.save() }
    try rows.updatePageEnds(with: page.page.ends)
    return (outcome, taken)
  }

  // MARK: One Repository asks

  /// Notes that this Repository loads a page, so that no other one asks for it meanwhile: one of another
  /// process, mostly.
  ///
  /// - Parameters:
  ///   - gap: The gap; `nil` for the newest page.
  ///   - edge: Its edge.
  ///   - list: The list.
  ///   - duration: How long, in seconds, unless it is said again.
  /// - Returns: `false` if another one loads it.
  /// - Throws: ``/ListModel/StoreError``
  package func beginPage(
    for gap: ItemID?, _ edge: String, of list: ListID, lasting duration: Double
  ) throws(StoreError) -> Bool {
    try write("note a page of \"\(list)\"") { transaction in
      // Without a row, nobody can show the list.
      guard let rows = try transaction.rows(list) else { return true }
      let now = WallClock.now
      let statements = transaction.statements
      try statements("DELETE FROM pageRequest WHERE until < ? OR until > ?")
        .run(now, now + Self.longestPage)
      let insert = try statements(
        """
        INSERT INTO pageRequest (list, gap, edge, process, until) VALUES (?, ?, ?, ?, ?)
        ON CONFLICT DO UPDATE SET until = excluded.until WHERE process = excluded.process
        """
      )
      try insert.run(
        rows.id, gap?.rawValue ?? "", edge, pageLoaderName, now + Int(duration * 1_000))
      return insert.changeCount > 0
    }
  }

  /// Notes that a page was loaded, or was given up.
  package func endPage(
    for gap: ItemID?, _ edge: String, of list: ListID
  ) throws(StoreError) {
    try write("note a page of \"\(list)\"") { transaction in
      guard let rows = try transaction.rows(list) else { return }
      try transaction.statements(
        "DELETE FROM pageRequest WHERE list = ? AND gap = ? AND edge = ? AND process = ?"
      ).run(rows.id, gap?.rawValue ?? "", edge, pageLoaderName)
    }
  }

  /// More than that, in milliseconds, nobody asks for at once: a clock was wrong.
  private static let longestPage = 600_000
}

extension AskedPage.ChangedItems {
  /// Notes an edit that the list has had as the server's own since.
  fileprivate mutating func note(_ edit: Repository.AskedEdit) {
    all.formUnion(edit.items)
    movedByOthers.formUnion(edit.placed)
  }

  fileprivate mutating func note(_ commit: Commit, tellsAge: Bool) {
    for entry in commit.entries {
      if !tellsAge { all.formUnion(entry.items) }
      if commit.author != .pages, entry.places {
        if !tellsAge { movedByOthers.formUnion(entry.items) }
      } else if case .insertItem(let item, _) = entry, commit.author == .pages {
        loaded.insert(item.id)
      }
    }
  }
}

extension Author {
  /// A page of a server.
  package static let pages: Author = "pages"
}

extension Change {
  /// Whether it changes where an item stands.
  fileprivate var places: Bool {
    switch self {
    case .insertItem, .deleteItem, .moveItem: true
    case .updateItem, .touchItem, .updateList, .insertSection, .deleteSection, .moveSection,
      .updateSection:
      false
    }
  }
}

extension LogEntry {
  /// Whether it changes where items stand.
  fileprivate var places: Bool {
    switch self {
    case .insertItem, .deleteItem, .moveItem, .deleteSection: true
    case .updateItem, .touchItem, .updateList, .insertSection, .moveSection, .updateSection: false
    }
  }

  /// The items that it is about.
  fileprivate var items: [ItemID] {
    switch self {
    case .insertItem(let item, _), .deleteItem(let item, _): [item.id]
    case .moveItem(let id, _, _), .updateItem(let id, _, _, _), .touchItem(let id, _): [id]
    case .deleteSection(let section, _): section.items.map(\.id)
    case .updateList, .insertSection, .moveSection, .updateSection: []
    }
  }
}
