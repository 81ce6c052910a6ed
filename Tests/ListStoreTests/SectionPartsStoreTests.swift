import Foundation
import GRDB
import ListModel
import ListStore
import Providers
import StoreSchema
import TestSupport
import Testing
import ListTables

/// Visibility, further supplementaries and decorations in a store.
@Suite struct SectionPartsStoreTests {
  private let folder: TemporaryFolder
  private let repository: Repository
  private var file: URL { folder.file("store.sqlite") }

  private let full = SectionAttributes(
    header: Supplementary(view: "H", content: "1"), visibility: .hiddenWhenEmpty,
    supplementaries: [
      "badge": Supplementary(view: "B", content: "{\"n\":1.0}"),
      "\u{E9}": Supplementary(view: "B", content: .null),
    ],
    decorations: [
      Decoration(
        view: "Card", zIndex: .min, insets: Insets(top: 1, left: -2.5, bottom: 0, right: 1e6),
        content: "\"\\u00e9\""), Decoration(view: "Line", element: .footer, zIndex: .max),
      Decoration(view: "Card", element: .items),
    ])

  init() throws {
    folder = try TemporaryFolder()
    repository = try Repository(at: folder.file("store.sqlite"))
  }

  @discardableResult
  private func edit<Value>(_ body: (ListEditor) throws -> Value) throws -> Value {
    try repository.edit("list", body).value
  }

  private func count(_ table: String) throws -> Int? {
    let queue = try DatabaseQueue(path: file.path)
    defer { try? queue.close() }
    return try queue.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM \(table)") }
  }

  @Test func theyOutliveARelaunch() throws {
    try edit { list throws in
      try list.insertSection("a", full)
      try list.insertSection("b")
    }
    let relaunched = try Repository(existing: file)
    #expect(try relaunched.tree(of: "list").sections.map(\.attributes) == [full, .init()])
    let provider = try relaunched.provider(for: "list")
    #expect(provider.attributes(ofSection: 0) == full)
    #expect(provider.shown.hiddenSections == [0])
    try checkInvariants(of: file)
  }

  @Test func everyRevisionCanBeReadAndTakenBack() throws {
    try repository.commit([.insertSection("a", full)], to: "list")
    var trees = [try repository.tree(of: "list")]
    let updates = [
      SectionUpdate(visibility: .set(.hidden)),
      SectionUpdate(supplementaries: .set(["badge": Supplementary(view: "B", content: "2")])),
      SectionUpdate(decorations: .set([full.decorations[1]])),
      SectionUpdate(
        visibility: .set(.shown), supplementaries: .set([:]), decorations: .set([])),
      SectionUpdate(decorations: .set(full.decorations + full.decorations)),
    ]
    for update in updates {
      try repository.commit([.updateSection("a", update)], to: "list")
      trees.append(try repository.tree(of: "list"))
    }
    try repository.commit([.deleteSection("a")], to: "list")
    #expect([try count("decoration"), try count("supplementary")] == [0, 0])
    for tree in trees { #expect(try repository.tree(of: "list", at: tree.revision) == tree) }
    for (revision, tree) in zip((2...7).reversed(), trees.reversed()) {
      try repository.undoCommit(revision, of: "list")
      #expect(try repository.tree(of: "list").sections == tree.sections)
    }
    try checkLogAgreesWithRows(of: "list", in: repository)
    try checkInvariants(of: file)
  }

  // MARK: Editing

  @Test func theEditorTellsWhatItTrulyChanged() throws {
    let card = Decoration(view: "Card")
    let line = Decoration(view: "Line")
    let badge = Supplementary(view: "B", content: "1")
    try edit { list throws in
      try list.insertSection("first")
      try list.insertSection("a")
      func update(_ change: (inout SectionAttributes) -> Void) throws -> Int? {
        try list.updateSection("a", change)
      }
      #expect(try update { $0.visibility = .hidden } == 1)
      #expect(try update { $0.visibility = .hidden } == nil)
      #expect(try update { $0.visibility = .hiddenWhenEmpty } == 1)
      #expect(try update { $0.visibility = .shown } == 1)
      #expect(try update { $0.visibility = .shown } == nil)
      for kind in [.header, .footer, "badge", "other"] as [Supplementary.Kind] {
        #expect(try update { $0[kind] = nil } == nil)
        #expect(try update { $0[kind] = badge } == 1)
        #expect(try update { $0[kind] = badge } == nil)
      }
      #expect(try update { $0["other"] = nil } == 1)
      for decoration in [card, line, card] {
        #expect(try update { $0.decorations.append(decoration) } == 1)
      }
      #expect(try update { $0.decorations.removeAll { $0.view == "Card" } } == 1)
      #expect(try update { $0.decorations.removeAll { $0.view == "Card" } } == nil)
      #expect(try update { $0.decorations = [line] } == nil)
      #expect(
        try list.attributes(of: "a")
          == SectionAttributes(
            header: badge, footer: badge, supplementaries: ["badge": badge], decorations: [line]))
      #expect(try list.attributes(of: "none") == nil)
    }
    let commit = try #require(try repository.commits(of: "list").first)
    #expect(commit.entries.count == 14, "nothing that changed nothing is logged")
    #expect(try repository.edit("list") { try $0.updateSection("a") { _ in } }.commit == nil)
  }

  @Test func aSectionThatIsNotThereIsAnError() throws {
    try edit { try $0.insertSection("a") }
    let error = #expect(throws: StoreError.self) {
      try edit { try $0.updateSection("none") { $0.visibility = .hidden } }
    }
    #expect(error?.code == .sectionNotFound)
    let wrong = Decoration(view: "V", insets: Insets(top: .infinity, left: 0, bottom: 0, right: 0))
    let refused = #expect(throws: StoreError.self) {
      try edit { try $0.updateSection("a") { $0.decorations.append(wrong) } }
    }
    #expect(refused?.code == .invalidValue)
    #expect(try repository.revision(of: "list") == 1)
  }

  // MARK: Sizes

  @Test func aViewOfAnyKindHasItsSize() throws {
    let key = SizeKey(fittingPixels: 375, environment: LayoutEnvironment())
    let size = Size(width: 20, height: 20)
    try edit { try $0.insertSection("a", full) }
    let provider = try repository.provider(for: "list")
    #expect(provider.keep(size, of: "badge", inSection: 0, for: key))
    #expect(!provider.keep(size, of: "other", inSection: 0, for: key))
    repository.flushSizes()
    let view = try #require(full["\u{E9}"])
    try repository.save(
      [
        MeasuredSupplementarySize(section: "a", kind: "\u{E9}", size: size, supplementary: view),
        MeasuredSupplementarySize(section: "a", kind: "other", size: size, supplementary: view),
      ], for: key, in: "list")
    #expect(
      try repository.supplementarySizes(of: "list", for: key)
        == ["a": ["badge": .exact(size), "\u{E9}": .exact(size)]])
    let fresh = try Repository(existing: file).provider(for: "list")
    #expect(fresh.size(of: "badge", inSection: 0, for: key) == .exact(size))
    try edit {
      try $0.updateSection("a") { $0["badge"] = Supplementary(view: "B", content: "2") }
    }
    guard case .estimate = try repository.supplementarySizes(of: "list", for: key)["a"]?["badge"]
    else {
      Issue.record("the size of other content is no estimate")
      return
    }
    try edit { try $0.updateSection("a") { $0["badge"] = nil } }
    #expect(
      try repository.supplementarySizes(of: "list", for: key) == ["a": ["\u{E9}": .exact(size)]])
    try checkInvariants(of: file)
  }

  // MARK: Damage

  @Test func rowsThatTheListDoesNotHaveAreFound() throws {
    try edit { try $0.insertSection("a", full) }
    let queue = try DatabaseQueue(path: file.path)
    try queue.write { db in
      try db.execute(sql: "UPDATE decoration SET ordinal = 7 WHERE ordinal = 2")
      try db.execute(sql: "UPDATE store SET isBypassed = 0")
    }
    try queue.close()
    let problems = try Repository(existing: file).checkInvariants()
    #expect(problems.map(\.message) == ["sections whose decorations are not numbered from 0 on: 1"])
  }

  @Test(arguments: [
    "UPDATE section SET visibility = 'gone'", "UPDATE decoration SET element = 'cell'",
    "UPDATE decoration SET item = 'i' WHERE element = 'items'",
    "UPDATE supplementary SET kind = '' WHERE kind = 'badge'",
    "UPDATE decoration SET content = '{' WHERE ordinal = 0",
  ])
  func aValueThatNoSectionHasIsATypedError(_ sql: String) throws {
    try edit { try $0.insertSection("a", full) }
    let queue = try DatabaseQueue(path: file.path)
    try queue.writeWithoutTransaction { db in
      try db.execute(sql: "PRAGMA ignore_check_constraints = ON; \(sql)")
      try db.execute(sql: "UPDATE store SET isBypassed = 0")
    }
    try queue.close()
    let repository = try Repository(existing: file)
    let error = #expect(throws: StoreError.self) { try repository.tree(of: "list") }
    #expect(error?.code == .damagedStore)
  }
}
