/// Where a look for moved lists ended: the history, and which transactions were visible.
struct PostgresCursor: Sendable {
  /// The timeline's number, as the names of the log's files have it.
  let timeline: String
  /// A `pg_snapshot` as text.
  let snapshot: String

  /// The cursor of now, as SQL.
  static let now =
    "left(pg_walfile_name(pg_current_wal_insert_lsn()), 8) || '.' || pg_current_snapshot()::text"

  /// Reads a cursor.
  ///
  /// - Returns: `nil` for a text that PostgreSQL would not read.
  init?(_ text: String) {
    let parts = text.split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count == 2, parts[0].utf8.count == 8,
      parts[0].utf8.allSatisfy({ (0x30...0x39).contains($0) || (0x41...0x46).contains($0) }),
      Self.isSnapshot(parts[1])
    else { return nil }
    timeline = String(parts[0])
    snapshot = String(parts[1])
  }

  /// Whether a text is `xmin:xmax:` and the ids between them that were under way, in their order.
  private static func isSnapshot(_ text: Substring) -> Bool {
    let parts = text.split(separator: ":", omittingEmptySubsequences: false)
    guard parts.count == 3, let first = number(parts[0]), let end = number(parts[1]), first > 0,
      first <= end
    else { return false }
    if parts[2].isEmpty { return true }
    var last = first
    for part in parts[2].split(separator: ",", omittingEmptySubsequences: false) {
      guard let id = number(part), id >= last, id < end else { return false }
      last = id
    }
    return true
  }

  private static func number(_ text: Substring) -> Int? {
    text.utf8.allSatisfy { (0x30...0x39).contains($0) } ? Int(text) : nil
  }
}
