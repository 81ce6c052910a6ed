import Foundation
import GRDB
import ListInspection
import ListModel
import ListStore
import SchemaSupport
import StoreFiles
import StoreSchema
import TestSupport
import Testing

/// A store that is read in place is read as a copy of it is, or refused; nothing of it changes.
@Suite struct InPlaceTests {
  private let bench: InspectionBench
  private var file: URL { bench.file }

  init() throws { bench = try InspectionBench() }

  @Test func everyQuestionHasTheAnswerOfACopy() throws {
    let trees = try bench.makeStoreWithLog().whole
    let copied = try lookAtAll(file)
    let found = try bench.unchanged { try lookAtAll(file, inPlace: true) }
    #expect(found.heads == trees.exports)
    #expect(try json(found.summary) == json(copied.summary))
    let inspections = try [false, true].map { try Inspection(of: file, inPlace: $0) }
    let answers = try bench.unchanged {
      try inspections.map { inspection in
        [
          try json(inspection.space()), try json(inspection.sizes()),
          try json(inspection.usedNames()),
          try json(inspection.query("SELECT * FROM itemInOrder")),
          inspection.report().html,
        ]
      }
    }
    for (copied, found) in zip(answers[0], answers[1]) {
      let isEqual = copied == found
      #expect(isEqual, "\(found.prefix(40))")
    }
    for inspection in inspections { try inspection.requireUnchanged() }
  }

  private func json(_ value: some Encodable) throws -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    return String(decoding: try encoder.encode(value), as: UTF8.self)
  }

  @Test func anotherStoreIsWrittenAsBefore() throws {
    let trees = try bench.makeStore()
    let inspection = try Inspection(of: file, inPlace: true)
    // A connection that was opened after SQLite's file layer was put before the system's.
    let other = try InspectionBench()
    let written = try other.makeStore(seed: 5)
    #expect(try FolderSnapshot(of: other.folder.url).names == ["store.sqlite"])
    #expect(try lookAtAll(other.file).heads == written.exports)
    for (list, export) in trees.exports {
      #expect(try inspection.export(ListID(list)) == export)
    }
  }

  @Test func nothingCanBeWrittenUnderTheNameForSQLite() throws {
    _ = try bench.makeStoreWithLog()
    let place = try InPlaceStore(file)
    for name in [place.file, place.fileWithoutLog] {
      try bench.unchanged {
        let queue = try DatabaseQueue(path: name.path, configuration: .store())
        #expect(try queue.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM list") } == 2)
        for sql in ["DELETE FROM content", "VACUUM", "PRAGMA journal_mode = DELETE"] {
          #expect(throws: DatabaseError.self, "\(sql)") {
            try queue.writeWithoutTransaction { try $0.execute(sql: sql) }
          }
        }
        try queue.close()
      }
    }
  }

  @Test func aCommitOfTheLogIsTheEndOfWhatIsRead() throws {
    let source = try InspectionBench()
    let repository = try Repository(at: source.file)
    var states: [Int: String] = [:]
    for number in 1...6 {
      try repository.commit([.insertSection(SectionID("s\(number)"))], to: "list")
      let count = try #require(try Inspection(of: source.file).evidence.log).commitCount
      states[count] = try repository.tree(of: "list").json()
    }
    for suffix in ["", "-wal"] {
      try FileManager.default.copyItem(
        atPath: source.file.path + suffix, toPath: file.path + suffix)
    }
    let inspection = try Inspection(of: file, inPlace: true)
    for (commit, expected) in states {
      let earlier = try bench.unchanged { try inspection.atLogCommit(commit).export("list") }
      #expect(earlier == expected, "commit \(commit)")
    }
    #expect(throws: StoreError.self) { try inspection.atLogCommit(0).export("list") }
  }

  @Test func aStoreThatIsOpenIsRefusedUntilItIsClosed() throws {
    var repository: Repository? = try Repository(at: file)
    try bench.fill(#require(repository))
    for _ in 0..<2 {
      // Nothing compares bytes here: reading the files gives back the locks of this process.
      let error = #expect(throws: StoreError.self) { try Inspection(of: file, inPlace: true) }
      #expect(error?.code == .busy)
      #expect(error?.message.contains("a connection has the store open") == true)
      #expect(error?.message.contains("leave out --in-place") == true)
    }
    try bench.fill(#require(repository), seed: 2, commits: 2)
    repository = nil
    let inspection = try Inspection(of: file, inPlace: true)
    #expect(inspection.check().map(\.code) == [])
  }

  @Test(arguments: ["IMMEDIATE", "EXCLUSIVE"]) func aWriterWithAJournalIsRefused(
    kind: String
  ) throws {
    try bench.makeStore()
    let queue = try DatabaseQueue(path: file.path)
    try queue.writeWithoutTransaction { db in
      try db.execute(sql: "PRAGMA journal_mode = DELETE; BEGIN \(kind)")
      let error = #expect(throws: StoreError.self) { try Inspection(of: file, inPlace: true) }
      #expect(error?.code == .busy)
      try db.execute(sql: "ROLLBACK")
    }
    try queue.close()
    #expect(try Inspection(of: file, inPlace: true).findings == [])
  }

  @Test func aStoreOfAnEarlierVersionIsRefused() throws {
    try TestMigrations.makeStore(at: file)
    let error = #expect(throws: StoreError.self) {
      try bench.unchanged {
        try Inspection(of: file, inPlace: true, migrations: TestMigrations.all)
      }
    }
    #expect(error?.code == .notReadable)
    #expect(error?.message.contains("schema version \(Migration.latestVersion)") == true)
  }

  @Test(arguments: [true, false]) func aStoreOfAnUnreleasedSchemaIsRefused(
    _ isInPlace: Bool
  ) throws {
    try FileManager.default.copyItem(at: PackageFiles.fixture("unreleased.sqlite"), to: file)
    let error = #expect(throws: StoreError.self) {
      try bench.unchanged { try Inspection(of: file, inPlace: isInPlace) }
    }
    #expect(error?.code == .modifiedMigration)
    #expect(error?.file == file.path)
    #expect(error?.message.contains("a store of an unreleased schema") == true)
  }

  @Test func aCommitMeanwhileIsTold() throws {
    try bench.makeStore()
    let inspection = try Inspection(of: file, inPlace: true)
    try inspection.requireUnchanged()
    try Repository(existing: file).commit([], to: "first")
    let error = #expect(throws: StoreError.self) { try inspection.requireUnchanged() }
    #expect(error?.code == .changedMeanwhile)
  }

  @Test func theNewStoreOfARedactionIsThatOfACopy() throws {
    _ = try bench.makeStoreWithLog()
    let elsewhere = try TemporaryFolder()
    var options = StoreRedaction.Options()
    options.seed = 1
    let exports = try [false, true].map { inPlace in
      let newFile = elsewhere.file("\(inPlace).sqlite")
      _ = try bench.unchanged {
        try? FileManager.default.removeItem(at: newFile)
        return try Inspection(of: file, inPlace: inPlace).redact(to: newFile, options: options)
      }
      return try lookAtAll(newFile).heads
    }
    #expect(exports[0] == exports[1])
  }
}
