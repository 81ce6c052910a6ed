package import DerivedLists
import Foundation
import GRDB
package import ListModel
package import ListTables
package import Providers
import StoreFiles
import StoreSchema

extension Repository {
  /// The derived lists, in the order of their definitions.
  package func derivedLists() throws(StoreError) -> [DerivedListRow] {
    try read("read the derived lists") { db in
      try Statements(db).derivedLists().filter { !$0.list.isHidden }
    }
  }

  /// How many commits of its source each derived list has not followed that is behind.
  package func lagsOfDerivedLists() throws(StoreError) -> [String: Int] {
    try read("read the derived lists") { try Statements($0).lagsOfDerivedLists() }
  }

  /// The lists that are edited: a derived one follows its source.
  func editedLists() throws(StoreError) -> [ListID] {
    try read("read the lists") { db in
      let derived = Set(try Statements(db).derivedLists().map(\.list))
      return try lists(db).filter { !derived.contains($0) }
    }
  }

  /// The revision of its source that a revision of a derived list follows; `nil` for a list that is not
  /// derived, and where the log does not say.
  package func sourceRevision(of list: ListID, at revision: Int) throws(StoreError) -> Int? {
    try read("read the log of \"\(list)\"") { db in
      try Statements(db).sourceRevision(of: list, at: revision)
    }
  }

  /// Defines derived lists, or others under their ids, and makes them what they are to be.
  ///
  /// If one of them can't be, none is. A long one is made in slices first, which keep nobody out for long:
  /// see ``/ListTables/DerivedDraft``. Then one write transaction puts all in their places.
  ///
  /// - Parameters:
  ///   - definitions: What is defined, and on what line of a file it stands.
  ///   - file: The file's name, for errors.
  ///   - closures: Those that the definitions name; the Repository keeps them.
  ///   - author: The author of the commits that make them.
  ///   - progress: Is told how much of a long list is made, from 0 to 1.
  /// - Throws: `StoreError` with ``/ListModel/StoreError/Code/duplicateID`` for the id of a list that
  ///   is not derived, and ``/ListModel/StoreError/Code/invalidValue`` for lists that are derived from
  ///   each other in a circle.
  package func define(
    _ definitions: [(definition: DerivedDefinition, line: Int)], from file: String? = nil,
    closures: [ComputedField: ComputedField.Closure] = [:], by author: Author = .app,
    progress: (Double) -> Void = { _ in }
  ) throws(StoreError) {
    keep(closures)
    // An app defines its lists at each launch: mostly they are there.
    let (plan, hasFormer): (DerivedPlan?, Bool) = try read("read the derived lists") { db in
      let statements = self.statements(db)
      let hasFormer = try statements.derivedLists().contains(where: \.isFormer)
      if try statements.have(definitions.map(\.definition), toRead: isReadOnly) {
        return (nil, hasFormer && !isReadOnly)
      }
      return (try DerivedPlan(definitions, in: .init(statements), file: file), hasFormer)
    }
    // Of a process that has ended.
    if hasFormer { scheduleDeletionOfFormerLists() }
    guard let plan else { return }
    // First, because they find the items of the lists.
    try fillSearchIndexes(for: definitions.map(\.definition))
    // The lists whose drafts are to take their places.
    var drafted: Set<ListID> = []
    for definition in plan.made {
      let source = definition.source
      guard plan.given[definition.list] != nil || drafted.contains(source) else { continue }
      // What is begun anew is no step back.
      var made = 0.0
      let isDraft = try makeDraft(
        definition, of: drafted.contains(source) ? DerivedListRow.draft(of: source) : source,
        ordinal: plan.ordinals[definition.list] ?? 0, by: author
      ) { part in
        made = max(made, part)
        progress(made)
      }
      if made > 0, made < 1 { progress(1) }
      // Of one with a limit it is the draft of its hidden list.
      if isDraft, definition.limit == nil { drafted.insert(definition.list) }
    }
    let (commits, replaced) = try write("define derived lists") { transaction in
      let plan = try DerivedPlan(definitions, in: .init(transaction.statements), file: file)
      var commits: [DerivedCommit] = []
      var replaced: [ListID] = []
      // Those of short lists, and what is left.
      try transaction.statements.makeSearchIndexes(for: definitions.map(\.definition))
      for definition in plan.made where plan.given[definition.list] != nil {
        commits += try transaction.define(definition, in: plan, by: author, &replaced)
      }
      commits += try transaction.statements.catchUpDerivedLists(by: author, time: WallClock.now)
      try transaction.statements.dropUnusedSearchIndexes()
      return (commits, replaced)
    }
    for commit in commits { didCommit(commit.commit) }
    try didReplace(replaced)
  }

  /// Checks files of definitions, as if each were defined after those before it, and changes nothing.
  ///
  /// - Parameters:
  ///   - files: Their names, and the definitions with their lines.
  ///   - repository: The store that they are for; `nil` if it is not there yet.
  /// - Returns: The ids of all derived lists that there would be.
  /// - Throws: `StoreError` as ``define(_:from:closures:by:progress:)``.
  @discardableResult
  package static func requireDefinable(
    _ files: [(name: String, definitions: [(definition: DerivedDefinition, line: Int)])],
    in repository: Repository?
  ) throws(StoreError) -> Set<ListID> {
    func check(_ lists: DerivedPlan.Lists) throws -> Set<ListID> {
      var lists = lists
      for file in files {
        lists.definitions =
          try DerivedPlan(file.definitions, in: lists, file: file.name).definitions
      }
      return Set(lists.definitions.keys)
    }
    if let repository {
      return try repository.read("read the derived lists") { try check(.init(Statements($0))) }
    }
    do { return try check(DerivedPlan.Lists()) } catch {
      throw .wrap(error, attempt: "check definitions", file: files.first?.name ?? "")
    }
  }

  /// Keeps closures for the transactions from now on; those of an earlier version go.
  private func keep(_ closures: [ComputedField: ComputedField.Closure]) {
    if closures.isEmpty { return }
    let lists = Set(closures.keys.map(\.list))
    writer.closures.withValue { kept in
      kept = kept.filter { !lists.contains($0.key.list) }
      kept.merge(closures) { $1 }
    }
  }

  /// Brings the derived lists up to date that processes without their closures have left behind.
  package func catchUpDerivedLists() throws(StoreError) {
    if isReadOnly { return }
    let areBehind = try read("read the derived lists") { db in try statements(db).canCatchUp() }
    guard areBehind else { return }
    let commits = try write("bring derived lists up to date") { transaction in
      try transaction.statements.catchUpDerivedLists(by: .app, time: WallClock.now)
    }
    for commit in commits { didCommit(commit.commit) }
  }

  /// The statements of a connection that reads, with the closures that the app has.
  func statements(_ db: Database) -> Statements {
    let statements = Statements(db)
    statements.closures = writer.closures.withValue { $0 }
    return statements
  }

  /// A list as a definition makes it of another one, without a limit's hidden list or anything else
  /// that is written.
  ///
  /// One read transaction, at the newest revision.
  ///
  /// - Parameters:
  ///   - definition: The definition.
  ///   - closures: Those that it names.
  ///   - number: Says which definition it is.
  ///   - known: What the last definition of the same source has left, and the next one takes.
  /// - Returns: The list.
  /// - Throws: `StoreError` if the store can't be read.
  package func provider(
    for definition: DerivedDefinition, _ closures: [ComputedField: ComputedField.Closure] = [:],
    number: Int, knowing known: KnownOrder = KnownOrder()
  ) throws(StoreError) -> Provider {
    let list = definition.source
    let snapshot = try pin()
    let source: Provider
    do throws(StoreError) { source = try provider(for: list, in: snapshot) } catch {
      guard error.code == .listNotFound else { throw error }
      return Provider(ListTree(list: list))
    }
    let sections = try read("read \"\(list)\"", in: snapshot) { db in
      let rows = try rows(db, list)
      rows.statements.closures = closures
      let position = try rows.position()
      // A derived list can get other rows for its items without a commit, and so can any from another
      // program.
      let isDerived = try rows.statements("SELECT 1 FROM derivedList WHERE list = ?")
        .first(rows.id) { try $0.integer(0) }
      let isKept = try isDerived == nil && !rows.isBypassed()
      var order = isKept ? known.order(of: list, at: position) : nil
      let sections = try rows.sections(definition, in: &order)
      if isKept, let order { known.keep(order, of: list, at: position) }
      return sections
    }
    return Provider(selecting: sections, of: source, number: number)
  }

  /// Takes all derived lists out of a store that is repaired: what they have is made of their sources.
  ///
  /// So is a list that was derived and has lost its definition: nothing would keep it up to date, and
  /// it would be in the way of whoever defines it again.
  ///
  /// - Returns: What to define again, in its order, as far as it can be read; and the lists that were
  ///   deleted, hidden ones left out.
  package func takeOutDerivedLists() throws(StoreError) -> (
    definitions: [DerivedDefinition], lists: Set<ListID>
  ) {
    try write("take out derived lists") { transaction in
      let statements = transaction.statements
      var definitions: [DerivedDefinition] = []
      var lists = Set(try statements.listsWithoutDefinition())
      try statements(
        """
        SELECT name, definition, list.revision = 0 OR EXISTS (SELECT 1 FROM listCommit
          WHERE list = list.id AND revision > list.revision - 64 AND sourceRevision IS NOT NULL),
          coalesce(part IN ('draft', 'made'), 0)
        FROM derivedList JOIN list ON list.id = derivedList.list ORDER BY ordinal
        """
      ).forEach { row in
        let list = try ListID(stored: row.text(0))
        let definition = try? DerivedDefinition(parsing: Array(row.text(1).utf8))
        // A damaged row may be that of a list which is not derived.
        if try definition?.list == list || list.isHidden || row.integer(2) != 0 {
          lists.insert(list)
        }
        if let definition, try row.integer(3) == 0,
          !definitions.contains(where: { $0.list == definition.list })
        {
          definitions.append(definition)
        }
      }
      try statements("DELETE FROM derivedList").run()
      // Whatever they were, they have borrowed what they name, and are deleted as such lists.
      for list in lists {
        try statements(
          """
          INSERT INTO derivedList (list, source, ordinal, part, definition)
          SELECT id, char(0) || 'none', 0, 'all', '{"derived":"list","of":"source"}' FROM list WHERE name = ?
          """
        ).run(list.rawValue)
      }
      statements.forgetDerivedLists()
      if !lists.isEmpty { _ = try transaction.delete(Array(lists)) }
      try statements("DELETE FROM borrowedItem").run()
      try statements("DELETE FROM derivedValue").run()
      try statements("DELETE FROM keptContent").run()
      return (definitions, lists.filter { !$0.isHidden })
    }
  }

  /// Drops a derived list, and those that are derived from it.
  ///
  /// - Returns: All of them.
  /// - Throws: `StoreError` with ``/ListModel/StoreError/Code/listNotFound`` if there is no derived
  ///   list of the id.
  @discardableResult
  package func dropDerived(_ list: ListID) throws(StoreError) -> Set<ListID> {
    let deleted = try write("drop \"\(list)\"") { transaction in
      guard try transaction.statements.derivedList(list) != nil else {
        throw StoreError(.listNotFound, "no derived list has the id \"\(list)\"", file: filePath)
      }
      return try transaction.delete([list, DerivedListRow.draft(of: list)])
    }
    didDelete(deleted)
    return deleted.filter { !$0.isHidden }
  }
}

extension Statements {
  /// Whether lists are defined so, and the full-text indexes of their searches are there.
  ///
  /// `isRead`: Whether nothing can be written: then the lists are shown as they are.
  fileprivate func have(_ definitions: [DerivedDefinition], toRead isRead: Bool) throws -> Bool {
    let known = try derivedLists()
    if isRead {
      return definitions.allSatisfy { definition in
        known.contains {
          $0.list == definition.list && $0.definition.json == definition.json
        }
      }
    }
    return try definitions.allSatisfy { definition in
      known.contains { $0.list == definition.list && $0.has(definition) }
    } && missingSearchIndexes(for: definitions).isEmpty && !canCatchUp()
  }
}
