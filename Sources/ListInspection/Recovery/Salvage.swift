import Foundation
import GRDB
import ListModel
import ListStore
import StoreFiles
import StoreSchema

/// The steps of a recovery.
///
/// The rows that the pages have go into a database of their own, the salvaged store. A copy of it
/// becomes the new store. The lists of the copy are checked. A list that is not sound is repaired,
/// first what follows from the rest and its log; at last it is made anew from the rows of the
/// salvaged store.
struct Salvage {
  private let file: URL
  private let includesDeleted: Bool
  private let migrations: [Migration]

  init(_ file: URL, includesDeleted: Bool = false, migrations: [Migration] = Migration.all) {
    self.file = file
    self.includesDeleted = includesDeleted
    self.migrations = migrations
  }

  /// Makes a new store, which appears whole or not at all.
  func run(to newFile: URL) throws(StoreError) -> StoreRecovery {
    do {
      try StoreDraft.requireFreeName(newFile)
      let draft = try StoreDraft(of: newFile, from: file)
      var recovery = try write(draft.file)
      recovery.newFile = newFile.path
      try draft.publish(asNew: newFile)
      return recovery
    } catch {
      guard var error = error as? StoreError else {
        throw .wrap(error, attempt: "recover the store", file: file.path)
      }
      // Temporary files are nobody's concern.
      if error.file != newFile.path { error.file = file.path }
      throw error
    }
  }

  /// Writes a store with all that is found into the folder of a draft.
  func write(_ store: URL) throws -> StoreRecovery {
    let image = try PageImage(of: file)
    let schema = try SchemaPages(of: image, naming: file.path, migrations)
    let app = try AppObjects(schema, migrations)
    let salvaged = try SalvagedStore(
      version: schema.version ?? migrations.latestVersion, migrations)
    try salvaged.add(app)
    let scanner = RowScanner(image)
    try read(scanner, schema, app, into: salvaged)
    let sequences = try sequences(scanner, schema)
    guard try !image.hasChanged else {
      throw StoreError(
        .busy, "another process changed it while it was read; close the app, or copy the file")
    }
    try salvaged.finish()
    try FileManager.default.copyItem(at: salvaged.file, to: store)
    let repair = try StoreRepair(store, from: salvaged.file, migrations).run(
      includesDeleted: includesDeleted)
    try app.complete(store, sequences: sequences)
    return report(
      image, schema, salvaged, scanner, repair, app.report(scanner, salvaged), store)
  }

  private func read(
    _ scanner: RowScanner, _ schema: SchemaPages, _ app: AppObjects, into salvaged: SalvagedStore
  ) throws {
    if schema.isAnother(than: salvaged.tables.map(\.name)) {
      throw StoreError.notAStore(file.path, because: "its schema has none of a store's tables")
    }
    try salvaged.fill { put in
      for table in salvaged.tables {
        try scanner.walk(table, from: schema.roots[table.name] ?? table.usualRoot, put)
      }
      for index in TableShape.namesIndexes
      where scanner.tallies[index.target]?.holes.isEmpty == false {
        try scanner.walk(index, from: schema.roots[index.name] ?? 0, put)
      }
      guard salvaged.tables.contains(where: { scanner.tallies[$0.name]?.rowCount ?? 0 > 0 }) else {
        throw StoreError.notAStore(file.path, because: "no page of it has a row of a store")
      }
      // Any page could be one of theirs, so only those are taken that their trees lead to.
      for table in app.tables {
        try scanner.walk(table.shape, from: schema.roots[table.shape.name] ?? 0, put)
      }
      try scanner.readStrayPages(salvaged.tables, put)
    }
    if includesDeleted {
      let tables = salvaged.tables.filter { ["change", "content"].contains($0.name) }
      try salvaged.fill(countsRefused: false) { try scanner.readFreePages(tables, $0) }
    }
  }

  /// The greatest ids that rows of tables have had, where SQLite keeps them.
  private func sequences(_ scanner: RowScanner, _ schema: SchemaPages) throws -> [String: Int64] {
    guard let root = schema.roots["sqlite_sequence"] else { return [:] }
    var sequences: [String: Int64] = [:]
    let columns = ["name", "seq"].map {
      TableShape.Column(name: $0, type: TableShape.Column.any)
    }
    let shape = TableShape(name: "sqlite_sequence", kind: .rowid, columns: columns)
    try scanner.walk(shape, from: root) { _, row in
      if let table = row.record.first?.text, case .integer(let last) = row.record.last {
        sequences[table] = last
      }
    }
    return sequences
  }

  // MARK: The report

  private func report(
    _ image: PageImage, _ schema: SchemaPages, _ salvaged: SalvagedStore, _ scanner: RowScanner,
    _ repair: StoreRepair.Result, _ appObjects: [StoreRecovery.AppObject], _ newFile: URL
  ) -> StoreRecovery {
    var tables: [String: StoreRecovery.Table] = [:]
    for table in salvaged.tables where !table.isDerived {
      let tally = scanner.tallies[table.name] ?? RowScanner.Tally()
      let refused = salvaged.refusedRowCounts[table.name] ?? 0
      let found = StoreRecovery.Table(
        rowCount: tally.rowCount - refused, strayRowCount: tally.strayRowCount,
        refusedRowCount: tally.damagedRowCount + refused + (salvaged.orphanCounts[table.name] ?? 0),
        holeCount: tally.holes.count)
      if found.refusedRowCount > 0 || found.holeCount > 0 { tables[table.name] = found }
    }
    var words = RecoveryWords(areListsKnown: tables["list"] == nil)
    words.add(schema, readAs: salvaged.version, latest: migrations.latestVersion)
    words.addTornLog(image.log?.tornByteCount ?? 0)
    for list in repair.lists { words.add(list) }
    for list in repair.lostDerivedLists { words.add(lostDerivedList: list) }
    words.add(
      salvaged.namelessListCount, "list", "without its name: named \"recovered\" with a number")
    words.add(
      salvaged.lostOwnerCount, "nested list",
      "without the item that owns it: named \"recovered\" with a number")
    words.add(unsoundData: scanner.lostDataCount)
    words.add(
      scanner.ambiguousPageCount, "page", "left out that could be of several tables")
    words.add(tables, orphans: salvaged.orphanCounts)
    words.add(
      leftOut: repair.leftOutRowCounts.merging(salvaged.orphanCounts, uniquingKeysWith: +))
    words.add(appObjects)
    return StoreRecovery(
      file: file.path, newFile: newFile.path, schemaVersion: salvaged.version,
      pageSize: image.pageSize, pageCount: image.pageCount,
      isHeaderDamaged: image.header == nil, missingPageCount: image.missingPageCount,
      journalPageCount: image.journal?.pageCount,
      damagedPageCount: tables.values.reduce(0) { $0 + $1.holeCount }, damagedTables: tables,
      lists: repair.lists.map(\.list), appObjects: appObjects, losses: words.losses,
      notes: words.notes)
  }
}
