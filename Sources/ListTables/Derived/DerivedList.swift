package import DerivedLists
import GRDB
package import ListModel

/// A derived list of a store: a row of `derivedList`.
package struct DerivedList: Sendable {
  /// The id of the list that is made.
  package var list: ListID
  /// The id of the list that it is made of.
  package var source: ListID
  /// Its place among the definitions.
  package var ordinal: Int
  /// What of the definition it is.
  package var part: Part
  /// What was defined.
  package var definition: DerivedDefinition

  package init(
    list: ListID, source: ListID, ordinal: Int, part: Part, definition: DerivedDefinition
  ) {
    self.list = list
    self.source = source
    self.ordinal = ordinal
    self.part = part
    self.definition = definition
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
  }

  /// The rule that makes this part of the list it is made of.
  var rule: DerivedDefinition {
    guard part == .first else {
      var rule = definition
      rule.limit = nil
      return rule
    }
    var rule = definition
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

extension DerivedList {
  /// The id of the list that has all items of one with a limit.
  package static func whole(of list: ListID) throws -> ListID {
    // A name that fits, whatever the list's is.
    try ListID("\(wholePrefix)\(String(list.stableHash, radix: 16))")
  }

  private static let wholePrefix = "\u{1}whole "

  /// Whether a list is only there for another one's sake.
  package static func isHidden(_ list: ListID) -> Bool { isHidden(list.rawValue) }
  package static func isHidden(_ list: String) -> Bool { list.hasPrefix(wholePrefix) }
}

extension Statements {
  /// All derived lists of the store, in the order of their definitions.
  package func derivedLists() throws -> [DerivedList] {
    if let known = memory.derivedLists { return known }
    var found: [DerivedList] = []
    try self(
      """
      SELECT name, source, ordinal, part, definition
      FROM derivedList JOIN list ON list.id = list ORDER BY ordinal, part DESC
      """
    ).forEach { row in
      guard let part = DerivedList.Part(rawValue: try row.text(3)) else {
        throw DatabaseError.corrupt("a derived list has an unknown part")
      }
      found.append(
        DerivedList(
          list: try ListID(row.text(0)), source: try ListID(row.text(1)),
          ordinal: try row.integer(2), part: part,
          definition: try row.withBytes(4) { try DerivedDefinition(parsing: Array($0)) }))
    }
    memory.derivedLists = found
    return found
  }

  /// What a list is made of; `nil` for a list that is not derived.
  package func derivedList(_ list: ListID) throws -> DerivedList? {
    try derivedLists().first { $0.list == list }
  }
}

extension Statements {
  /// Notes what a list is made of.
  package func insert(_ derived: DerivedList, row: Int) throws {
    try self(
      """
      INSERT INTO derivedList (list, source, ordinal, part, definition) VALUES (?, ?, ?, ?, ?)
      """
    ).run(
      row, derived.source.rawValue, derived.ordinal, derived.part.rawValue,
      derived.definition.json.text)
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
    try self("SELECT sourceRevision FROM derivedList JOIN list ON list.id = list WHERE name = ?")
      .first(list.rawValue) { try $0.integer(0) } ?? 0
  }
}
