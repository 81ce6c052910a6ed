import Foundation
import StoreFiles
import StoreSchema
import Testing

/// A checksum is of what SQL says, not of how it is written.
@Suite struct MigrationChecksumTests {
  private func migration(_ sql: String) -> Migration {
    Migration(version: 1, name: "v0001_test", sql: sql)
  }

  private static let sql = "CREATE TABLE a (b TEXT DEFAULT 'x  y', c INTEGER);\nSELECT 1;\n"

  @Test(arguments: [
    "CREATE TABLE a (b TEXT DEFAULT 'x  y', c INTEGER);\r\nSELECT 1;\r\n",
    "-- first\nCREATE TABLE a (b TEXT DEFAULT 'x  y', c INTEGER); -- it's \"quoted\"\nSELECT 1;",
    "/* first */ CREATE TABLE a\n\t(b TEXT\n  DEFAULT 'x  y', c INTEGER); /* '*/ SELECT\u{C}1;",
    "CREATE/**/TABLE/***/a/* * / */(b TEXT DEFAULT 'x  y', c INTEGER);--\nSELECT--\r\n1; -- end",
    "  CREATE TABLE a (b TEXT DEFAULT 'x  y', c INTEGER); SELECT 1;   \n\n",
  ])
  func commentsLineEndsAndWhiteSpaceDoNotCount(_ other: String) {
    // Space between a name and a bracket is folded to one, not taken away.
    let spaced = other.replacingOccurrences(of: "*/(b", with: "*/ (b")
    #expect(Migration.canonicalSQL(of: spaced) == Migration.canonicalSQL(of: Self.sql))
    #expect(migration(spaced).checksum == migration(Self.sql).checksum)
  }

  @Test(arguments: [
    "CREATE TABLE a (b TEXT DEFAULT 'x y', c INTEGER); SELECT 1;",
    "CREATE TABLE a (b TEXT DEFAULT 'x\r\ny', c INTEGER); SELECT 1;",
    "CREATE TABLE a (b TEXT DEFAULT 'X  y', c INTEGER); SELECT 1;",
    "CREATE TABLE a (b TEXT DEFAULT 'x  y', c REAL); SELECT 1;",
    "CREATE TABLE a (b TEXT DEFAULT 'x  y', cINTEGER); SELECT 1;",
    "CREATE TABLE a (b TEXT DEFAULT 'x  y', c INTEGER); SELECT 12;",
    "CREATE TABLE a (b TEXT DEFAULT 'x  y', c INTEGER); -- SELECT 1;",
    "create table a (b TEXT DEFAULT 'x  y', c INTEGER); SELECT 1;",
  ])
  func aChangedTokenOrTextCounts(_ other: String) {
    #expect(migration(other).checksum != migration(Self.sql).checksum)
  }

  @Test func whatLooksLikeACommentInQuotesIsKept() {
    for (open, close) in [("'", "'"), ("\"", "\""), ("`", "`"), ("[", "]")] {
      for text in ["a -- b", "a /* b */ c", "--", "  "] {
        let sql = "SELECT \(open)\(text)\(close), 1"
        #expect(Migration.canonicalSQL(of: sql) == sql)
        #expect(migration(sql + " -- end").checksum == migration(sql).checksum)
      }
    }
    #expect(Migration.canonicalSQL(of: "SELECT 'it''s -- me' -- no") == "SELECT 'it''s -- me'")
  }

  @Test func minusAndDivisionAreNoComments() {
    #expect(
      Migration.canonicalSQL(of: "SELECT 1 - -1, 4 / 2 * 3, 1-1") == "SELECT 1 - -1, 4 / 2 * 3, 1-1"
    )
  }

  @Test func textsThatEndInsideAQuoteOrACommentAreRead() {
    for sql in ["SELECT 'a", "SELECT 1 /* a", "SELECT 1 --", "SELECT 1 /*", "'", "/", "-", ""] {
      #expect(Migration.canonicalSQL(of: sql).utf8.count <= sql.utf8.count)
    }
  }

  @Test func aChecksumSaysItsRuleAndIsSHA256OfTheCanonicalText() {
    // SHA-256 of "SELECT 1;", by another program.
    #expect(
      migration("SELECT  1; -- x").checksum
        == "1:17db4fd369edb9244b9f91d9aeed145c3d04ad8ba6e95d06247f07a63527d11a")
    #expect(
      Digest.sha256Hexadecimal([])
        == "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855")
  }
}
