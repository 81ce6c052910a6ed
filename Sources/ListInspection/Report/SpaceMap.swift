import GRDB
import ListModel
import ListStore

/// What takes the room in a store's file.
struct SpaceMap {
  /// Bytes of something.
  struct Part {
    var name: String
    var byteCount: Int
  }

  /// Bytes of pages by table, indexes included, the largest first; free pages are a part, too.
  private(set) var tables: [Part] = []
  /// Bytes of the orders and of the logs of the lists, the largest first.
  private(set) var lists: [Part] = []

  private static let mostParts = 40

  /// Adds up the pages of a store.
  ///
  /// - Throws: If SQLite can't read a page, or was built without its table of pages.
  init(_ store: OpenedStore, _ repository: Repository?) throws {
    tables = try store.read("add up the pages") { db in
      let statements = Statements(db)
      var parts: [Part] = []
      try statements(
        """
        SELECT coalesce(entry.tbl_name, page.name) AS part, sum(page.pgsize)
        FROM dbstat AS page LEFT JOIN sqlite_schema AS entry ON entry.name = page.name
        WHERE page.aggregate = 1 GROUP BY part
        """
      ).forEach { parts.append(Part(name: try $0.text(0), byteCount: try $0.integer(1))) }
      let free = try statements(
        """
        SELECT freelist_count * page_size FROM pragma_freelist_count, pragma_page_size
        """
      ).first { try $0.integer(0) }
      if let free, free > 0 { parts.append(Part(name: "free pages", byteCount: free)) }
      return Self.largest(parts)
    }
    guard let repository else { return }
    lists = try repository.read("add up the lists") { db in
      let statements = Statements(db)
      var parts: [Part] = []
      try statements(
        """
        WITH log (list, bytes) AS (
            SELECT list, sum(length(entries) + coalesce(length(seams), 0)) FROM change GROUP BY list),
          blocks (list, bytes) AS (SELECT list, sum(length(members)) FROM block GROUP BY list)
        SELECT list.name, log.bytes, blocks.bytes FROM list LEFT JOIN log ON log.list = list.id
          LEFT JOIN blocks ON blocks.list = list.id
        ORDER BY coalesce(log.bytes, 0) + coalesce(blocks.bytes, 0) DESC, list.name LIMIT 20
        """
      ).forEach { row in
        let name = try row.text(0)
        parts.append(Part(name: "log of \(name)", byteCount: try row.integerIfPresent(1) ?? 0))
        parts.append(Part(name: "order of \(name)", byteCount: try row.integerIfPresent(2) ?? 0))
      }
      return Self.largest(parts)
    }
  }

  private static func largest(_ parts: [Part]) -> [Part] {
    let sorted = parts.sorted { ($1.byteCount, $0.name) < ($0.byteCount, $1.name) }
    return Array(sorted.prefix(mostParts))
  }
}
