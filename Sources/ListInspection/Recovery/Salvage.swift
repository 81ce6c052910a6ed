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

  /// A store that was written, and what became of its lists.
  struct Result {
    var recovery: StoreRecovery
    var repair: StoreRepair.Result
    /// The schema version of the store.
    var latestVersion: Int
  }

  init(_ file: URL, includesDeleted: Bool = false, migrations: [Migration] = Migration.all) {
    self.file = file
    self.includesDeleted = includesDeleted
    self.migrations = migrations
  }

  /// Makes a new store, which appears whole or not at all.
  func run(to newFile: URL) throws(StoreError) -> StoreRecovery {
    do {
      try StoreDraft.requireFreeName(newFile)
      let draft = try StoreDraft(of: newFile)
      var recovery = try write(draft.file).recovery
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
  func write(_ store: URL) throws -> Result {
    let image = try PageImage(of: file)
    let schema = try SchemaPages(of: image, naming: file.path, migrations)
    let salvaged = try SalvagedStore(
      version: schema.version ?? migrations.latestVersion, migrations)
    let scanner = RowScanner(image)
    try read(scanner, schema, into: salvaged)
    guard try !image.hasChanged else {
      throw StoreError(
        .busy, "another process changed it while it was read; close the app, or copy the file")
    }
    try salvaged.finish()
    try FileManager.default.copyItem(at: salvaged.file, to: store)
    let repair = try StoreRepair(store, from: salvaged.file, migrations).run(
      includesDeleted: includesDeleted)
    let recovery = report(image, schema, salvaged, scanner, repair.lists.map(\.list), store)
    return Result(
      recovery: recovery, repair: repair, latestVersion: migrations.latestVersion)
  }

  private func read(
    _ scanner: RowScanner, _ schema: SchemaPages, into salvaged: SalvagedStore
  ) throws {
    try salvaged.fill { put in
      for table in salvaged.tables {
        try scanner.walk(table, from: schema.roots[table.name] ?? table.usualRoot, put)
      }
      for index in TableShape.namesIndexes
      where scanner.tallies[index.target]?.holes.isEmpty == false {
        try scanner.walk(index, from: schema.roots[index.name] ?? 0, put)
      }
      try scanner.readStrayPages(salvaged.tables, put)
    }
    if includesDeleted {
      let tables = salvaged.tables.filter { ["change", "content"].contains($0.name) }
      try salvaged.fill(countsRefused: false) { try scanner.readFreePages(tables, $0) }
    }
    guard scanner.tallies.contains(where: { $0.value.rowCount > 0 }) else {
      throw StoreError.notAStore(file.path, because: "no page of it has a row of a store")
    }
  }

  // MARK: The report

  private func report(
    _ image: PageImage, _ schema: SchemaPages, _ salvaged: SalvagedStore, _ scanner: RowScanner,
    _ lists: [StoreRecovery.List], _ newFile: URL
  ) -> StoreRecovery {
    var tables: [String: StoreRecovery.Table] = [:]
    for table in salvaged.tables where !table.isCache {
      let tally = scanner.tallies[table.name] ?? RowScanner.Tally()
      let refused = salvaged.refusedRowCounts[table.name] ?? 0
      let found = StoreRecovery.Table(
        rowCount: tally.rowCount - refused, strayRowCount: tally.strayRowCount,
        refusedRowCount: tally.damagedRowCount + refused + (salvaged.orphanCounts[table.name] ?? 0),
        holeCount: tally.holes.count)
      if found.refusedRowCount > 0 || found.holeCount > 0 { tables[table.name] = found }
    }
    return StoreRecovery(
      file: file.path, newFile: newFile.path, schemaVersion: salvaged.version,
      pageSize: image.pageSize, pageCount: image.pageCount,
      isHeaderDamaged: image.header == nil, missingPageCount: image.missingPageCount,
      journalPageCount: image.journal?.pageCount,
      damagedPageCount: tables.values.reduce(0) { $0 + $1.holeCount }, damagedTables: tables,
      lists: lists, notes: notes(image, schema, salvaged, scanner))
  }

  private func notes(
    _ image: PageImage, _ schema: SchemaPages, _ salvaged: SalvagedStore, _ scanner: RowScanner
  ) -> [String] {
    var notes: [String] = []
    if schema.isDamaged {
      notes.append("the schema is damaged; tables were looked for where a new store has them")
    }
    if schema.version == nil {
      notes.append("the schema version is lost; the file was read as version \(salvaged.version)")
    }
    if let log = image.log, log.tornByteCount > 0 {
      notes.append(
        "the last \(log.tornByteCount) bytes of the write-ahead log are damaged; commits in them "
          + "are lost")
    }
    if salvaged.lostOwnerCount > 0 {
      notes.append(
        "\(salvaged.lostOwnerCount) nested lists have lost the item that owns them; they are lists "
          + "\"recovered\" with a number now")
    }
    if scanner.lostDataCount > 0 {
      notes.append(
        "the own data of \(scanner.lostDataCount) lists or sections is no JSON; it was left out")
    }
    if scanner.ambiguousPageCount > 0 {
      notes.append(
        "\(scanner.ambiguousPageCount) pages could be of several tables and were left out")
    }
    return notes
  }
}
