import ListModel
import StoreSchema

/// Files of migrations: the parts are parts of the file, and the checksum does not go by what it must not
/// go by: comments, line ends, white space and the way down.
func fuzzScripts(_ bytes: [UInt8]) {
  let sql = String(decoding: bytes, as: UTF8.self)
  let canonical = Migration.canonicalSQL(of: sql)
  require(Migration.canonicalSQL(of: canonical) == canonical, "the canonical SQL has another one")
  let normal = KnownSchema.normalForm(of: Array(sql.utf8))
  require(normal == KnownSchema.normalForm(of: Array(canonical.utf8)), "another normal form")
  let checksum = Migration.checksum(of: sql)
  require(Migration.checksum(of: "-- A comment.\n\t\n" + sql) == checksum, "a comment counts")
  guard let script = attempt("script", { try MigrationScript(sql, file: "f.sql") }) else { return }
  _ = script.canLoseRows
  require(
    Array(sql.utf8.prefix(script.up.utf8.count)) == Array(script.up.utf8),
    "the SQL is not the beginning of the file")
  require(Migration.checksum(of: script.up) == checksum, "the way down counts")
  if let down = script.down {
    require(
      Array(sql.utf8.suffix(down.utf8.count)) == Array(down.utf8),
      "the way down is not the end of the file")
    require(
      script.oneWayReason == nil, "there is a way down, and a reason why there is none")
  }
  let again = requireSuccess("the SQL without its way down") {
    try MigrationScript(script.up, file: "f.sql")
  }
  require(
    again.fewerRows == script.fewerRows && again.lostColumns == script.lostColumns
      && again.renamedTables == script.renamedTables && again.minimumReader == script.minimumReader,
    "the SQL without its way down says something else of itself")
}
