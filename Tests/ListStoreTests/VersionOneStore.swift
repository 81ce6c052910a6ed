import Foundation
import GRDB
import ListModel
import ListStore
import StoreSchema
import TestSupport
import ListTables

/// A store as version 1 of the library wrote it, made with plain SQL.
struct VersionOneStore {
  let file: URL
  private let database: DatabaseQueue

  /// Makes a store with the lists and the log of another.
  ///
  /// - Parameters:
  ///   - file: The new file.
  ///   - repository: A store of today. Its log is copied: version 1 wrote the same rows without
  ///     what proves them. The other rows are those of its lists at their heads.
  ///   - seed: Of the ids and positions, which have gaps; ids are in no order.
  /// - Throws: What reading and writing throw.
  init(_ file: URL, like repository: Repository, seed: UInt64 = 1) throws {
    self.file = file
    var configuration = Configuration.store()
    configuration.journalMode = .wal
    database = try DatabaseQueue(path: file.path, configuration: configuration)
    _ = try Migrator.migrate(database, file: file.path, migrations: [Migration.all[0]])
    let trees = try repository.lists().map { try repository.tree(of: $0) }
    let feeds = try trees.map { try repository.feedSequence(of: $0.list) }
    let log = try LogRows(repository)
    try database.write { db in
      var rows = VersionOneRows(db: db, generator: SeededGenerator(seed: seed))
      for (tree, feedSequence) in zip(trees, feeds) {
        try rows.insert(tree, feedSequence: feedSequence)
      }
      try log.insert(db)
    }
  }

  /// Keeps measured sizes as version 1 did.
  func save(_ sizes: [MeasuredSize], for key: SizeKey, in list: ListID) throws {
    let environment = key.environment
    let values: StatementArguments = [
      environment.contentSizeCategory, environment.legibilityWeight, environment.layoutDirection,
      environment.locale, environment.displayScale, environment.system,
    ]
    try database.write { db in
      try db.execute(
        sql: """
          INSERT OR IGNORE INTO layoutEnvironment (contentSizeCategory, legibilityWeight,
            layoutDirection, locale, displayScale, system) VALUES (?, ?, ?, ?, ?, ?)
          """, arguments: values)
      let row = try Int.fetchOne(
        db,
        sql: """
          SELECT id FROM layoutEnvironment WHERE (contentSizeCategory, legibilityWeight,
            layoutDirection, locale, displayScale, system) = (?, ?, ?, ?, ?, ?)
          """, arguments: values)
      for size in sizes {
        try db.execute(
          sql: "INSERT OR IGNORE INTO cell (name) VALUES (?)", arguments: [size.cell.rawValue])
        try db.execute(
          sql: """
            INSERT OR REPLACE INTO measuredSize (item, axis, fittingPixels, variant, environment,
              width, height, cell, contentRevision, measurerVersion)
            SELECT item.id, ?, ?, ?, ?, ?, ?, (SELECT id FROM cell WHERE name = ?), ?, ?
            FROM item JOIN list ON list.id = item.list WHERE list.name = ? AND item.name = ?
            """,
          arguments: [
            key.axis.rawValue, key.fittingPixels, key.variant, row, size.size.width,
            size.size.height, size.cell.rawValue, size.contentRevision, size.measurerVersion,
            list.rawValue, size.item.rawValue,
          ])
      }
    }
  }

  /// The sections of a list, as version 1 read them.
  func sections(of list: ListID) throws -> [ListTree.Section] {
    try database.read { db in
      let sections = try Row.fetchAll(
        db,
        sql: """
          SELECT section.* FROM section JOIN list ON list.id = list WHERE list.name = ?
          ORDER BY position
          """, arguments: [list.rawValue])
      return try sections.map { row in
        let items = try Row.fetchAll(
          db,
          sql: """
            SELECT item.name, cell.name, type, action, contentRevision, content
            FROM item JOIN cell ON cell.id = cell WHERE section = ? ORDER BY position
            """, arguments: [row["id"]])
        return ListTree.Section(
          id: try SectionID(row["name"]), attributes: try attributes(row, db),
          items: try items.map { item in
            Item(
              id: try ItemID(item[0]),
              state: ItemState(
                cell: try CellName(item[1]), content: try JSON(parsing: item[5]),
                type: try (item[2] as String?).map { try TypeName($0) },
                action: try (item[3] as String?).map { try Action(JSON(parsing: $0)) },
                contentRevision: item[4]))
          })
      }
    }
  }

  private func attributes(_ section: Row, _ db: Database) throws -> SectionAttributes {
    func view(_ kind: String) throws -> Supplementary? {
      try Row.fetchOne(
        db, sql: "SELECT view, content FROM supplementary WHERE section = ? AND kind = ?",
        arguments: [section["id"], kind]
      ).map { Supplementary(view: try ViewName($0[0]), content: try JSON(parsing: $0[1])) }
    }
    var layout = SectionLayout(
      kind: (section["layoutKind"] as String?).flatMap(SectionLayout.Kind.init),
      columns: section["columns"], lineSpacing: section["lineSpacing"],
      interitemSpacing: section["interitemSpacing"])
    if let top = section["insetTop"] as Double? {
      layout.insets = Insets(
        top: top, left: section["insetLeft"], bottom: section["insetBottom"],
        right: section["insetRight"])
    }
    return SectionAttributes(
      layout: layout, header: try view("header"), footer: try view("footer"),
      meta: try (section["meta"] as String?).map { try JSON(parsing: $0) })
  }

  /// Runs SQL on it.
  func change(_ sql: String) throws { try database.write { try $0.execute(sql: sql) } }

  /// Leaves a single file.
  func close() throws { try database.close() }
}

/// Writes lists into the tables of version 1.
private struct VersionOneRows {
  let db: Database
  var generator: SeededGenerator
  private var usedIDs: Set<Int> = []

  init(db: Database, generator: SeededGenerator) {
    self.db = db
    self.generator = generator
  }

  private mutating func newID() -> Int {
    while true {
      let id = generator.number(1..<1_000_000)
      if usedIDs.insert(id).inserted { return id }
    }
  }

  /// As many positions, ascending, from anywhere.
  private mutating func positions(_ count: Int) -> [Int] {
    var position = generator.number(-(1 << 40)..<(1 << 40))
    return (0..<count).map { _ in
      position += generator.percent(30) ? 1 : generator.number(1..<(1 << 32))
      return position
    }
  }

  private func insert(_ table: String, _ values: [(String, (any DatabaseValueConvertible)?)]) throws
  {
    let columns = values.map(\.0).joined(separator: ", ")
    let marks = values.map { _ in "?" }.joined(separator: ", ")
    try db.cachedStatement(sql: "INSERT INTO \(table) (\(columns)) VALUES (\(marks))")
      .execute(arguments: StatementArguments(values.map(\.1)))
  }

  mutating func insert(_ tree: ListTree, feedSequence: Int) throws {
    let list = newID()
    try insert(
      "list",
      [
        ("id", list), ("name", tree.list.rawValue), ("revision", tree.revision),
        ("feedSequence", feedSequence), ("sectionCount", tree.sections.count),
      ])
    for (section, position) in zip(tree.sections, positions(tree.sections.count)) {
      try insert(section, list: list, position: position)
    }
  }

  private mutating func insert(_ section: ListTree.Section, list: Int, position: Int) throws {
    let id = newID()
    let layout = section.attributes.layout
    let insets = layout?.insets
    try insert(
      "section",
      [
        ("id", id), ("list", list), ("name", section.id.rawValue), ("position", position),
        ("itemCount", section.items.count), ("layoutKind", layout?.kind?.rawValue),
        ("columns", layout?.columns), ("lineSpacing", layout?.lineSpacing),
        ("interitemSpacing", layout?.interitemSpacing), ("insetTop", insets?.top),
        ("insetLeft", insets?.left), ("insetBottom", insets?.bottom),
        ("insetRight", insets?.right), ("meta", section.attributes.meta?.text),
      ])
    for case (let kind, let view?) in [
      ("header", section.attributes.header), ("footer", section.attributes.footer),
    ] {
      try insert(
        "supplementary",
        [
          ("section", id), ("kind", kind), ("view", view.view.rawValue),
          ("content", view.content.text),
        ])
    }
    for (item, position) in zip(section.items, positions(section.items.count)) {
      let state = item.state
      try insert(
        "item",
        [
          ("id", newID()), ("list", list), ("section", id), ("position", position),
          ("name", item.id.rawValue), ("cell", try cell(state.cell)),
          ("type", state.type?.rawValue), ("action", state.action?.json),
          ("contentRevision", state.contentRevision), ("content", state.content.text),
        ])
    }
  }

  private func cell(_ cell: CellName) throws -> Int? {
    try db.cachedStatement(sql: "INSERT OR IGNORE INTO cell (name) VALUES (?)")
      .execute(arguments: [cell.rawValue])
    return try Int.fetchOne(
      db.cachedStatement(sql: "SELECT id FROM cell WHERE name = ?"), arguments: [cell.rawValue])
  }
}

/// The rows of a store's log as version 1 had them.
private struct LogRows {
  private let authors: [Row]
  private let commits: [Row]
  private var changes: [StatementArguments] = []

  init(_ repository: Repository) throws {
    (authors, commits) = try repository.read("read the log") { db in
      (
        try Row.fetchAll(db, sql: "SELECT id, name FROM author"),
        try Row.fetchAll(
          db,
          sql: """
            SELECT name, listCommit.revision, author, time, listCommit.feedSequence, feedDigest
            FROM listCommit JOIN list ON list.id = listCommit.list
            """)
      )
    }
    for list in try repository.lists() {
      for commit in try repository.commits(of: list) {
        for (ordinal, entry) in commit.entries.enumerated() {
          let row = LoggedJSON(entry)
          changes.append([
            list.rawValue, commit.revision, ordinal, row.operation, row.section, row.item,
            row.from.section, row.from.item, row.to.section, row.to.item,
            row.before.map { String(decoding: $0, as: UTF8.self) },
            row.after.map { String(decoding: $0, as: UTF8.self) },
          ])
        }
      }
    }
  }

  func insert(_ db: Database) throws {
    for row in authors {
      try db.execute(
        sql: "INSERT INTO author (id, name) VALUES (?, ?)", arguments: row.arguments)
    }
    for row in commits {
      try db.execute(
        sql: """
          INSERT INTO listCommit (list, revision, author, time, feedSequence, feedDigest)
          VALUES ((SELECT id FROM list WHERE name = ?), ?, ?, ?, ?, ?)
          """, arguments: row.arguments)
    }
    for row in changes {
      try db.execute(
        sql: """
          INSERT INTO change (list, revision, ordinal, operation, section, item, fromSection,
            fromItem, toSection, toItem, before, after)
          VALUES ((SELECT id FROM list WHERE name = ?), ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
          """, arguments: row)
    }
  }
}

extension Row {
  fileprivate var arguments: StatementArguments { StatementArguments(databaseValues) }
}

/// All rows that a store holds, by table.
func dump(_ file: URL) throws -> [String: [[DatabaseValue]]] {
  let database = try DatabaseQueue(path: file.path)
  defer { try? database.close() }
  return try database.read { db in
    let tables = try String.fetchAll(
      db, sql: "SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name")
    return try Dictionary(
      uniqueKeysWithValues: tables.map { table in
        (
          table,
          try Row.fetchAll(db, sql: "SELECT * FROM \(table)").map { Array($0.databaseValues) }
        )
      })
  }
}

/// The log of a store with what proves it, whatever ids its rows have.
func provenLog(_ file: URL) throws -> [[DatabaseValue]] {
  let database = try DatabaseQueue(path: file.path)
  defer { try? database.close() }
  let queries = [
    """
    SELECT name, revision, feedSequence, digest, chain, logFloor, floorChain FROM list
    ORDER BY name
    """,
    """
    SELECT list.name, listCommit.revision, author.name, time, listCommit.feedSequence,
      hex(feedDigest), listCommit.digest, listCommit.chain
    FROM listCommit JOIN list ON list.id = list JOIN author ON author.id = author
    ORDER BY list.name, listCommit.revision
    """,
    """
    SELECT * FROM changeInOrder
    """,
  ]
  return try database.writeWithoutTransaction { db in
    try makeLookingViews(db)
    return try queries.flatMap { try Row.fetchAll(db, sql: $0).map { Array($0.databaseValues) } }
  }
}
