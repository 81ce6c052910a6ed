package import GRDB
package import ListModel
import StoreFiles

/// One step of the schema: a file of `migrations/`.
package struct Migration: Sendable {
  /// The version that it leads to: 1 for the first migration, and one more for each later one.
  package let version: Int
  /// The file's name without its extension: `v0001_lists`.
  package let name: String
  /// The file's text.
  package let sql: String
  /// See ``checksum(of:)``.
  package let checksum: String

  /// A migration; its checksum is computed if it is not given.
  package init(version: Int, name: String, checksum: String? = nil, sql: String) {
    self.version = version
    self.name = name
    self.sql = sql
    self.checksum = checksum ?? Self.checksum(of: sql)
  }

  /// The parts of the file.
  ///
  /// - Throws: ``/ListModel/StoreError`` for a directive that can't be understood.
  package func script() throws(StoreError) -> MigrationScript {
    try MigrationScript(sql, file: "\(name).sql")
  }

  /// Applies the migration, inside a transaction that is open.
  package func apply(to db: Database) throws { try db.execute(sql: script().up) }

  /// Whether it copies rows to other tables, so that both take room for a while.
  package var rewritesTables: Bool {
    MigrationScript.withoutWayDown(sql).contains("DROP TABLE")
  }

  /// The version that this library reads and writes.
  package static var latestVersion: Int { all.latestVersion }

  /// The checksum of the first migration before the first release: the stores that it began were
  /// never supported, whatever their versions.
  package static let unreleasedChecksum =
    "1:21ac3dcc532c9ea54826ed28497236cf87763d4bd2fe34a0a451b96b1d38b36c"

  /// The checksum of a migration's SQL; comments, line ends, white space and the way down do not
  /// change it.
  ///
  /// `1:` is the version of the rule in ``canonicalSQL(of:)``, then SHA-256 in hexadecimal.
  package static func checksum(of sql: String) -> String {
    "1:"
      + Digest.sha256Hexadecimal(
        Array(canonicalSQL(of: String(MigrationScript.withoutWayDown(sql))).utf8))
  }

  /// The SQL without comments, and with one space for each run of white space outside quotes.
  package static func canonicalSQL(of sql: String) -> String {
    var canonical: [UInt8] = []
    var needsSpace = false
    var bytes = sql.utf8.makeIterator()
    var next = bytes.next()
    func append(_ byte: UInt8) {
      if needsSpace, !canonical.isEmpty { canonical.append(UInt8(ascii: " ")) }
      needsSpace = false
      canonical.append(byte)
    }
    while let byte = next {
      next = bytes.next()
      switch (byte, next) {
      case (UInt8(ascii: "-"), UInt8(ascii: "-")):
        while let skipped = next, skipped != UInt8(ascii: "\n") { next = bytes.next() }
        needsSpace = true
      case (UInt8(ascii: "/"), UInt8(ascii: "*")):
        var previous: UInt8 = 0
        next = bytes.next()
        while let skipped = next {
          next = bytes.next()
          if previous == UInt8(ascii: "*"), skipped == UInt8(ascii: "/") { break }
          previous = skipped
        }
        needsSpace = true
      case (UInt8(ascii: "'"), _), (UInt8(ascii: "\""), _), (UInt8(ascii: "`"), _),
        (UInt8(ascii: "["), _):
        // A doubled quote inside ends one quotation and begins another: the bytes are the same.
        let end = byte == UInt8(ascii: "[") ? UInt8(ascii: "]") : byte
        append(byte)
        while let quoted = next {
          canonical.append(quoted)
          next = bytes.next()
          if quoted == end { break }
        }
      case (0x20, _), (0x09...0x0D, _): needsSpace = true
      default: append(byte)
      }
    }
    return String(decoding: canonical, as: UTF8.self)
  }
}

extension [Migration] {
  /// The version that these migrations, from the first one on, lead to.
  package var latestVersion: Int { last?.version ?? 0 }
}
