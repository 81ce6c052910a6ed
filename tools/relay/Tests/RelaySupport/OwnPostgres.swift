import Foundation

/// A PostgreSQL server of one test's own, to promote, or to let wait.
package final class OwnPostgres: Sendable {
  private let folder: URL
  private let port: Int
  /// Its address, as libpq reads it.
  package let address: String

  /// Starts a server; of another one, as its synchronous standby.
  package init(standbyOf primary: OwnPostgres? = nil) throws {
    let folder = URL(fileURLWithPath: "/tmp/cellar-own-\(UUID().uuidString.prefix(8))")
    let port = 10_000 + Int.random(in: 0..<10_000)
    self.folder = folder
    self.port = port
    address =
      if let primary {
        try TestPostgres.run("standby", folder.path, "\(port)", "\(primary.port)")
      } else { try TestPostgres.run("start", folder.path, "\(port)", "fsync = off") }
  }

  deinit {
    _ = try? TestPostgres.run("stop", folder.path)
    try? FileManager.default.removeItem(at: folder)
  }

  /// Ends a standby's following: it takes writes, on a later timeline.
  package func promote() throws { _ = try TestPostgres.run("promote", folder.path) }

  /// Has commits wait for a standby of a name; for none with an empty one.
  package func requireStandby(_ name: String) throws {
    try TestPostgres.query(
      address, "ALTER SYSTEM SET synchronous_standby_names = '\(name)'", "SELECT pg_reload_conf()")
  }
}
