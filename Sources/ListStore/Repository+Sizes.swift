import Foundation
import GRDB
public import ListModel
public import StoreSchema

extension Repository {
  /// Keeps measured sizes; one for the same item and key is replaced.
  ///
  /// One write transaction. Sizes are a cache: they are not logged and make no revision. A size of
  /// an item that the list does not have any more is passed over.
  ///
  /// - Throws: ``StoreError`` with ``StoreError/Code/invalidValue`` for a size or a key that no
  ///   measuring can give: not finite, negative, beyond 1,000,000 points, or fitting no pixel at
  ///   all; then none is kept.
  public func save(
    _ sizes: [MeasuredSize], for key: SizeKey, in list: ListID
  ) throws(StoreError) {
    guard key.fittingPixels > 0, key.environment.displayScale.isFinite,
      key.environment.displayScale > 0
    else {
      throw StoreError(
        .invalidValue,
        "sizes that fit \(key.fittingPixels) pixels at scale \(key.environment.displayScale) are "
          + "not kept; both must be above 0",
        file: file.path)
    }
    if let bad = sizes.first(where: { !$0.size.isStorable }) {
      throw StoreError(
        .invalidValue,
        "item \"\(bad.item)\" was measured \(bad.size.width) × \(bad.size.height); lengths must be "
          + "in 0...1,000,000 points",
        file: file.path)
    }
    try write("keep sizes of \"\(list)\"") { db in
      let rows = try rows(db, list)
      let environment = try environmentRow(db, key.environment, isNew: true) ?? 0
      let statement = try db.cachedStatement(
        sql: """
          INSERT OR REPLACE INTO measuredSize (item, axis, fittingPixels, variant, environment,
            width, height, cell, contentRevision, measurerVersion)
          SELECT item.id, ?, ?, ?, ?, ?, ?, ?, ?, ? FROM item WHERE item.list = ? AND item.name = ?
          """)
      for size in sizes {
        try statement.execute(arguments: [
          key.axis.rawValue, key.fittingPixels, key.variant, environment, size.size.width,
          size.size.height, try rows.cellRow(size.cell), size.contentRevision,
          size.measurerVersion, rows.id, size.item.rawValue,
        ])
      }
    }
  }

  /// The stored size of each item of a list for a key; items without one are missing.
  ///
  /// - Parameters:
  ///   - list: The list.
  ///   - key: What the sizes must hold for.
  ///   - measurerVersion: The version of the code that measures now; `nil`: any.
  /// - Returns: `exact` or `estimate` by item.
  /// - Throws: ``StoreError`` with ``StoreError/Code/listNotFound``.
  public func sizes(
    of list: ListID, for key: SizeKey, measurerVersion: Int? = nil
  ) throws(StoreError) -> [ItemID: SizeAnswer] {
    try read("read sizes of \"\(list)\"") { db in
      let rows = try rows(db, list)
      guard let environment = try environmentRow(db, key.environment, isNew: false) else {
        return [:]
      }
      let cursor = try Row.fetchCursor(
        db.cachedStatement(
          sql: """
            SELECT item.name, width, height, item.cell = measuredSize.cell,
              item.contentRevision = measuredSize.contentRevision, measurerVersion
            FROM item JOIN measuredSize ON measuredSize.item = item.id
            WHERE item.list = ? AND axis = ? AND fittingPixels = ? AND variant = ?
              AND environment = ?
            """),
        arguments: [rows.id, key.axis.rawValue, key.fittingPixels, key.variant, environment])
      var answers: [ItemID: SizeAnswer] = [:]
      while let row = try cursor.next() {
        let size = Size(width: try row.real(1), height: try row.real(2))
        let answer: SizeAnswer =
          if try row.integer(3) == 0 {
            .estimate(size, why: "measured with another cell")
          } else if try row.integer(4) == 0 {
            .estimate(size, why: "measured before the content changed")
          } else if let measurerVersion, try row.integer(5) != measurerVersion {
            .estimate(size, why: "measured by another version of the cell")
          } else {
            .exact(size)
          }
        answers[try ItemID(row.text(0))] = answer
      }
      return answers
    }
  }

  /// For each item that has one, a size that holds for its cell and content, whatever its key: of
  /// several the one for the newest environment and the greatest fitting length.
  package func someExactSizes(of list: ListID) throws(StoreError) -> [ItemID: Size] {
    try read("read sizes of \"\(list)\"") { db in
      let cursor = try Row.fetchCursor(
        db.cachedStatement(
          sql: """
            SELECT item.name, width, height
            FROM item JOIN measuredSize ON measuredSize.item = item.id
            WHERE item.list = ? AND item.cell = measuredSize.cell
              AND item.contentRevision = measuredSize.contentRevision
            ORDER BY environment, fittingPixels
            """),
        arguments: [try rows(db, list).id])
      var sizes: [ItemID: Size] = [:]
      while let row = try cursor.next() {
        sizes[try ItemID(row.text(0))] = Size(width: try row.real(1), height: try row.real(2))
      }
      return sizes
    }
  }

  private func environmentRow(
    _ db: Database, _ environment: LayoutEnvironment, isNew: Bool
  ) throws -> Int? {
    let arguments: StatementArguments = [
      environment.contentSizeCategory, environment.legibilityWeight, environment.layoutDirection,
      environment.locale, environment.displayScale, environment.system,
    ]
    if isNew {
      try db.cachedStatement(
        sql: """
          INSERT OR IGNORE INTO layoutEnvironment (contentSizeCategory, legibilityWeight,
            layoutDirection, locale, displayScale, system) VALUES (?, ?, ?, ?, ?, ?)
          """
      ).execute(arguments: arguments)
    }
    return try Row.fetchOne(
      db.cachedStatement(
        sql: """
          SELECT id FROM layoutEnvironment WHERE contentSizeCategory = ? AND legibilityWeight = ?
            AND layoutDirection = ? AND locale = ? AND displayScale = ? AND system = ?
          """),
      arguments: arguments)?.integer(0)
  }
}
