import Foundation
import GRDB
import ListInspection
import ListItems
import ListModel
import ListStore
import SchemaSupport
import StoreFiles
import StoreSchema
import TestSupport
import Testing
import ListTables

/// A redacted store has the shape and the history of its original, and none of its texts.
@Suite struct RedactionTests {
  private let bench: InspectionBench
  private var newFile: URL { bench.folder.file("redacted.sqlite") }

  init() throws { bench = try InspectionBench() }

  @Test(arguments: 1...SeededGenerator.count(3))
  func everyRevisionHasTheShapeOfTheOriginal(seed: Int) throws {
    try bench.makeStore(seed: UInt64(seed), commits: 60)
    let redaction = try Inspection(of: bench.file).redact(to: newFile)
    #expect(redaction.isClean)
    #expect(redaction.listCount == 2)
    let (old, new) = (try Repository(existing: bench.file), try Repository(existing: newFile))
    #expect(try new.checkInvariants() == [])
    let pairs = try Self.lists(old, new)
    #expect(pairs.count == 2)
    for (list, redacted) in pairs {
      #expect(try new.revision(of: redacted) == old.revision(of: list))
      var names: [String: String] = [:]
      for revision in 0...(try old.revision(of: list)) {
        let (before, after) = (
          try old.tree(of: list, at: revision), try new.tree(of: redacted, at: revision)
        )
        #expect(Self.differences(before, after, &names) == [], "revision \(revision)")
      }
      #expect(Set(names.values).count == names.count)
      let (commits, redactedCommits) = (
        try old.commits(of: list, after: 0), try new.commits(of: redacted, after: 0)
      )
      #expect(commits.map(\.revision) == redactedCommits.map(\.revision))
      #expect(commits.map(\.time) == redactedCommits.map(\.time))
    }
  }

  @Test func noTextIsLeft() throws {
    let secret = "Wuthering Heights, \"zweiter\" Band – naïve 漢字 🦊 \\ \u{7}"
    try makeSecretStore(secret)
    for options in [Self.options(all: false), Self.options(all: true)] {
      try? FileManager.default.removeItem(at: newFile)
      let redaction = try Inspection(of: bench.file).redact(to: newFile, options: options)
      #expect(redaction.isClean)
      #expect(redaction.searchedTextCount > 10)
      let bytes = try Data(contentsOf: newFile)
      #expect(redaction.searchedByteCount == bytes.count)
      var words = [
        "Wuther", "Heights", "zweite", "naïve", "漢字", "🦊", "secret-list", "secret-item",
        "secret-section", "secret-author", "example.org", "nobody@", "secret-owned",
      ]
      if !options.keepsNames {
        words += ["SecretCell", "SecretType", "SecretView", "secret-event"]
      }
      if !options.keepsMembers { words += ["secretMember"] }
      for word in words { #expect(bytes.range(of: Data(word.utf8)) == nil, "\(word)") }
      if options.keepsNames { #expect(bytes.range(of: Data("SecretCell".utf8)) != nil) }
      if options.keepsMembers { #expect(bytes.range(of: Data("secretMember".utf8)) != nil) }
      #expect(try Repository(existing: newFile).checkInvariants() == [])
    }
  }

  @Test func theOutboxIsLeftOut() throws {
    let secret = "Wuthering"
    try bench.makeStore()
    do {
      let repository = try Repository(at: bench.file)
      let list = try repository.lists()[0]
      _ = try repository.editPending(EditTarget(list)) { editor in
        try editor.setMeta(JSON(encoding: secret))
      }
      try repository.edit(list) { try $0.setMeta("1") }
      try repository.truncateLog(of: list, keeping: LogRetention(changes: 0))
    }
    let redaction = try Inspection(of: bench.file).redact(to: newFile)
    #expect(redaction.isClean)
    #expect(try Data(contentsOf: newFile).range(of: Data(secret.utf8)) == nil)
    let repository = try Repository(existing: newFile)
    for list in try repository.lists() { #expect(try repository.pendingEdits(of: list).isEmpty) }
    #expect(try repository.checkInvariants() == [])
  }

  @Test func nestedListsSelectionsAndSizesStay() throws {
    try makeSecretStore("some text of a book")
    _ = try Inspection(of: bench.file).redact(to: newFile)
    let repository = try Repository(existing: newFile)
    let lists = try repository.lists()
    let nested = try #require(lists.first { $0.rawValue.contains("nested") })
    let owner = try #require(try repository.owner(of: nested))
    #expect(owner.name == "chapters")
    #expect(try repository.nestedLists(of: owner.item, in: owner.list).count == 1)
    #expect(try repository.viewState(of: owner.list).selection.items == [owner.item])
    let sizes = try repository.someExactSizes(of: owner.list)
    #expect(sizes.count == 1)
    let inspection = try Inspection(of: newFile)
    #expect(try inspection.export(owner.list).contains("\"size\":[320,44]"))
    let key = SizeKey(fittingPixels: 320, environment: LayoutEnvironment())
    let views = try repository.supplementarySizes(of: owner.list, for: key)
    #expect(views.values.first == [.header: .exact(Size(width: 320, height: 30))])
  }

  @Test func pseudonymsDifferEachTimeUnlessASeedIsGiven() throws {
    try bench.makeStore()
    func names(seed: UInt64?) throws -> [ListID] {
      try? FileManager.default.removeItem(at: newFile)
      var options = StoreRedaction.Options()
      options.seed = seed
      _ = try Inspection(of: bench.file).redact(to: newFile, options: options)
      return try Repository(existing: newFile).lists()
    }
    #expect(try names(seed: 7) == names(seed: 7))
    #expect(try names(seed: nil) != names(seed: nil))
    #expect(try names(seed: 7) != names(seed: 8))
  }

  @Test func timesAreKeptToTheDayOnRequest() throws {
    try bench.makeStore()
    var options = StoreRedaction.Options()
    options.keepsTimes = false
    _ = try Inspection(of: bench.file).redact(to: newFile, options: options)
    let repository = try Repository(existing: newFile)
    let commits = try repository.commits(of: repository.lists()[0], after: 0)
    #expect(!commits.isEmpty)
    #expect(commits.allSatisfy { ($0.time ?? 0) % 86_400_000 == 0 })
  }

  /// The beginning of a log that was cut stands for commits that are gone.
  @Test func aTruncatedLogKeepsItsBeginning() throws {
    try bench.makeStore()
    do {
      let repository = try Repository(existing: bench.file)
      _ = try repository.truncateLog(of: "first", keeping: LogRetention(changes: 20))
    }
    #expect(try Inspection(of: bench.file).redact(to: newFile).isClean)
    let repository = try Repository(existing: newFile)
    #expect(try repository.checkInvariants() == [])
    let lists = try repository.lists()
    let cut = lists.filter { (try? repository.tree(of: $0, at: 0)) == nil }
    #expect(cut.count == 1)
  }

  @Test(arguments: Migration.latestVersion..<TestMigrations.all.latestVersion)
  func aStoreOfAnEarlierVersionIsRedacted(version: Int) throws {
    let all = TestMigrations.all
    try TestMigrations.makeStore(at: bench.file, version: version)
    let redaction = try Inspection(of: bench.file, migrations: all).redact(to: newFile)
    #expect(redaction.isClean)
    #expect(redaction.itemCount > 0)
    #expect(try StoreHeader(of: newFile).schemaVersion == all.latestVersion)
    var options = Repository.Options()
    options.migration.migrations = all
    #expect(try Repository(existing: newFile, options: options).checkInvariants() == [])
  }

  /// Texts that the store's own structure, filler or kept names have are not taken for leftovers.
  @Test func textsThatAreAlsoStructureAreNoLeftovers() throws {
    let repository = try Repository(at: bench.file)
    let texts = [
      "CREATE TABLE trigger supplementaries", "aeonrsuaeonrsu", "{\"name\":true,null}", "section",
      "BookCell", "SQLite format 3", "nested sha256:", "1234567890", "      ------ ......",
    ]
    try repository.edit("list", by: "section") { list in
      try list.insertSection("aeonrsu")
      for text in texts {
        try list.insert(
          Item(
            id: ItemID(text), cell: "BookCell",
            content: try JSON(parsing: "{\"a\":\(JSONString(text)),\"b\":[true,null,false]}")),
          in: "aeonrsu")
      }
    }
    #expect(try Inspection(of: bench.file).redact(to: newFile).isClean)
    let tree = try Repository(existing: newFile).tree(of: Repository(existing: newFile).lists()[0])
    #expect(Set(tree.sections[0].items.map(\.id.rawValue)).isDisjoint(with: texts))
  }

  /// Ids of digits are replaced, while rows have the same digits as numbers.
  @Test func idsOfDigitsAreReplaced() throws {
    let repository = try Repository(at: bench.file)
    let queue = try DatabaseQueue(path: bench.file.path)
    try queue.write { try $0.execute(sql: "UPDATE store SET lastItem = 99990") }
    try queue.close()
    try repository.commit(
      [.insertSection("20241122")]
        + (99_985..<100_015).map { number in
          .insertItem(
            Item(
              id: ItemID(stringLiteral: "\(number)"), cell: "C",
              content: try JSON(parsing: "\"\\u0032 \(number)\"")), in: "20241122")
        }, to: "123456")
    let rows = try repository.read(list: "123456", "look") { try $0.row(of: "100000") }
    #expect(try #require(rows).row > 99_990)
    let redaction = try Inspection(of: bench.file).redact(to: newFile)
    #expect(redaction.isClean)
    let new = try Repository(existing: newFile)
    let list = try #require(try new.lists().first)
    let tree = try new.tree(of: list)
    let items = tree.sections[0].items
    let names = [list.rawValue, tree.sections[0].id.rawValue] + items.map(\.id.rawValue)
    #expect(names.count == 32)
    #expect(names.allSatisfy { name in !name.contains(where: \.isNumber) })
    let digits = Set(items.flatMap { $0.state.content.text.filter(\.isNumber) })
    #expect(digits == ["1"])
  }

  @Test func whatIsThereStays() throws {
    try bench.makeStore()
    try Data("mine".utf8).write(to: newFile)
    try bench.unchanged {
      #expect(throws: StoreError.self) { try Inspection(of: bench.file).redact(to: newFile) }
    }
    #expect(try Data(contentsOf: newFile) == Data("mine".utf8))
  }

  @Test func aDamagedStoreIsRefusedWithAdvice() throws {
    try bench.makeStore()
    let queue = try DatabaseQueue(path: bench.file.path)
    try queue.write { try $0.execute(sql: "DELETE FROM item") }
    try queue.close()
    try bench.unchanged {
      let error = #expect(throws: StoreError.self) {
        try Inspection(of: bench.file).redact(to: newFile)
      }
      #expect(error?.code == .damagedStore)
      #expect(error?.message.contains("inspect recover") == true)
    }
  }

  // MARK: Stores

  private static func options(all: Bool) -> StoreRedaction.Options {
    var options = StoreRedaction.Options()
    options.keepsNames = !all
    options.keepsMembers = !all
    return options
  }

  /// A store with a text in every place that takes one, in rows, in the log and on free pages.
  private func makeSecretStore(_ secret: String) throws {
    let text = JSONString(secret)
    let repository = try Repository(at: bench.file)
    let content = try JSON(
      parsing: "{\"secretMember\":\(text),\"number\":-12.5e3,\"flag\":true,\"list\":[\(text)]}")
    let view = Supplementary(view: "SecretView", content: content)
    try repository.edit("secret-list", by: "secret-author") { list in
      try list.setMeta(content)
      try list.insertSection(
        "secret-section",
        SectionAttributes(
          header: view, footer: view, meta: content, supplementaries: ["badge": view],
          decorations: [
            Decoration(view: "SecretView", content: content)
          ]))
      let action = Action(
        url: "https://example.org/nobody@home", event: "secret-event", attrs: content)
      try list.insert(
        Item(
          id: "secret-item", cell: "SecretCell", content: content, type: "SecretType",
          action: action), in: "secret-section")
      try list.insertSection("secret-section 2")
      try list.insert(
        (0..<200).map {
          Item(id: try ItemID("secret-item \($0)"), cell: "SecretCell", content: content)
        }, in: "secret-section 2")
    }
    try repository.edit("secret-list") { list in
      try list.setMeta(nil)
      try list.apply(.deleteSection("secret-section 2"))
    }
    let owner = ListOwner(list: "secret-list", item: "secret-item", name: "chapters")
    _ = try repository.edit(owner.nestedList, ownedBy: owner, by: .app) { list in
      try list.insertSection("secret-owned")
    }
    try repository.save(
      ListViewState(selection: ItemSelection(.single, ["secret-item"])), of: "secret-list")
    try repository.save(
      [
        MeasuredSize(
          item: "secret-item", size: Size(width: 320, height: 44), cell: "SecretCell",
          contentRevision: 0)
      ], for: SizeKey(fittingPixels: 320, environment: LayoutEnvironment()), in: "secret-list")
    try repository.save(
      [
        MeasuredSupplementarySize(
          section: "secret-section", kind: .header, size: Size(width: 320, height: 30),
          supplementary: view)
      ], for: SizeKey(fittingPixels: 320, environment: LayoutEnvironment()), in: "secret-list")
  }

  private func JSONString(_ text: String) -> String {
    String(decoding: (try? JSONEncoder().encode(text)) ?? Data(), as: UTF8.self)
  }

  // MARK: Comparing

  /// The lists of both stores that belong together, by their numbers of commits and items.
  private static func lists(
    _ old: Repository, _ new: Repository
  ) throws -> [(ListID, ListID)] {
    func shape(_ repository: Repository, _ list: ListID) throws -> [Int] {
      let tree = try repository.tree(of: list)
      return [tree.revision, list.rawValue.utf8.count] + tree.sections.map(\.items.count)
    }
    return try old.lists().compactMap { list in
      let wanted = try shape(old, list)
      return try new.lists().first { try shape(new, $0) == wanted }.map { (list, $0) }
    }
  }

  /// What differs but ids and contents; `names` maps the ids that were seen to their pseudonyms.
  private static func differences(
    _ old: ListTree, _ new: ListTree, _ names: inout [String: String]
  ) -> [String] {
    var differences: [String] = []
    func compare(_ what: String, _ isSame: Bool) { if !isSame { differences.append(what) } }
    func compare(_ old: String, _ new: String) {
      compare("\(old): two pseudonyms", names[old, default: new] == new && old != new)
      compare("\(old): length", new.utf8.count >= old.utf8.count)
      names[old] = new
    }
    func compare(_ old: JSON?, _ new: JSON?) {
      compare("length of \(old?.text ?? "")", old?.text.utf8.count == new?.text.utf8.count)
    }
    compare(old.meta, new.meta)
    compare("sections", old.sections.count == new.sections.count)
    for (section, redacted) in zip(old.sections, new.sections) {
      compare(section.id.rawValue, redacted.id.rawValue)
      compare("layout", section.attributes.layout == redacted.attributes.layout)
      compare(
        "kinds", section.attributes.supplementaryKinds == redacted.attributes.supplementaryKinds)
      compare(section.attributes.header?.content, redacted.attributes.header?.content)
      compare(section.attributes.meta, redacted.attributes.meta)
      compare("items", section.items.count == redacted.items.count)
      for (item, other) in zip(section.items, redacted.items) {
        compare(item.id.rawValue, other.id.rawValue)
        compare("cell", item.state.cell == other.state.cell && item.state.type == other.state.type)
        compare("contentRevision", item.state.contentRevision == other.state.contentRevision)
        compare(item.state.content, other.state.content)
      }
    }
    return differences
  }
}
