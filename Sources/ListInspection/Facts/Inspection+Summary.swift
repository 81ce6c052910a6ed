import Foundation
import GRDB
import ListModel
import ListStore
import ListTables
import StoreSchema

extension Inspection {
  /// Up to this size, a summary checks the whole store, too.
  private static let mostBytesToCheck = 64 << 20

  /// The store in numbers, with what is wrong with it.
  ///
  /// Each number is read by itself: what can't be read is absent, and ``StoreSummary/findings``
  /// says why. A store of more than 64 MB is not checked here: see ``check(registry:)``.
  ///
  /// - Complexity: O(*n*), *n* rows, for a store that is checked; else O(*c*), *c* commits and
  ///   sections.
  public func summary() -> StoreSummary {
    var summary = StoreSummary(
      file: file.path, byteCount: evidence.files.first?.byteCount ?? 0,
      logByteCount: evidence.log?.byteCount, header: evidence.header, log: evidence.log,
      journal: evidence.journal, schemaVersion: evidence.header?.schemaVersion ?? 0)
    guard case .success(let store) = opened else {
      summary.findings = findings
      summary.integrity = Self.sentences(findings)
      return summary
    }
    summary.schemaVersion = store.schema.version
    summary.pendingMigrations = store.schema.pending
    var unread: [Finding] = []
    summary.lists = listSummaries(isLarge: isLarge, &unread)
    summary.isChecked = !isLarge
    summary.findings = isLarge ? findings + unread : check()
    for finding in unread where !summary.findings.contains(finding) {
      summary.findings.append(finding)
    }
    summary.integrity =
      isLarge && Self.sentences(summary.findings) == ["ok"]
      ? ["not checked, because the store is large: run `cellar check FILE`"]
      : Self.sentences(summary.findings)
    return summary
  }

  /// Whether the store is too large to be checked in passing.
  var isLarge: Bool {
    evidence.files.reduce(0) { $0 + $1.byteCount } > Self.mostBytesToCheck
  }

  private static func sentences(_ findings: [Finding]) -> [String] {
    let errors = findings.filter { $0.severity == .error }
    return errors.isEmpty
      ? ["ok"] : errors.map { ($0.place.map { "\($0): " } ?? "") + $0.message }
  }

  private func listSummaries(isLarge: Bool, _ unread: inout [Finding]) -> [StoreSummary.List] {
    let repository: Repository
    let names: [(id: Int, name: String)]
    var derived: [String: DerivedFacts] = [:]
    do throws(StoreError) {
      repository = try lists()
      names = try repository.read("read the lists") { db in
        var names: [(id: Int, name: String)] = []
        try Statements(db)("SELECT id, name FROM list ORDER BY name").forEach {
          let (id, name) = (try $0.integer(0), try $0.text(1))
          if !ListID.isHidden(name) { names.append((id, name)) }
        }
        return names
      }
    } catch {
      unread.append(.unreadable("the lists", error))
      return []
    }
    do throws(StoreError) {
      derived = try repository.read("read the derived lists") {
        try DerivedFacts.all(Statements($0))
      }
    } catch {
      unread.append(.unreadable("the derived lists", error))
    }
    return names.map { id, name in
      var list = StoreSummary.List(list: name, derived: derived[name])
      for fact in StoreSummary.List.facts where !(isLarge && fact.isSlow) {
        do throws(StoreError) {
          try repository.read("count in \"\(name)\"") { db in
            try fact.read(Statements(db), id, &list)
          }
        } catch {
          unread.append(.unreadable("list \"\(name)\": \(fact.what)", error))
        }
      }
      return list
    }
  }
}

extension StoreSummary.List {
  /// A part of what is told of a list, which may be readable where others are not.
  fileprivate struct Fact: Sendable {
    let what: String
    /// Whether every item is looked at.
    var isSlow = false
    let read: @Sendable (Statements, Int, inout StoreSummary.List) throws -> Void
  }

  fileprivate static let facts: [Fact] = [
    Fact(what: "its revision") { statements, id, list in
      try statements("SELECT revision, feedSequence, sectionCount, gapCount FROM list WHERE id = ?")
        .forEach(id) { row in
          list.revision = try row.integer(0)
          list.feedSequence = try row.integer(1)
          list.sectionCount = try row.integer(2)
          list.gapCount = try row.integer(3)
        }
    },
    Fact(what: "the number of its items") { statements, id, list in
      list.itemCount = try statements(
        "SELECT coalesce(sum(itemCount), 0) FROM section WHERE list = ?"
      ).first(id) { try $0.integer(0) }
    },
    Fact(what: "its log") { statements, id, list in
      list.commitCount = try statements("SELECT count(*) FROM listCommit WHERE list = ?")
        .first(id) { try $0.integer(0) }
    },
    Fact(what: "the changes in its log", isSlow: true) { statements, id, list in
      list.changeCount = try statements(
        "SELECT coalesce(sum(json_array_length(entries)), 0) FROM change WHERE list = ?"
      ).first(id) { try $0.integer(0) }
    },
    Fact(what: "its measured sizes", isSlow: true) { statements, id, list in
      list.sizeCount = try statements(
        """
        SELECT count(*) FROM measuredSize WHERE owner IN (
          SELECT id FROM item WHERE list = ?1
          UNION ALL SELECT item FROM borrowedItem WHERE list = ?1
          UNION ALL SELECT supplementary.id FROM supplementary
            JOIN section ON section.id = section WHERE list = ?1)
        """
      ).first(id) { try $0.integer(0) }
    },
    Fact(what: "its last commit") { statements, id, list in
      list.lastCommit = try statements(
        """
        SELECT revision, author.name, time FROM listCommit
        JOIN author ON author.id = listCommit.author
        WHERE list = ? ORDER BY revision DESC LIMIT 1
        """
      ).first(id) { row in
        StoreSummary.LastCommit(
          revision: try row.integer(0), author: try row.text(1), time: try row.integerIfPresent(2))
      }
    },
    Fact(what: "its cells", isSlow: true) { statements, id, list in
      var cells: [String: Int] = [:]
      try statements(
        """
        SELECT cell.name, count(*) FROM itemMember JOIN cell ON cell.id = cell
        WHERE list = ? GROUP BY cell
        """
      ).forEach(id) { row in cells[try row.text(0)] = try row.integer(1) }
      list.cells = cells
    },
  ]
}
