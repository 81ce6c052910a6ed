import Foundation
import StoreSchema

extension Migration {
  /// Migrations that follow the library's own, for tests.
  static func following(_ statements: [String]) -> [Migration] {
    let extra = statements.enumerated().map { offset, sql in
      let version = Migration.latestVersion + 1 + offset
      return Migration(version: version, name: String(format: "v%04d_test", version), sql: sql)
    }
    return Migration.all + extra
  }
}
