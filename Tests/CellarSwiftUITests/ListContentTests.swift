import BatchUpdates
import CellarSwiftUI
import Foundation
import ListItems
import ListModel
import ListStore
import ListSync
import Providers
import SuiteSupport
import TestSupport
import Testing

/// What SwiftUI's views get of a list.
@Suite(.timeLimit) @MainActor struct ListContentTests {
  private struct Book: ListItem, Equatable {
    typealias Cell = Never
    var id: String
    var title: String
  }

  private struct Shelf: ListSupplementary, Equatable {
    typealias View = Never
    var name: String
  }

  private let folder: TemporaryFolder
  private let repository: Repository

  init() throws {
    folder = try TemporaryFolder()
    repository = try Repository(at: folder.file("store.sqlite"))
  }

  private var list: LiveList { list(in: repository) }

  private func list(in repository: Repository) -> LiveList {
    repository.liveList("list", items: [Book.self], supplementaries: [Shelf.self])
  }

  private func wait(until isDone: () -> Bool) async throws {
    while !isDone() { try await Task.sleep(for: .milliseconds(1)) }
  }

  @Test(arguments: 0..<20) func rowsAreTheItemsOfTheSectionsThatAreShown(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    var expected: [(section: SectionID, items: [ItemID])] = []
    let plan = (0..<Int.random(in: 0...6, using: &random)).map { section in
      (
        id: "s\(section)", isHidden: Bool.random(using: &random),
        items: (0..<Int.random(in: 0...3, using: &random)).map { "i\(section)-\($0)" }
      )
    }
    try list.edit { list throws in
      for section in plan {
        let id = try SectionID(section.id)
        try list.insertSection(
          id, SectionAttributes(visibility: section.isHidden ? .hidden : .shown))
        try list.insert(section.items.map { Book(id: $0, title: "of \($0)") }, in: id)
        if !section.isHidden { expected.append((id, try section.items.map { try ItemID($0) })) }
      }
    }
    let content = ListFollower(list).content
    #expect(content.sections.map(\.id) == expected.map(\.section))
    #expect(content.sections.map { $0.rows.map(\.id) } == expected.map(\.items))
    #expect(content.rows.map(\.id) == expected.flatMap(\.items))
    for row in content.rows {
      #expect(row.value(as: Book.self)?.title == "of \(row.id.rawValue)")
      #expect(content.provider.itemID(at: row.path) == row.id)
    }
  }

  @Test func headersAreValues() throws {
    let header = Shelf(name: "Novels")
    try list.edit { list throws in
      try list.insertSection("a", SectionAttributes(header: try Supplementary(header)))
      try list.insertSection("b")
    }
    let sections = ListFollower(list).content.sections
    #expect(sections.map { $0.value(of: .header, as: Shelf.self) } == [header, nil])
  }

  @Test func onlyRowsWithOtherContentDiffer() async throws {
    try await list.edit { list throws in
      try list.insertSection("a")
      try list.insert(["x", "y"].map { Book(id: $0, title: "old") }, in: "a")
    }
    let follower = ListFollower(list)
    let before = follower.content
    try await list.edit { list throws in
      try list.update("y", as: Book.self) { $0.title = "new" }
      try list.insert(Book(id: "w", title: ""), in: "a", at: .start)
    }
    try await wait { follower.content.rows.count == 3 }
    let rows = Array(follower.content.rows)
    #expect(rows.map(\.id) == ["w", "x", "y"])
    // It moved, and shows what it showed.
    #expect(rows[1] == before.rows[0])
    #expect(rows[2] != before.rows[1])
    #expect(rows[2].value(as: Book.self)?.title == "new")
    // What is shown before SwiftUI draws the view anew stays as it was.
    #expect(before.rows.map { $0.value(as: Book.self)?.title } == ["old", "old"])
  }

  /// With an interval longer than the burst: what is shown within it was not waited for.
  @Test func aBurstOfAnotherProcessIsOneChange() async throws {
    let interval = Duration.seconds(3)
    let follower = ListFollower(list, updateInterval: interval)
    #expect(follower.content.provider.revision == 0)
    #expect(follower.content.rows.isEmpty)
    var changes: [Int] = []
    follower.onChange = { content, batch in
      #expect(batch?.to == content.provider.revision)
      changes.append(content.provider.revision)
    }
    let other = list(in: try Repository(existing: folder.file("store.sqlite")))
    let start = ContinuousClock.now
    try await other.edit { try $0.insertSection("a") }
    try await wait { changes == [1] }
    for number in 0..<100 {
      try await other.edit { try $0.insert(Book(id: "\(number)", title: ""), in: "a") }
    }
    // None has ended, unless the machine is very slow.
    let intervals = Int(start.duration(to: .now) / interval)
    try await wait { follower.content.rows.count == 100 }
    #expect(changes.last == 101)
    #expect(changes.count <= 2 + intervals)
  }

  @Test func aStoreThatCannotBeReadKeepsItsRowsAndTheError() async throws {
    try await list.edit { list throws in
      try list.insertSection("a")
      try list.insert(Book(id: "x", title: ""), in: "a")
    }
    let follower = ListFollower(list)
    var errors: [StoreError.Code?] = []
    follower.onChange = { content, batch in
      #expect(batch == nil)
      errors.append(content.error?.code)
    }
    let other = folder.file("other.sqlite")
    _ = try Repository(at: other)
    _ = rename(other.path, folder.file("store.sqlite").path)
    try await wait { !errors.isEmpty }
    #expect(errors.allSatisfy { $0 == .movedStore })
    #expect(follower.content.rows.map(\.id) == ["x"])
    let closed = try Repository(at: folder.file("closed.sqlite"))
    try closed.close()
    let content = ListFollower(closed.liveList("list")).content
    #expect(content.error?.code == .closed)
    #expect(content.rows.isEmpty)
  }
}
