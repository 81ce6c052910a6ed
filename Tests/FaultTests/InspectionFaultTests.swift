import Foundation
import ListInspection
import ListModel
import ListStore
import StoreSchema
import TestSupport
import Testing

/// A call to the file system fails while a store is looked at: the look fails, or it is right; and
/// the store is as it was, to the byte.
@Suite struct InspectionFaultTests {
  /// All that a look says of a store.
  private struct Look: Equatable {
    var summary: Data
    /// What SQLite's check of the file found.
    var integrity: [String]
    var exports: [String]

    init(at file: URL, _ migrations: [Migration]) throws {
      let inspection = try Inspection(of: file, migrations: migrations)
      var summary = inspection.summary()
      exports = try summary.lists.map { try inspection.export(ListID($0.list)) }
      integrity = summary.integrity
      summary.file = ""
      summary.integrity = []
      summary.findings = []
      let encoder = JSONEncoder()
      encoder.outputFormatting = .sortedKeys
      self.summary = try encoder.encode(summary)
    }
  }

  @Test(arguments: ["write", "open after a crash", "migrate version \(Migration.latestVersion)"])
  func aLookThatFailsChangesNothing(_ name: String) throws {
    let operation = try #require(
      FaultyOperation.all.first { $0.testDescription == name })
    let folder = try TemporaryFolder()
    let file = folder.file("store.sqlite")
    try operation.prepare(file)
    let expected = try Look(at: file, operation.migrations)
    let before = try FolderSnapshot(of: folder.url)
    // Private copies are somewhere in it, and their names are not known before.
    let scope = try FaultScope(FileManager.default.temporaryDirectory, isOfThisThread: true)
    var generator = SeededGenerator(seed: 3)
    var hits = 0
    scope.count()
    _ = try Look(at: file, operation.migrations)
    for (fault, count) in Fault.all.map({ ($0, scope.calls(of: $0)) }) {
      for call in FaultTests.calls(fault, of: count, in: name, using: &generator) {
        let hint = "\(name): \(fault), call \(call)"
        scope.arm(fault, at: call)
        let look = Result { try Look(at: file, operation.migrations) }
        scope.disarm()
        if scope.failures > 0 { hits += 1 }
        switch look {
        case .success(let look):
          // SQLite's check tells of a page that it could not read, as of any other trouble.
          if look.integrity != ["ok"] {
            #expect(scope.failures > 0 && !look.integrity.isEmpty, "\(hint)")
          } else {
            #expect(look == expected, "\(hint)")
          }
        case .failure(let error):
          let error = try #require(error as? StoreError, "\(hint): \(error)")
          #expect(fault.codes.contains(error.code), "\(error.code): \(hint): \(error)")
          #expect(error.file == file.path, "\(hint)")
        }
        let changes = before.changes(to: try FolderSnapshot(of: folder.url))
        #expect(changes == [], "\(hint)")
      }
    }
    #expect(hits > 10 || FaultTests.wanted != nil, "the calls must fail")
    #expect(try Look(at: file, operation.migrations) == expected)
  }
}
