import Foundation
import ListModel
import ListStore
import ListSync
import Providers
import TestSupport
import Testing

/// Two processes commit to one list at once, while this one reads.
@Suite struct ConcurrentWriterTests {
  private static let wantedSeconds =
    ProcessInfo.processInfo.environment["CELLAR_WRITERS_SECONDS"].flatMap(Double.init)
  private static let writers = ["A", "B"]

  /// 3 seconds; `CELLAR_WRITERS_SECONDS` asks for another number, and for the figures.
  @Test func noChangeOfTwoProcessesIsLostOrDoubled() throws {
    let seconds = Self.wantedSeconds ?? 3
    let folder = try TemporaryFolder()
    let file = folder.file("store.sqlite")
    var options = Repository.Options()
    options.logRetention = nil
    let repository = try Repository(at: file, options: options)
    try repository.commit(WriterScript.setUp, to: "list")
    let processes = try Self.writers.map { writer in
      try StoreProcess(
        file, ["write", writer, "\(seconds)"], output: folder.file("output-\(writer)"))
    }
    let checks = try readAlong(repository, while: { processes.contains(where: \.isRunning) })
    #expect(checks > 0)
    let outputs = try processes.map { try $0.waitAndRead() }

    let log = try repository.commits(of: "list")
    #expect(log.first?.revision == 1)
    for (writer, output) in zip(Self.writers, outputs) {
      let lines = output.filter { $0 != "busy" }
      let made = log.filter { $0.author.name == writer }
      // Each once, in the order in which the writer made them.
      #expect(lines == made.enumerated().map { "\($1.revision) \($0 + 1)" }, "\(writer)")
      let script = WriterScript(writer: writer)
      for (index, commit) in made.enumerated() {
        #expect(
          commit.entries.map(Subject.init) == script.changes(index + 1).map(Subject.init),
          "\(writer) \(index + 1)")
      }
      #expect(made.count > 1, "\(writer) must get its turn")
      if Self.wantedSeconds != nil {
        let rate = Int(Double(made.count) / seconds)
        print(
          "\(writer): \(made.count) commits, \(rate) a second, busy \(output.count - lines.count)")
      }
    }
    let turns = zip(log, log.dropFirst()).count { $0.author != $1.author }
    #expect(turns > 2, "they must take turns")
    if Self.wantedSeconds != nil { print("\(turns) turns, \(checks) checks") }

    try checkLogAgreesWithRows(of: "list", in: repository)
    let items = try repository.tree(of: "list").sections.flatMap { $0.items.map(\.id) }
    var expected: Set<ItemID> = ["anchor"]
    for writer in Self.writers {
      let count = log.count { $0.author.name == writer }
      for number in max(1, count - WriterScript.itemCount + 1)...max(1, count) {
        expected.insert(WriterScript(writer: writer).item(number))
      }
    }
    #expect(Set(items) == expected)
    #expect(items.count == expected.count)
    try checkInvariants(of: file)
  }

  /// Checks what is read meanwhile: each read is of one moment, and a Provider keeps up.
  ///
  /// - Returns: How often it was checked.
  private func readAlong(
    _ repository: Repository, while isGoingOn: () -> Bool
  ) throws -> Int {
    var followed = try repository.provider(for: "list")
    var checks = 0
    while isGoingOn() {
      #expect(try repository.checkInvariants().isEmpty)
      let pinned = try repository.provider(for: "list")
      let before = pinned.tree
      #expect(before == (try repository.tree(of: "list", at: pinned.revision)))
      let revision = followed.revision
      try repository.advance(&followed)
      #expect(followed.revision >= max(revision, pinned.revision))
      #expect(followed.tree == (try repository.tree(of: "list", at: followed.revision)))
      // Others have committed meanwhile; what is pinned has not moved.
      #expect(pinned.tree == before)
      #expect(repository.diagnostics["mismatch"] == nil)
      checks += 1
    }
    return checks
  }

  /// What a change or an entry is about.
  private struct Subject: Equatable {
    var kind = ""
    var item: ItemID?

    init(_ change: Change) {
      switch change {
      case .insertItem(let item, _, _): (kind, self.item) = ("insert", item.id)
      case .updateItem(let item, _): (kind, self.item) = ("update", item)
      case .moveItem(let item, _, _): (kind, self.item) = ("move", item)
      case .deleteItem(let item): (kind, self.item) = ("delete", item)
      default: break
      }
    }

    init(_ entry: LogEntry) {
      switch entry {
      case .insertItem(let item, _): (kind, self.item) = ("insert", item.id)
      case .updateItem(let item, _, _, _): (kind, self.item) = ("update", item)
      case .moveItem(let item, _, _): (kind, self.item) = ("move", item)
      case .deleteItem(let item, _): (kind, self.item) = ("delete", item.id)
      default: break
      }
    }
  }
}
