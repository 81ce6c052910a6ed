import BatchUpdates
import Foundation
import GRDB
import ListModel
import ListStore
import Providers
import StoreSchema
import TestSupport
import Testing

/// The app's own data about a list, in the same commits as its items.
@Suite struct ListMetaTests {
  private let folder: TemporaryFolder
  private let repository: Repository
  private var file: URL { folder.file("store.sqlite") }

  init() throws {
    folder = try TemporaryFolder()
    repository = try Repository(at: folder.file("store.sqlite"))
  }

  private static func item(_ id: ItemID) -> Item { Item(id: id, cell: "C", content: "1") }

  /// Revision 1 has `{"next":1}`, revision 2 `{"next":2}` and an item more, revision 3 none.
  private func fill() throws {
    try repository.edit("list") { list throws in
      try list.insertSection("s")
      try list.insert(Self.item("a"), in: "s")
      try list.setMeta("{\"next\":1}")
      #expect(try list.meta() == "{\"next\":1}")
    }
    try repository.edit("list") { list throws in
      try list.insert(Self.item("b"), in: "s")
      try list.setMeta("{\"next\":2}")
    }
    try repository.edit("list") { list throws in try list.setMeta(nil) }
  }

  @Test func everyRevisionHasItsOwn() throws {
    try fill()
    let expected: [JSON?] = [nil, "{\"next\":1}", "{\"next\":2}", nil]
    for (revision, meta) in expected.enumerated() {
      let tree = try repository.tree(of: "list", at: revision)
      #expect(tree.meta == meta)
      #expect(tree.json().contains("\"meta\"") == (meta != nil))
      #expect(try ListTree(parsing: Array(tree.json().utf8)).meta == meta)
    }
    try checkInvariants(of: file)
    try checkLogAgreesWithRows(of: "list", in: repository, "meta")
  }

  @Test func itIsUndoneWithItsCommitUnlessALaterOneHasSetIt() throws {
    try fill()
    try repository.undoCommit(3, of: "list")
    #expect(try repository.tree(of: "list").meta == "{\"next\":2}")
    try repository.undoCommit(2, of: "list")
    let undone = try repository.tree(of: "list")
    #expect(undone.meta == "{\"next\":1}")
    #expect(undone.sections[0].items.map(\.id) == ["a"])
    try repository.commit([.updateList(meta: "7"), .updateList(meta: "8")], to: "list")
    try repository.undoCommit(1, of: "list")
    #expect(try repository.tree(of: "list").meta == "8")
    try checkInvariants(of: file)
  }

  @Test func whatMeansTheSameIsNoChange() throws {
    try repository.commit([.updateList(meta: "{\"a\":1,\"b\":2}")], to: "list")
    for same in ["{\"b\":2,\"a\":1.0}", "{\"a\":1,\"b\":2}"] as [JSON] {
      #expect(try repository.edit("list") { try $0.setMeta(same) }.commit == nil)
    }
    #expect(try repository.edit("list") { try $0.setMeta(.null) }.commit != nil)
    #expect(try repository.edit("list") { try $0.setMeta(nil) }.commit == nil)
    #expect(try repository.revision(of: "list") == 2)
  }

  @Test func aProviderAdvancesToItByAnUpdateThatDrawsNothing() throws {
    try fill()
    var provider = try repository.provider(for: "list")
    var replayed = Provider(ListTree(list: "list"))
    for commit in try repository.commits(of: "list") { try replayed.apply([commit]) }
    #expect(replayed.tree == provider.tree)
    let commit = try repository.commit([.updateList(meta: "[1]")], to: "list")
    let update = try provider.apply([commit])
    #expect(update.mode == .none)
    #expect(update.to == 4)
    #expect(provider.meta == "[1]")
    #expect(try repository.provider(for: "list").meta == "[1]")
    let trees = try [3, 4].map { try repository.tree(of: "list", at: $0) }
    #expect(BatchUpdate(from: trees[0], to: trees[1]).mode == .none)
  }

  @Test func whatIsNoJSONIsADamagedStore() throws {
    try fill()
    let queue = try DatabaseQueue(path: file.path)
    try queue.write { db in
      try db.execute(sql: "UPDATE list SET meta = '{'; UPDATE store SET isBypassed = 0")
    }
    try queue.close()
    let error = #expect(throws: StoreError.self) {
      try Repository(existing: file).tree(of: "list")
    }
    #expect(error?.code == .damagedStore)
    #expect(try !Repository(existing: file).checkInvariants().isEmpty)
  }
}
