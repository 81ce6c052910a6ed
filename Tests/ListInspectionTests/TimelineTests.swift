import Foundation
import GRDB
import ListInspection
import ListModel
import ListStore
import ListTables
import SchemaSupport
import StoreSchema
import TestSupport
import Testing

/// A timeline tells every commit of the log, and what the log lacks.
@Suite struct TimelineTests {
  private let bench: InspectionBench
  private var file: URL { bench.file }

  init() throws { bench = try InspectionBench() }

  private func timeline(
    _ filter: Inspection.CommitFilter = .init(), last: Int = 1_000, hasRates: Bool = false
  ) throws -> Inspection.Timeline.List {
    let timeline = try bench.unchanged {
      try Inspection(of: file).timeline(
        of: "list", matching: filter, last: last, entries: .max, hasRates: hasRates)
    }
    #expect(timeline.findings == [])
    return try #require(timeline.lists.first)
  }

  @Test(arguments: [UInt64(1), 2, 3]) func aRandomHistoryIsToldWithTheSectionsOfItsTime(
    _ seed: UInt64
  ) throws {
    let repository = try Repository(at: file)
    try bench.fill(repository, seed: seed, commits: 60)
    let found = try Inspection(of: file).timeline(last: 1_000, entries: .max)
    #expect(found.findings == [])
    #expect(found.lists.map(\.list) == ["first", "second"])
    for list in found.lists {
      let id = try ListID(list.list)
      let commits = try repository.commits(of: id)
      #expect(list.commits.map(\.revision) == commits.map(\.revision))
      #expect(list.commits.map(\.time) == commits.map(\.time))
      #expect(list.commits.map(\.changeCount) == commits.map(\.entries.count))
      var tree = ListTree(list: id)
      for (facts, commit) in zip(list.commits, commits) {
        #expect(facts.entries.count == commit.entries.count)
        let count = facts.counts.values.reduce(0, +)
        #expect(count == commit.entries.count)
        for (entry, logged) in zip(facts.entries, commit.entries) {
          try expectNames(entry.from, in: tree)
          tree.replay(logged)
          try expectNames(entry.to, in: tree)
        }
      }
      #expect(try tree.sections == repository.tree(of: id).sections)
    }
  }

  private func expectNames(
    _ place: Inspection.Timeline.Place?, in tree: ListTree
  ) throws {
    guard let place, place.path.count == 2 else { return }
    #expect(place.section == tree.sections[place.path[0]].id.rawValue)
  }

  private func insert(_ item: ItemID, in section: SectionID = "s") -> Change {
    .insertItem(Item(id: item, cell: "C", content: "1"), in: section)
  }

  /// Revision 1 by "app"; 2 by "feed", empty; 3 moves "a" to "t"; 4 by "widget"; 5 deletes "s".
  private func fill() throws -> Repository {
    let repository = try Repository(at: file)
    try repository.commit(
      [.insertSection("s"), .insertSection("t"), insert("a"), insert("b")], to: "list")
    try repository.commit([], to: "list", by: .feed)
    try repository.commit([.moveItem("a", in: "t", to: .end)], to: "list")
    try repository.commit([insert("c", in: "t")], to: "list", by: "widget")
    try repository.commit([.deleteSection("s")], to: "list")
    return repository
  }

  /// What a commit that is not told has changed is not read.
  @Test func contentsOfOtherCommitsAreNotRead() throws {
    _ = try fill()
    let queue = try DatabaseQueue(path: file.path)
    try queue.write { db in
      try db.execute(sql: "DELETE FROM content WHERE id = (SELECT min(id) FROM content)")
    }
    try queue.close()
    let inspection = try Inspection(of: file)
    let widget = Inspection.CommitFilter(author: "widget")
    let told = try inspection.timeline(of: "list", matching: widget)
    #expect(told.lists.first?.commits.map(\.revision) == [4])
    #expect(told.findings == [])
    #expect(try inspection.timeline(of: "list", content: .none).findings == [])
    #expect(try inspection.timeline(of: "list").findings.map(\.code) == [.unreadable])
  }

  @Test func commitsAreFilteredByAuthorItemAndSection() throws {
    _ = try fill()
    func revisions(_ filter: Inspection.CommitFilter) throws -> [Int] {
      try timeline(filter).commits.map(\.revision)
    }
    #expect(try revisions(.init()) == [1, 2, 3, 4, 5])
    #expect(try revisions(.init(author: "widget")) == [4])
    #expect(try revisions(.init(author: "wid")) == [])
    #expect(try revisions(.init(item: "a")) == [1, 3])
    #expect(try revisions(.init(item: "b")) == [1, 5])
    #expect(try revisions(.init(section: "s")) == [1, 3, 5])
    #expect(try revisions(.init(section: "t")) == [1, 3, 4])
    #expect(try revisions(.init(author: "app", item: "a", section: "t")) == [3])
    let empty = try timeline().commits[1]
    #expect(empty.changeCount == 0)
    #expect(empty.entries.isEmpty && empty.counts.isEmpty)
    #expect(try timeline(.init(item: "a")).commits[0].entries.map(\.item) == ["a"])
  }

  @Test func theNewestCommitsAreToldAndThatThereAreMore() throws {
    _ = try fill()
    let two = try timeline(last: 2)
    #expect(two.commits.map(\.revision) == [4, 5])
    #expect(two.hasEarlier)
    #expect(try !timeline(last: 5).hasEarlier)
    #expect(try timeline(last: 0).hasEarlier)
  }

  @Test func commitsAreFilteredByTime() throws {
    _ = try fill()
    try DatabaseQueue(path: file.path).write { db in
      try db.execute(sql: "UPDATE listCommit SET time = revision * 1000")
      try db.execute(sql: "UPDATE listCommit SET time = NULL WHERE revision = 3")
    }
    #expect(try timeline(.init(since: 2_000, until: 4_000)).commits.map(\.revision) == [2, 4])
    #expect(try timeline(.init(since: 4_001)).commits.map(\.revision) == [5])
    #expect(try timeline(.init(until: 999)).commits.isEmpty)
    let inspection = try Inspection(of: file)
    #expect(try inspection.revision(of: "list", at: 4_500) == 4)
    #expect(try inspection.revision(of: "list", at: 1) == 0)
  }

  @Test func aCommitThatTakesBackAnotherOneIsSaid() throws {
    let repository = try Repository(at: file)
    try repository.commit([.insertSection("s"), insert("a"), insert("b")], to: "list")
    try repository.commit(
      [.updateItem("a", ItemUpdate(content: .set("2"))), .deleteItem("b")], to: "list")
    try repository.commit([insert("c")], to: "list")
    try repository.undoCommit(2, of: "list")
    try repository.commit([.touchItem("a")], to: "list")
    try repository.undoCommit(4, of: "list")
    let commits = try timeline().commits
    #expect(commits.map(\.undoneBy) == [nil, 4, nil, 6, nil, nil])
    #expect(commits.map(\.undoes) == [nil, nil, nil, 2, nil, 4])
  }

  @Test func aLogThatWasTruncatedSaysFromWhere() throws {
    let repository = try fill()
    try repository.truncateLog(of: "list", keeping: LogRetention(changes: 2))
    let list = try timeline()
    #expect(list.floor > 0)
    #expect(list.revision == 5)
    #expect(list.commits.map(\.revision) == Array(list.floor + 1...5))
    #expect(!list.hasEarlier)
  }

  @Test func aMissingCommitAndAnUnreadableOneHideNoOther() throws {
    _ = try fill()
    try DatabaseQueue(path: file.path).write { db in
      try db.execute(sql: "PRAGMA foreign_keys = OFF")
      try db.execute(sql: "DELETE FROM listCommit WHERE revision = 2")
      try db.execute(sql: "UPDATE change SET entries = '[[99' WHERE revision = 4")
    }
    let timeline = try bench.unchanged { try Inspection(of: file).timeline(of: "list") }
    let list = try #require(timeline.lists.first)
    #expect(list.commits.map(\.revision) == [1, 3, 4, 5])
    #expect(list.commits[2].author == "widget")
    try #require(timeline.findings.map(\.code) == [.unreadable, .log])
    #expect(timeline.findings[0].place == "list \"list\", revision 4")
    #expect(timeline.findings[1].message == "revision 2 is not in the log")
    // Which section an item was in can't be known beyond a commit that can't be read.
    #expect(list.commits[1].entries.first?.from?.section == nil)
    #expect(list.commits[1].entries.first?.from?.path == [0, 0])
  }

  @Test func ratesCountAllCommitsThatFit() throws {
    _ = try fill()
    try DatabaseQueue(path: file.path).write { db in
      // Four times half a day.
      try db.execute(sql: "UPDATE listCommit SET time = revision * 12 * 3600000")
    }
    let rates = try #require(try timeline(last: 1, hasRates: true).rates)
    #expect(rates.map(\.author) == ["app", "feed", "widget"])
    #expect(rates.map(\.commitCount) == [3, 1, 1])
    #expect(rates.map(\.changeCount) == [6, 0, 1])
    let commitsPerHour: Double = 3 / 48
    #expect(rates[0].commitsPerHour == commitsPerHour)
    #expect(rates[0].changesPerDay == 3)
    #expect(try timeline().rates == nil)
  }

  @Test func aLogOfAnEarlierVersionIsTold() throws {
    try TestMigrations.makeStore(at: file)
    let inspection = try Inspection(of: file, migrations: TestMigrations.all)
    let timeline = try inspection.timeline(last: 10_000, entries: 3)
    #expect(timeline.findings == [])
    for list in timeline.lists {
      let floor = list.floor + 1
      #expect(list.commits.map(\.revision) == Array(floor..<max(floor, list.revision + 1)))
    }
    #expect(!timeline.lists.contains { $0.commits.isEmpty })
  }
}

extension ListTree {
  /// Does what an entry of a log says, written anew for the test.
  fileprivate mutating func replay(_ entry: LogEntry) {
    switch entry {
    case .updateList(_, let after): meta = after
    case .insertSection(let id, let attributes, let index):
      sections.insert(Section(id: id, attributes: attributes), at: index)
    case .deleteSection(_, let index): sections.remove(at: index)
    case .moveSection(_, let from, let to): sections.insert(sections.remove(at: from), at: to)
    case .updateSection(_, let index, _, let after): sections[index].attributes = after
    case .insertItem(let item, let path):
      sections[path.section].items.insert(item, at: path.item)
    case .deleteItem(_, let path): sections[path.section].items.remove(at: path.item)
    case .moveItem(_, let from, let to):
      let item = sections[from.section].items.remove(at: from.item)
      sections[to.section].items.insert(item, at: to.item)
    case .updateItem(_, let path, _, let after):
      sections[path.section].items[path.item].state = after
    case .touchItem: break
    }
  }
}
