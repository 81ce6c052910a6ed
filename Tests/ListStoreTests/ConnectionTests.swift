import Foundation
import GRDB
import ListModel
import ListStore
import Providers
import StoreFiles
import TestSupport
import Testing

/// What opening a store costs: connections, and what is written.
@Suite struct ConnectionTests {
  private let folder: TemporaryFolder
  private var file: URL { folder.file("store.sqlite") }
  private let opened = Guarded(0)

  init() throws {
    folder = try TemporaryFolder()
    let item = Item(id: "i", cell: "Cell", content: "1")
    try Repository(at: file).commit([.insertSection("s"), .insertItem(item, in: "s")], to: "list")
  }

  /// Its connections are counted.
  private func open(_ durability: Repository.Durability = .normal) throws -> Repository {
    var options = Repository.Options()
    options.otherProcesses = .ignored
    options.durability = durability
    options.prepareConnection = { [opened] _ in opened.withValue { $0 += 1 } }
    return try Repository(at: file, options: options)
  }

  private func read(_ repository: Repository) throws -> Item? {
    try repository.provider(for: "list").item(at: ItemPath(section: 0, item: 0))
  }

  /// Each one reads the schema, for which a launch would wait.
  @Test func whoeverComesFirstGetsTheConnectionThatOpenedTheStore() throws {
    let change = Change.updateItem("i", ItemUpdate(content: .set("2")))
    let reader = try open()
    #expect(try read(reader)?.state.content == "1")
    #expect(opened.withValue { $0 } == 1)
    try reader.commit([change], to: "list")
    #expect(opened.withValue { $0 } == 2)
    try reader.close()

    let writer = try open()
    try writer.commit([change], to: "list")
    #expect(opened.withValue { $0 } == 3)
    #expect(try read(writer)?.state.content == "2")
    #expect(opened.withValue { $0 } == 4)
    try writer.close()
  }

  @Test(arguments: [Repository.Durability.normal, .full])
  func whatIsOpenedAndReadIsNotWritten(_ durability: Repository.Durability) throws {
    let before = try folder.contents()
    let repository = try open(durability)
    #expect(try read(repository) != nil)
    #expect(try folder.contents()["store.sqlite-wal"]?.isEmpty == true)
    try repository.close()
    #expect(try folder.contents() == before)
  }

  @Test func aLaunchDoesNotWaitForWhoWrites() throws {
    let holder = try DatabaseQueue(path: file.path)
    try holder.writeWithoutTransaction { db in
      try db.execute(sql: "BEGIN EXCLUSIVE")
      #expect(try read(open()) != nil)
      try db.execute(sql: "ROLLBACK")
    }
    try holder.close()
  }

  @Test func aStoreThatWasReplacedIsNotWrittenByTheFirstCommit() throws {
    let repository = try open()
    #expect(try read(repository) != nil)
    let other = folder.file("other.sqlite")
    try Repository(at: other).close()
    try FileManager.default.removeItem(at: file)
    try FileManager.default.moveItem(at: other, to: file)
    let before = try Data(contentsOf: file)
    let error = #expect(throws: StoreError.self) {
      try repository.commit([.insertSection("t")], to: "list")
    }
    #expect(error?.code == .movedStore)
    #expect(try Data(contentsOf: file) == before)
  }

  @Test func whatIsClosedBeforeItIsUsedLeavesNothingBehind() throws {
    let repository = try open()
    try repository.close()
    #expect(opened.withValue { $0 } == 1)
    #expect(try folder.contents().keys.sorted() == ["store.sqlite"])
    let error = #expect(throws: StoreError.self) {
      try repository.commit([.insertSection("t")], to: "list")
    }
    #expect(error?.code == .closed)
  }

  @Test func noConnectionIsOpenedForACommitWhileSuspended() throws {
    let repository = try open()
    #expect(try read(repository) != nil)
    repository.suspend()
    let error = #expect(throws: StoreError.self) {
      try repository.commit([.insertSection("t")], to: "list")
    }
    #expect(error?.code == .suspended)
    #expect(opened.withValue { $0 } == 1)
    repository.resume()
    try repository.commit([.insertSection("t")], to: "list")
    #expect(try repository.tree(of: "list").sections.count == 2)
  }
}
