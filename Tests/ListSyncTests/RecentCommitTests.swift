import BatchUpdates
import GRDB
import ListModel
import ListStore
import ListSync
import Providers
import StoreFiles
import TestSupport
import Testing

/// A reader in the process that commits gets the commits themselves; others read the log.
@Suite struct RecentCommitTests {
  private let folder: TemporaryFolder
  private let repository: Repository
  private let statements = Statements()

  private final class Statements: Sendable {
    private let all = Guarded<[String]>([])

    func attach(to db: Database) {
      db.trace { event in
        let sql = "\(event)"
        self.all.withValue { $0.append(sql) }
      }
    }

    /// How often the log's changes were read.
    func logReads(of body: () throws -> Void) rethrows -> Int {
      all.withValue { $0 = [] }
      try body()
      return all.withValue { $0 }.count { $0.contains("entries") && $0.contains("FROM change") }
    }
  }

  init() throws {
    folder = try TemporaryFolder()
    var options = Repository.Options()
    options.prepareConnection = { [statements] db in statements.attach(to: db) }
    repository = try Repository(at: folder.file("store.sqlite"), options: options)
    try repository.commit([.insertSection("s"), Self.insert("a", "1")], to: "list")
  }

  private static func insert(_ item: ItemID, _ content: JSON) -> Change {
    .insertItem(Item(id: item, cell: "Cell", content: content), in: "s")
  }

  private func commit(_ items: ItemID...) throws {
    for item in items { try repository.commit([Self.insert(item, "2")], to: "list") }
  }

  /// Advances a Provider, compares it with the store, and counts the reads of the log.
  private func advance(_ provider: inout Provider) throws -> Int {
    let from = provider.revision
    var batch: BatchUpdate?
    let reads = try statements.logReads { batch = try repository.advance(&provider) }
    #expect(provider.tree == (try repository.tree(of: "list")))
    #expect(batch?.from == from && batch?.to == provider.revision)
    if case .reload(let why) = batch?.mode { Issue.record("\(why)") }
    return reads
  }

  @Test func commitsOfTheSameRepositoryAreNotReadFromTheLog() throws {
    var provider = try repository.provider(for: "list")
    try commit("b", "c")
    #expect(try advance(&provider) == 0)
    let undone = try repository.undoCommit(2, of: "list")
    try repository.edit("list") { list in try list.setMeta(#""title""#) }
    #expect(try advance(&provider) == 0)
    // They are what the log has.
    #expect(try repository.commits(of: "list", after: undone.revision - 1).first == undone)
  }

  @Test func commitsOfOthersAreReadFromTheLog() throws {
    var provider = try repository.provider(for: "list")
    let other = try Repository(at: repository.file)
    try commit("b")
    try other.commit([Self.insert("x", "3")], to: "list")
    try commit("c")
    #expect(try advance(&provider) > 0)
    try commit("d")
    #expect(try advance(&provider) == 0)
  }

  @Test func commitsOfAListThatWasDeletedAreNotThoseOfAnotherOne() throws {
    var provider = try repository.provider(for: "list")
    try commit("b")
    try repository.deleteList("list")
    try repository.commit([.insertSection("s"), Self.insert("y", "1")], to: "list")
    try repository.commit([Self.insert("z", "1")], to: "list")
    try repository.advance(&provider)
    #expect(provider.tree == (try repository.tree(of: "list")))
  }

  /// What is kept is bounded by its bytes, whether of many changes or of large contents.
  @Test func aLargeContentIsReadFromTheLog() throws {
    var provider = try repository.provider(for: "list")
    let large = try JSON(parsing: "\"" + String(repeating: "x", count: 2 << 20) + "\"")
    try repository.commit([Self.insert("large", large)], to: "list")
    #expect(try advance(&provider) > 0)
    try commit("b")
    #expect(try advance(&provider) == 0)
  }

  @Test func manyChangesAreReadFromTheLog() throws {
    var provider = try repository.provider(for: "list")
    for start in [0, 1_000, 2_000] {
      try repository.commit(
        (start..<start + 1_000).map { Self.insert(ItemID(stringLiteral: "n\($0)"), "1") },
        to: "list")
    }
    let reads = try statements.logReads {
      try repository.advance(&provider, policy: UpdatePolicy(budget: .unlimited))
    }
    #expect(reads > 0)
    #expect(provider.tree == (try repository.tree(of: "list")))
  }
}
