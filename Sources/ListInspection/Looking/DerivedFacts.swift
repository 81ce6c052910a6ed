import ListModel
import ListTables

extension Inspection {
  /// What a derived list is made of.
  public struct DerivedFacts: Codable, Hashable, Sendable {
    /// The id of its source.
    public var source: String
    /// The revision of its source that its last commit follows; later ones have changed nothing in it.
    public var sourceRevision: Int
    /// How many commits of its source it has not followed, because the processes that made them did not
    /// have its closures; 0 for a definition without closures.
    public var lag = 0
    /// How many gaps the list has that it is derived from in the end: while there is one, it may lack items.
    public var gapCount = 0
    /// The definition on one line, as JSON; a long one is cut, with its size.
    public var definition: String

    private enum CodingKeys: String, CodingKey {
      case source = "of"
      case sourceRevision, lag, gapCount, definition
    }

    /// The longest definition that is told whole, in bytes; of longer ones as many characters.
    private static let longestDefinition = 2_000

    /// The derived lists of a store by their ids, whatever their definitions say.
    static func all(_ statements: Statements) throws -> [String: DerivedFacts] {
      var all: [String: DerivedFacts] = [:]
      var wholes: [String: String] = [:]
      try statements(
        """
        SELECT name, source, coalesce(sourceRevision, 0), definition FROM derivedList
        JOIN list ON list.id = derivedList.list
        LEFT JOIN listCommit ON listCommit.list = list.id AND listCommit.revision = list.revision
        """
      ).forEach { row in
        let (name, source) = (try row.text(0), try row.text(1))
        if ListID.isHidden(name) { return wholes[name] = source }
        all[name] = DerivedFacts(
          source: source, sourceRevision: try row.integer(2),
          definition: ShownText.token(try row.text(3), atMost: longestDefinition))
      }
      for (name, facts) in all { all[name]?.source = wholes[facts.source] ?? facts.source }
      for (name, lag) in try statements.lagsOfDerivedLists() { all[name]?.lag = lag }
      for name in all.keys {
        let gapCount = try statements("SELECT gapCount FROM list WHERE name = ?")
          .first(root(of: name, all)) { try $0.integer(0) }
        all[name]?.gapCount = gapCount ?? 0
      }
      return all
    }

    /// The list that is not derived, from which a derived one comes.
    private static func root(of name: String, _ all: [String: DerivedFacts]) -> String {
      // A damaged store may have a circle.
      all.reduce(name) { root, _ in all[root]?.source ?? root }
    }
  }
}
