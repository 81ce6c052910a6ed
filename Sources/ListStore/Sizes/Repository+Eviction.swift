import GRDB
public import ListModel
import ListTables

/// The measured sizes that ``Repository/evictSizes(keeping:)`` keeps.
public struct SizeRetention: Hashable, Sendable {
  /// The environments whose sizes are kept; `nil` for all.
  ///
  /// Sizes for an earlier system version or text size are of no use.
  public var environments: Set<LayoutEnvironment>?
  /// The most sizes, counted over the items, headers and footers of all lists; `nil` for no limit.
  ///
  /// One size takes about 60 bytes of the file.
  public var count: Int?

  /// Limits; `nil` means no limit.
  public init(environments: Set<LayoutEnvironment>? = nil, count: Int? = nil) {
    self.environments = environments
    self.count = count
  }
}

extension Repository {
  /// Deletes measured sizes: first those of other environments, then those of the keys that were
  /// used longest ago, until the rest is within the limits.
  ///
  /// A key is deleted with all its sizes, in several write transactions, so that no writer waits
  /// long. If the process ends in between, the next call continues. Deleted sizes can be measured
  /// again.
  ///
  /// - Parameter retention: The limits.
  /// - Returns: How many keys were deleted.
  /// - Throws: ``/ListModel/StoreError`` if the store can't be written.
  /// - Complexity: O(*n*) a key, *n* items with sizes.
  @discardableResult
  public func evictSizes(keeping retention: SizeRetention) throws(StoreError) -> Int {
    try writer.requireWritable("delete sizes")
    flushSizes()
    var evicted = 0
    while let key = try read("read the size keys", { try keyToEvict($0, retention) }) {
      try evict(key)
      evicted += 1
    }
    return evicted
  }

  private func keyToEvict(_ db: Database, _ retention: SizeRetention) throws -> Int? {
    let statements = Statements(db)
    var keys: [(id: Int, count: Int)] = []
    var outlived: Int?
    try statements(
      """
      SELECT sizeKey.id, contentSizeCategory, legibilityWeight, layoutDirection, locale,
        displayScale, system,
        (SELECT coalesce(sum(measured), 0) FROM blockExtent JOIN block ON block.id = block
          WHERE sizeKey = sizeKey.id AND parent IS NULL)
        + (SELECT count(*) FROM supplementary JOIN measuredSize ON owner = supplementary.id
          WHERE sizeKey = sizeKey.id),
        usedAt
      FROM sizeKey JOIN layoutEnvironment ON layoutEnvironment.id = environment
      ORDER BY usedAt, sizeKey.id
      """
    ).forEach { row in
      let environment = try LayoutEnvironment(row, from: 1)
      let id = try row.integer(0)
      // Also what an earlier call was interrupted at.
      if try row.integer(8) < 0 || retention.environments?.contains(environment) == false {
        outlived = outlived ?? id
      }
      keys.append((id, try row.integer(7)))
    }
    if let outlived { return outlived }
    guard let most = retention.count, keys.reduce(0, { $0 + $1.count }) > most else { return nil }
    return keys.first?.id
  }

  /// Deletes a key and its sizes, a part of them at a time.
  private func evict(_ key: Int) throws(StoreError) {
    try write("delete sizes") { transaction in
      let statements = transaction.statements
      statements.forgetSizeKeys()
      // The key is retired first, so that from now on no reader finds it, and no writer adds to its
      // sums.
      try statements(
        """
        UPDATE sizeKey SET usedAt = -1, variant = variant || ' retired ' || id
        WHERE id = ? AND usedAt >= 0
        """
      ).run(key)
      try statements("DELETE FROM blockExtent WHERE sizeKey = ?").run(key)
    }
    var next: Int? = 0
    while let start = next {
      next = try write("delete sizes") { transaction -> Int? in
        let statements = transaction.statements
        let end = start + 20_000
        try statements("DELETE FROM measuredSize WHERE owner >= ? AND owner < ? AND sizeKey = ?")
          .run(start, end, key)
        let last = try statements("SELECT lastItem FROM store").first { try $0.integer(0) } ?? 0
        guard end > last else { return end }
        try statements("DELETE FROM sizeKey WHERE id = ?").run(key)
        return nil
      }
    }
  }
}
