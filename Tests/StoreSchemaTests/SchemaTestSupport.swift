import Foundation
import GRDB
import ListModel
import StoreSchema
import TestSupport
import Testing

/// Stores, and what is nearly one, in a folder of a test's own.
final class SchemaBench: Sendable {
  let folder: TemporaryFolder
  var file: URL { folder.file("store.sqlite") }

  init() throws { folder = try TemporaryFolder() }

  /// A store of this library.
  func makeStore() throws { #expect(try StoreFile.createIfAbsent(file)) }

  /// A store that has had no migration: a database that only says whose it is.
  func makeBareStore() throws {
    try change("PRAGMA application_id = \(StoreHeader.applicationID)")
  }

  /// Runs SQL on the file, in rollback mode, and closes it.
  func change(_ sql: String...) throws {
    let queue = try DatabaseQueue(path: file.path)
    try queue.write { db in for sql in sql { try db.execute(sql: sql) } }
    try queue.close()
  }

  func integer(_ sql: String) throws -> Int? {
    let queue = try DatabaseQueue(path: file.path)
    defer { try? queue.close() }
    return try queue.read { db in try Int.fetchOne(db, sql: sql) }
  }

  /// What an action fails with, after checking that it changed no name and no byte in the folder.
  func refusal<Value>(
    sourceLocation: SourceLocation = #_sourceLocation, _ action: () throws -> Value
  ) throws -> StoreError? {
    let before = try FolderSnapshot(of: folder.url)
    var failure: StoreError?
    do {
      _ = try action()
      Issue.record("nothing was refused", sourceLocation: sourceLocation)
    } catch {
      failure = error as? StoreError
      #expect(failure != nil, "\(error)", sourceLocation: sourceLocation)
    }
    let after = try FolderSnapshot(of: folder.url)
    #expect(before.contents == after.contents, sourceLocation: sourceLocation)
    return failure
  }
}

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
