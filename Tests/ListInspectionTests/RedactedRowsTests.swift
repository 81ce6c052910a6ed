import Foundation
import GRDB
import ListInspection
import ListItems
import ListModel
import ListStore
import ListSync
import ListTables
import StoreFiles
import TestSupport
import Testing

/// What a redacted store has besides its lists: what explains them.
@Suite struct RedactedRowsTests {
  private let bench: InspectionBench
  private var newFile: URL { bench.folder.file("redacted.sqlite") }

  init() throws { bench = try InspectionBench() }

  /// What waits for a server, what the server refused, and what conflicts.
  @Test func theOutboxIsThereWithoutItsTexts() throws {
    let secret = "Wuthering"
    let content = try JSON(encoding: secret)
    do {
      let repository = try Repository(at: bench.file)
      try repository.edit("shelf") { list in
        try list.insertSection("novels")
        try list.insert(Item(id: "emma", cell: "BookCell", content: content), in: "novels")
        try list.insert(Item(id: "dune", cell: "BookCell", content: content), in: "novels")
      }
      let changes: [[Change]] = [
        [.updateItem("emma", ItemUpdate(content: .set("1"), type: .set("Book@2")))],
        [
          .moveItem("emma", to: .after("dune")),
          .updateSection("novels", SectionUpdate(meta: .set(content))),
        ],
        [.deleteItem("dune"), .updateList(meta: content)],
      ]
      for edit in changes {
        _ = try repository.editPending(EditTarget("shelf")) { editor in
          for change in edit { try editor.apply(change) }
        }
      }
      try repository.edit("shelf") { try $0.insertSection("local") }
      let edits = try repository.pendingEdits(of: "shelf")
      try repository.reject(edits[0].id, of: "shelf", why: "no \(secret) anywhere")
    }
    _ = try Inspection(of: bench.file).redact(to: newFile)
    let bytes = try Data(contentsOf: newFile)
    for word in [secret, "emma", "dune", "novels", "shelf", "anywhere"] {
      #expect(bytes.range(of: Data(word.utf8)) == nil, "\(word)")
    }
    let (old, new) = (try Repository(existing: bench.file), try Repository(existing: newFile))
    let list = try #require(try new.lists().first)
    let (edits, redacted) = (
      try old.pendingEdits(of: "shelf"), try new.pendingEdits(of: list)
    )
    #expect(edits.count == 3 && redacted.count == 3)
    #expect(edits.map(\.time) == redacted.map(\.time))
    for (edit, other) in zip(edits, redacted) {
      #expect("\(edit.state)".prefix(8) == "\(other.state)".prefix(8))
      #expect(edit.changes.count == other.changes.count)
    }
    let tree = try new.tree(of: list)
    let items = tree.sections[0].items.map(\.id)
    guard case .moveItem(let moved, let section, .after(let anchor)) = redacted[1].changes[0]
    else { return #expect(Bool(false), "\(redacted[1].changes)") }
    #expect((moved, section, items.contains(anchor)) == (items.last, tree.sections[0].id, false))
    #expect(try new.checkInvariants() == [])
  }

  @Test func nestedListsSelectionsAndSizesStay() throws {
    try bench.makeSecretStore("some text of a book")
    _ = try Inspection(of: bench.file).redact(to: newFile)
    let repository = try Repository(existing: newFile)
    let lists = try repository.lists()
    let nested = try #require(lists.first { $0.rawValue.contains("nested") })
    let owner = try #require(try repository.owner(of: nested))
    #expect(owner.name == "chapters")
    #expect(try repository.nestedLists(of: owner.item, in: owner.list).count == 1)
    #expect(try repository.viewState(of: owner.list).selection.items == [owner.item])
    let inspection = try Inspection(of: newFile)
    #expect(try inspection.export(owner.list).contains("\"size\":[320,44]"))
    let key = SizeKey(fittingPixels: 320, environment: LayoutEnvironment())
    let views = try repository.supplementarySizes(of: owner.list, for: key)
    #expect(views.values.first == [.header: .exact(Size(width: 320, height: 30))])
  }

  /// Of several keys, for several reasons no longer exact, and with the sums that they add up to.
  @Test func sizesAreAsExactAsTheyWere() throws {
    let environments = [
      LayoutEnvironment(
        contentSizeCategory: "UICTContentSizeCategoryXXL", legibilityWeight: "bold",
        layoutDirection: "rightToLeft", locale: "de_CH", displayScale: 3, system: "iOS 18"),
      LayoutEnvironment(locale: "en_US@calendar=secret", system: "Secret 3"),
    ]
    let keys = [
      SizeKey(fittingPixels: 320, environment: environments[0]),
      SizeKey(axis: .horizontal, fittingPixels: 99, environment: environments[0]),
      SizeKey(fittingPixels: 320, variant: "expanded", environment: environments[1]),
    ]
    let header = Supplementary(view: "Head", content: "1")
    do {
      let repository = try Repository(at: bench.file)
      try repository.edit("list") { list in
        for section in ["a", "empty", "b"] as [SectionID] {
          try list.insertSection(section, SectionAttributes(header: header, footer: header))
        }
        for section in ["a", "b"] as [SectionID] {
          try list.insert(
            (0..<150).map { Item(id: try ItemID("\(section)\($0)"), cell: "Cell", content: "1") },
            in: section)
        }
      }
      for (index, key) in keys.enumerated() {
        let section = ["a", "b", "a"][index]
        let sizes = try (0..<150).map { (number: Int) in
          MeasuredSize(
            item: try ItemID("\(section)\(number)"),
            size: Size(width: Double(number), height: Double(number * 3 % 97)), cell: "Cell",
            contentRevision: 0, measurerVersion: index)
        }
        try repository.save(sizes, for: key, in: "list")
        try repository.save(
          [SectionID("a"), "b"].flatMap { section in
            [Supplementary.Kind.header, .footer].map {
              MeasuredSupplementarySize(
                section: section, kind: $0, size: Size(width: 5, height: 7), supplementary: header)
            }
          }, for: key, in: "list")
      }
      // Some hold no longer.
      try repository.edit("list") { list in
        try list.apply(.updateItem("a7", ItemUpdate(content: .set("2"))))
        try list.apply(.updateItem("a8", ItemUpdate(cell: .set("Other"))))
        let update = SectionUpdate(
          layout: .set(SectionLayout(columns: 2)),
          header: .set(Supplementary(view: "Head", content: "2")))
        try list.apply(.updateSection("b", update))
      }
    }
    _ = try Inspection(of: bench.file).redact(to: newFile)
    let (old, new) = (try Inspection(of: bench.file), try Inspection(of: newFile))
    var (sizes, redacted) = (old.sizes(), new.sizes())
    #expect(sizes.lists.count == 1)
    sizes.lists[0].list = redacted.lists[0].list
    #expect(sizes.lists == redacted.lists)
    #expect(sizes.keys.map(\.usedAt) == redacted.keys.map(\.usedAt))
    let kept = try #require(redacted.keys.first { $0.environment.system == "iOS 18" })
    #expect(kept.environment == environments[0])
    let other = try #require(redacted.keys.first { $0.environment.system != "iOS 18" })
    #expect(other.environment.locale.utf8.count == environments[1].locale.utf8.count)
    #expect(other.variant == "expanded")
    #expect(try Repository(inspecting: newFile).checkInvariants() == [])
    let bytes = try Data(contentsOf: newFile)
    for word in ["secret", "Secret", "calendar", "en_US"] {
      #expect(bytes.range(of: Data(word.utf8)) == nil, "\(word)")
    }
    func heights(_ inspection: Inspection) throws -> [String] {
      let list = try ListID(try #require(inspection.summary().lists.first).list)
      return try inspection.export(list).components(separatedBy: "\"size\":").dropFirst()
        .map { String($0.prefix { $0 != "]" }) }
    }
    #expect(try heights(old).count > 100)
    #expect(try heights(old) == heights(new))
  }

  /// A feed with a snapshot, resets and more lines than one run.
  @Test func thePlaceInAFeedIsTheSame() throws {
    let lines = [
      commit(1, insertSection("s"), insertItem("secret a")), commit(2, insertItem("secret b")),
      #"{"t":"reset","list":"l","why":"secret"}"#, commit(1, insertSection("s")),
      #"{"t":"snapshot","list":"l","seq":"7","sections":[{"id":"s","items":[]}]}"#,
      commit(8, insertItem("secret c")),
    ]
    for part in [lines.prefix(2), lines.prefix(4), lines.prefix(5), lines.prefix(6)] {
      let feed = try bench.folder.write(part.map { $0 + "\n" }.joined(), to: "feed.ndjson")
      _ = try Repository(at: bench.file).apply(FeedReader(file: feed))
    }
    _ = try Inspection(of: bench.file).redact(to: newFile)
    for sql in [
      "SELECT epoch, sequence, isSnapshot, revision, endsRun FROM feedLine",
      "SELECT feedSequence, feedReadEpoch, feedReadSequence FROM list",
      "SELECT revision, feedSequence, undoes, step, changeTotal FROM listCommit",
    ] {
      let rows = try rows(sql, bench.file)
      #expect(!rows.isEmpty)
      #expect(try self.rows(sql, newFile) == rows)
    }
    #expect(
      try rows("SELECT max(length(digest)) FROM feedLine", newFile) == ["[max(length(digest)):0]"])
    #expect(
      try rows("SELECT count(feedDigest) FROM listCommit", newFile) == ["[count(feedDigest):0]"])
  }

  /// What can be undone in the original can be undone in the new store.
  @Test func stepsOfUndoAreTheSame() throws {
    do {
      let repository = try Repository(at: bench.file)
      try repository.edit("list") { try $0.insertSection("a") }
      try repository.edit("list") { try $0.insertSection("b") }
      try repository.undoCommit(2, of: "list")
    }
    _ = try Inspection(of: bench.file).redact(to: newFile)
    let sql = "SELECT revision, undoes, step FROM listCommit"
    #expect(try rows(sql, newFile) == rows(sql, bench.file))
    let repository = try Repository(existing: newFile)
    let list = try #require(try repository.lists().first)
    try repository.undoCommit(3, of: list)
    #expect(try repository.tree(of: list).sections.count == 2)
  }

  @Test func screensAreThereByPseudonyms() throws {
    do {
      let repository = try Repository(at: bench.file)
      try repository.edit("list") { list in
        try list.insertSection("s")
        for item in ["a", "b", "c"] as [ItemID] {
          try list.insert(Item(id: item, cell: "Cell", content: "1"), in: "s")
        }
      }
      for view in ["", "Split"] {
        try repository.save(
          ListViewState(
            selection: ItemSelection(.multiple, ["c", "a"]),
            anchor: .init(item: "b", offset: -12.5)), of: "list", view: view)
      }
    }
    var options = StoreRedaction.Options()
    options.keepsNames = false
    _ = try Inspection(of: bench.file).redact(to: newFile, options: options)
    let repository = try Repository(existing: newFile)
    let list = try #require(try repository.lists().first)
    let items = try repository.tree(of: list).sections[0].items.map(\.id)
    let state = try repository.viewState(of: list)
    #expect(state.selection.items == [items[2], items[0]])
    #expect(state.anchor == .init(item: items[1], offset: -12.5))
    let views = try rows("SELECT DISTINCT view FROM viewState WHERE view <> ''", newFile)
    #expect(views.count == 1 && views[0] != "[view:\"Split\"]")
  }

  private func commit(_ sequence: Int, _ operations: String...) -> String {
    #"{"t":"commit","list":"l","seq":"\#(sequence)","at":1712345678901,"ops":["#
      + operations.joined(separator: ",") + "]}"
  }

  private func insertSection(_ id: String) -> String {
    #"{"op":"insertSection","section":"\#(id)"}"#
  }

  private func insertItem(_ id: String) -> String {
    #"{"op":"insertItem","item":"\#(id)","section":"s","cell":"C","content":"\#(id)"}"#
  }

  private func rows(_ sql: String, _ file: URL) throws -> [String] {
    let queue = try DatabaseQueue(path: file.path)
    defer { try? queue.close() }
    return try queue.read { db in try Row.fetchAll(db, sql: sql).map(\.description) }
  }
}
