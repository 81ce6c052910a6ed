package import Foundation
import GRDB
package import ListModel
import StoreFiles
package import StoreSchema
package import TestSupport
package import Testing

/// Stores, and what is nearly one, in a folder of a test's own.
package final class SchemaBench: Sendable {
  /// Where they lie.
  package let folder: TemporaryFolder
  /// The store.
  package var file: URL { folder.file("store.sqlite") }

  /// A folder without a file.
  package init() throws { folder = try TemporaryFolder() }

  /// A store of this library.
  package func makeStore(migrations: [Migration] = Migration.all) throws {
    #expect(try StoreFile.createIfAbsent(file, migrations: migrations))
  }

  /// A store that has had no migration: a database that only says whose it is.
  package func makeBareStore() throws {
    try change("PRAGMA application_id = \(StoreHeader.applicationID)")
  }

  /// Runs SQL on the file, in rollback mode, and closes it.
  package func change(_ sql: String...) throws {
    let queue = try DatabaseQueue(path: file.path)
    try queue.write { db in for sql in sql { try db.execute(sql: sql) } }
    try queue.close()
  }

  /// A number that a statement gives.
  package func integer(_ sql: String) throws -> Int? {
    let queue = try DatabaseQueue(path: file.path)
    defer { try? queue.close() }
    return try queue.read { db in try Int.fetchOne(db, sql: sql) }
  }

  /// What an action fails with, after checking that it changed no name and no byte in the folder.
  package func refusal<Value>(
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
