package import DerivedLists
import GRDB
package import ListModel

/// A derived list of a store: a row of `derivedList`.
package struct DerivedListRow: Sendable {
  /// The id of the list that is made.
  package var list: ListID
  /// The id of the list that it is made of.
  package var source: ListID
  /// Its place among the definitions.
  package var ordinal: Int
  /// What of the definition it is.
  package let part: Part
  /// What was defined.
  package let definition: DerivedDefinition
  /// The rule that makes this part of the list it is made of.
  let rule: DerivedDefinition
  /// The system that has ordered the list, if strings are compared as people of a region expect it; others
  /// may have another order.
  let collation: String?
  /// The values that closures compute; none for the first items of another list.
  let computedFields: Set<ComputedField>
  /// The revision of its source that it follows, if it is behind; `nil`: it is up to date.
  ///
  /// A process without the closures of its definition has changed the source since. 0: only deriving it
  /// anew tells what it is to be.
  package var followedRevision: Int?

  package init(
    list: ListID, source: ListID, ordinal: Int, part: Part, definition: DerivedDefinition,
    collation: String? = SystemCollation.name
  ) {
    self.list = list
    self.source = source
    self.ordinal = ordinal
    self.part = part
    self.definition = definition
    rule = Self.rule(of: definition, part)
    computedFields = part == .first ? [] : definition.computedFields
    self.collation = definition.sort.contains(where: \.isLocalized) ? collation : nil
  }

  /// What a list is of its definition.
  ///
  /// One with a limit is two lists, so that the item which comes in when another goes out need not be
  /// searched for.
  package enum Part: String, Sendable {
    /// All of it: there is no limit.
    case all
    /// It without the limit; nobody sees this list.
    case whole
    /// The first items of the whole one.
    case first
    /// A list that is being made, or deleted, in slices; nobody sees it: see ``DerivedDraft``.
    case draft
    /// A draft that has all items, and waits to take the list's place.
    case made

    /// Whether nobody sees the list, and no commit is followed but for what that takes out of the source.
    package var isDraft: Bool { self == .draft || self == .made }
  }

  private static func rule(of definition: DerivedDefinition, _ part: Part) -> DerivedDefinition {
    var rule = definition
    rule.limit = nil
    guard part == .first else { return rule }
    rule.limit = definition.limit
    rule.conditions = []
    rule.sort = []
    rule.sections =
      switch definition.sections {
      case .one: .ofSource(keepsEmpty: true)
      case .ofSource(let keepsEmpty): .ofSource(keepsEmpty: keepsEmpty)
      case .byValue: .ofSource(keepsEmpty: false)
      }
    return rule
  }
}

extension DerivedListRow {
  /// The id of the list that has all items of one with a limit.
  package static func whole(of list: ListID) -> ListID {
    // A name that fits, whatever the list's is.
    ListID(hidden: "whole \(String(list.stableHash, radix: 16))")
  }

  /// Whether it is in this system's order.
  var isInOrderHere: Bool { collation == nil || collation == SystemCollation.name }

  /// Whether it is a draft that is being filled: items of it have no rows that tell their places.
  package var isUnfinished: Bool { part == .draft && !isFormer }

  /// Whether the list is what a definition asks for, in this system's order.
  package func has(_ definition: DerivedDefinition) -> Bool {
    self.definition.json == definition.json && isInOrderHere
  }
}

extension DerivedListRow {
  /// A derived list from a row of its name, source, ordinal, part, definition, the revision that it follows,
  /// and its collation.
  init(_ row: StatementRow) throws {
    let ordinal = try row.integer(2)
    guard let part = Part(rawValue: try row.text(3)), 0..<1 << 40 ~= ordinal else {
      throw DatabaseError.corrupt("a derived list has an unknown part or place")
    }
    self.init(
      list: try ListID(stored: row.text(0)), source: try ListID(stored: row.text(1)),
      ordinal: ordinal, part: part,
      definition: try row.withBytes(4) { try DerivedDefinition(parsing: Array($0)) },
      collation: try row.textIfPresent(6))
    followedRevision = try row.integerIfPresent(5)
  }

  /// A list that is derived from itself, by way of others; `nil` if none is.
  static func circle(in lists: [DerivedListRow]) -> ListID? {
    let sources = Dictionary(lists.map { ($0.list, $0.source) }, uniquingKeysWith: { $1 })
    var known: Set<ListID> = []
    for list in lists.map(\.list) {
      var path: Set<ListID> = []
      var next = list
      while let source = sources[next], !known.contains(next) {
        if !path.insert(next).inserted { return next }
        next = source
      }
      known.formUnion(path)
    }
    return nil
  }
}

extension Statements {
  /// All derived lists of the store, in the order of their definitions.
  ///
  /// - Throws: `SQLITE_CORRUPT` or `FormatError` if one can't be read, or is derived from itself.
  package func derivedLists() throws -> [DerivedListRow] {
    if let known = memory.derivedLists { return known }
    var found: [DerivedListRow] = []
    try self(
      """
      SELECT name, source, ordinal, part, definition, followedRevision, collation
      FROM derivedList JOIN list ON list.id = list ORDER BY ordinal, part DESC
      """
    ).forEach { found.append(try DerivedListRow($0)) }
    if let list = DerivedListRow.circle(in: found) {
      throw DatabaseError.corrupt("list \"\(list)\" is derived from itself")
    }
    memory.derivedLists = found
    return found
  }

  /// What a list is made of; `nil` for a list that is not derived.
  package func derivedList(_ list: ListID) throws -> DerivedListRow? {
    try derivedLists().first { $0.list == list }
  }
}

extension Statements {
  /// Notes what a list is made of.
  package func insert(_ derived: DerivedListRow, row: Int) throws {
    try self(
      """
      INSERT INTO derivedList (list, source, ordinal, part, definition, collation)
      VALUES (?, ?, ?, ?, ?, ?)
      """
    ).run(
      row, derived.source.rawValue, derived.ordinal, derived.part.rawValue,
      derived.definition.json.text, derived.collation)
    memory.derivedLists = nil
  }

  /// Forgets what a list is made of; its rows stay.
  package func forgetDerived(_ row: Int) throws {
    try self("DELETE FROM derivedList WHERE list = ?").run(row)
    memory.derivedLists = nil
  }

  /// Forgets what was read of the derived lists, some of which are deleted.
  package func forgetDerivedLists() { memory.derivedLists = nil }

  /// The revision of its source that a commit of a derived list follows; `nil` if the log has none.
  package func sourceRevision(of list: ListID, at revision: Int) throws -> Int? {
    try self(
      """
      SELECT sourceRevision FROM listCommit JOIN list ON list.id = list
      WHERE name = ? AND listCommit.revision = ?
      """
    ).first(list.rawValue, revision) { try $0.integerIfPresent(0) } ?? nil
  }

  /// The revision of its source that a derived list follows; 0 before its first commit.
  package func sourceRevision(of list: ListID) throws -> Int {
    try self(
      """
      SELECT sourceRevision FROM list JOIN listCommit ON listCommit.list = list.id
        AND listCommit.revision = list.revision WHERE name = ?
      """
    ).first(list.rawValue) { try $0.integerIfPresent(0) ?? 0 } ?? 0
  }
}

/// The list that owns the items of a derived one.
struct ItemOwner {
  var list: ListID
  var row: Int
}

extension Statements {
  /// Whether the store has derived lists.
  func hasDerivedLists() throws -> Bool { try !itemOwners().isEmpty }

  /// The list that owns the items of a derived list; `nil` for a list that is not derived.
  ///
  /// `list`: Its row.
  func owner(ofItemsIn list: Int) throws -> ItemOwner? { try itemOwners()[list] }

  /// The owners of all derived lists, by the rows of those.
  ///
  /// No definition is read: one may be damaged.
  private func itemOwners() throws -> [Int: ItemOwner] {
    if let known = memory.itemOwners { return known }
    var (rows, sources) = ([Int: ListID](), [ListID: ListID]())
    try self("SELECT id, name, source FROM derivedList JOIN list ON list.id = list").forEach {
      let list = try ListID(stored: $0.text(1))
      rows[try $0.integer(0)] = list
      sources[list] = try ListID(stored: $0.text(2))
    }
    if rows.isEmpty { memory.derivedLists = [] }
    var owners: [Int: ItemOwner] = [:]
    for (row, list) in rows {
      let owner = owner(of: list, sources)
      let found = try self("SELECT id FROM list WHERE name = ?")
        .first(owner.rawValue) { try $0.integer(0) }
      // Without its source it has nothing.
      owners[row] = ItemOwner(list: owner, row: found ?? 0)
    }
    memory.itemOwners = owners
    return owners
  }
}
