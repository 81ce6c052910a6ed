import Foundation
import GRDB
import ListItems
import ListModel
import ListTables
import StoreFiles

extension Repository {
  /// What a transaction that erases has made of one list.
  private struct ErasedPart {
    var names: ErasedNames
    var taken: Taken
    /// The list's last revision before, and its chain hash then and now.
    var head: (revision: Int, former: UInt64, chain: UInt64)
    /// The lists that erased items own.
    var owned: [ListID]
  }

  /// Takes things out of the rows and the log, in one write transaction.
  func eraseRows(
    of things: [Erasable], by author: Author, _ erased: inout Erased
  ) throws(StoreError) {
    let wholeLists = Set(things.filter { $0 == .list($0.list) }.map(\.list))
    let (parts, lists, files) = try write("erase") { transaction in
      var parts: [ListID: ErasedPart] = [:]
      for list in Set(things.map(\.list)).sorted() {
        let rows = try rows(transaction, list)
        if wholeLists.contains(list) { continue }
        parts[list] = try erase(things.filter { $0.list == list }, of: rows, by: author)
      }
      // Drafts have what no commit takes out of them; they are begun anew.
      let drafts = try transaction.statements.derivedLists()
        .filter { $0.isUnfinished && parts[$0.source] != nil }.map(\.list)
      let lists = try transaction.delete(
        wholeLists.sorted() + parts.values.flatMap(\.owned) + drafts)
      if !lists.isEmpty { try transaction.deleteUnusedAuthors() }
      // From here on it must be finished, whatever happens.
      try ErasingMark(of: filePath).make()
      let files = try LeftEditFiles(folder: EditFolder(for: file).url)
        .deleteOthers(naming: lists, parts.mapValues(\.names))
      return (parts, lists, files)
    }
    for (list, part) in parts.sorted(by: { $0.key < $1.key }) {
      erased.itemCount += part.names.items.count
      erased.sectionCount += part.names.sections.count
      if let commit = part.taken.commit { erased.commits.append(commit) }
      recentCommits.forget(
        list, at: part.head.revision, formerly: part.head.former, now: part.head.chain)
      part.taken.report(to: self)
    }
    erased.lists = lists.filter { !$0.isHidden }
    erased.deletedFiles += files
    didDelete(lists)
  }

  private func erase(
    _ things: [Erasable], of rows: ListRows, by author: Author
  ) throws -> ErasedPart {
    try rows.checkHead()
    var (items, sections): (Set<ItemID>, Set<SectionID>) = ([], [])
    for thing in things {
      switch thing {
      case .item(let item, _): items.insert(item)
      case .section(let section, _): sections.insert(section)
      case .list: break
      }
    }
    let names = ErasedNames(
      items: items.union(try rows.itemsLast(in: sections)), sections: sections)
    forgetWaitingScreens(of: rows.list, naming: names)
    let owned = try rows.ownedLists.lists(ownedBy: names.items.keys)
    let before = (revision: rows.revision, chain: rows.chain)
    // They may hold some of what is erased.
    try rows.settlePagesAhead()
    var rebase = try Rebase(rows)
    if !rebase.isExact { note("editMismatch") }
    var mentions = try rebase.erase(names)
    try rebase.reapply(after: nil)
    let net = try rebase.changes()
    var commit = try commit(net, to: rows, by: author, time: WallClock.now, feed: nil)
    let outcomes = try rebase.save(isUnchanged: net.isEmpty)
    mentions.add(try rows.eraseFromLog(names))
    try rows.deleteLogsOfDerivedLists(naming: names)
    commit = commit.proven(
      CommitProof(
        chain: rows.chain, digest: rows.digest, neighbours: commit.proof?.neighbours ?? []))
    let unknown = items.subtracting(mentions.items).subtracting(owned.keys).min()
    if let unknown { throw neverThere("item \"\(unknown)\"", .unknownItem(unknown), rows) }
    if let unknown = sections.subtracting(mentions.sections).min() {
      throw neverThere("section \"\(unknown)\"", .unknownSection(unknown), rows)
    }
    return ErasedPart(
      names: names,
      taken: Taken(commit: commit, outcomes: try outcomes.map { try $0.outcome(of: rows.list) }),
      head: (before.revision, before.chain, try rows.chain(at: before.revision)),
      owned: owned.values.flatMap(\.self))
  }

  private func neverThere(_ what: String, _ error: ChangeError, _ rows: ListRows) -> StoreError {
    StoreError(
      StoreError.Code(error),
      "nothing was erased: list \"\(rows.list)\" has no \(what), and its log names none"
        + "\(rows.hint(for: error)). If it was there long ago, erase without naming anything: that "
        + "deletes what free pages and backups may still hold",
      file: filePath)
  }

  /// Keeps the states of screens that wait to be saved from naming what is erased.
  private func forgetWaitingScreens(of list: ListID, naming names: ErasedNames) {
    pendingScreens.withValue { screens in
      for (screen, state) in screens where screen.list == list {
        let items = state.selection.items.filter { names.items[$0] == nil }
        screens[screen]?.selection = ItemSelection(state.selection.mode, items)
        if let anchor = state.anchor, names.items[anchor.item] != nil {
          screens[screen]?.anchor = nil
        }
      }
    }
  }
}

extension WriteTransaction {
  /// Deletes authors of whom there is no commit and no edit any more.
  fileprivate func deleteUnusedAuthors() throws {
    try statements(
      """
      DELETE FROM author WHERE id NOT IN (
        SELECT author FROM listCommit UNION ALL SELECT author FROM pendingEdit)
      """
    ).run()
    statements.forget()
  }
}

extension LeftEditFiles {
  /// Deletes edits that were put aside, and those that killed writers have left, if they name
  /// something that is erased.
  ///
  /// - Returns: These files.
  fileprivate func deleteOthers(
    naming lists: Set<ListID>, _ names: [ListID: ErasedNames]
  ) throws -> [URL] {
    let texts = Set(
      lists.map(\.rawValue)
        + names.values.flatMap { names in
          names.items.keys.map(\.rawValue) + names.sections.keys.map(\.rawValue)
        })
    var deleted: [URL] = []
    for file in try othersFiles() {
      guard let bytes = try? Data(contentsOf: file) else { continue }
      let isNaming: Bool
      do throws(FormatError) {
        let edit = try LeftEdit(parsing: [UInt8](bytes))
        isNaming = lists.contains(edit.list) || names[edit.list]?.areNamed(by: edit) == true
      } catch {
        // Torn, or no edit: whatever it is, it must not hold an id.
        isNaming = texts.contains { bytes.range(of: Data(JSONWriter.quotedUTF8($0))) != nil }
      }
      guard isNaming else { continue }
      try FileManager.default.removeItem(at: file)
      deleted.append(file)
    }
    return deleted
  }
}

extension ErasedNames {
  fileprivate func areNamed(by edit: LeftEdit) -> Bool {
    let changes = edit.changes.map { EditedChange($0.named) }
    return left(of: changes) != changes
  }
}
