import BatchUpdates
import Foundation
import ListModel
import ListStore
import ListSync
import Providers
import TestSupport
import Testing
import ListTables

@Suite struct ResyncTests {
  /// Every combination of what can differ, against the table of the rules in their order.
  @Test func everyStandingIsDecidedByTheFirstRuleThatHolds() {
    var decided: [Resync: Int] = [:]
    for bits in 0..<64 {
      for revision in [3, 5, 6, 8, 9] {
        for chain in [7, 8, nil] as [UInt64?] {
          for changes in [0, 10, 11] {
            let (hasToken, isSameStore) = (bits & 1 > 0, bits & 2 > 0)
            let (isNewer, hasList, beganAnew) = (bits & 4 > 0, bits & 8 > 0, bits & 16 > 0)
            let wasErased = bits & 32 > 0
            let log = LogReach(
              storeID: .init(repeating: isSameStore ? 0 : 1, count: 16), head: 8, headChain: 0,
              floor: 5,
              beganAnew: beganAnew, chain: chain, wasErased: wasErased, changes: changes)
            let resync = Resync(
              from: hasToken ? token(at: revision) : nil, to: isNewer ? nil : log,
              hasList: hasList, budget: 10)
            let rules: [(Bool, Resync)] = [
              (!hasToken, .reload(.noToken)), (isNewer, .reload(.newerSchema)),
              (!isSameStore, .reload(.differentStore)),
              (revision > 8, .reload(.storeWentBack)),
              (revision < 5 && beganAnew, .reload(.writtenOutside)),
              (revision < 5 && hasList, .difference(.tooFarBehind)),
              (revision < 5, .reload(.tooFarBehind)),
              (chain != 7 && wasErased && hasList, .difference(.erased)),
              (chain != 7 && wasErased, .reload(.erased)), (chain != 7, .reload(.forked)),
              (revision == 8, .nothing), (changes > 10, .reload(.tooManyChanges(limit: 10))),
              (true, .batch),
            ]
            #expect(resync == rules.first { $0.0 }?.1)
            decided[resync, default: 0] += 1
          }
        }
      }
    }
    #expect(decided.count == 13, "each rule decides something")
  }

  /// Of the store with the id 0, with chain 7.
  private func token(at revision: Int) -> Token? {
    Token(
      rawValue: [
        "1", String(repeating: "00", count: 16), "\(revision)",
        String(repeating: "0", count: 15) + "7",
      ].joined(separator: "-"))
  }

  @Test func aTokenIsTextAndComesBack() throws {
    let folder = try TemporaryFolder()
    let repository = try Repository(at: folder.file("store.sqlite"))
    try repository.commit([.insertSection("a")], to: "list")
    let token = try #require(try repository.provider(for: "list").token)
    #expect(Token(rawValue: token.rawValue) == token)
    let coded = try JSONDecoder().decode(Token.self, from: JSONEncoder().encode(token))
    #expect(coded == token)
    for broken in [
      "", "1", "2" + token.rawValue.dropFirst(), token.rawValue + "0",
      String(token.rawValue.dropLast()), token.rawValue.uppercased() + "-",
      token.rawValue.replacingOccurrences(of: "-1-", with: "-+1-"),
      token.rawValue.replacingOccurrences(of: "-1-", with: "--1-"),
    ] { #expect(Token(rawValue: broken) == nil, "\(broken)") }
  }

  /// A file that was replaced by its own older copy and written on has the same numbers and another
  /// history.
  @Test func aRestoredCopyThatWasWrittenOnIsNoticed() throws {
    let folder = try TemporaryFolder()
    let file = folder.file("store.sqlite")
    func item(_ id: ItemID) -> Item { Item(id: id, cell: "C", content: "1") }
    do {
      let repository = try Repository(at: file)
      try repository.commit([.insertSection("a"), .insertItem(item("1"), in: "a")], to: "list")
    }
    let backup = folder.file("backup.sqlite")
    try FileManager.default.copyItem(at: file, to: backup)
    var provider: Provider
    do {
      let repository = try Repository(at: file)
      try repository.commit([.insertItem(item("2"), in: "a")], to: "list")
      let pinned = try repository.provider(for: "list")
      provider = Provider(pinned.tree, at: pinned.position)
    }
    for suffix in ["", "-wal", "-shm"] {
      try? FileManager.default.removeItem(atPath: file.path + suffix)
    }
    try FileManager.default.copyItem(at: backup, to: file)
    let restored = try Repository(at: file)
    let back = try restored.resync(provider.token, of: "list")
    #expect(back.resync == .reload(.storeWentBack))
    try restored.commit([.insertItem(item("3"), in: "a")], to: "list")
    let forked = try restored.resync(provider.token, of: "list")
    #expect(forked.resync == .reload(.forked))
    let update = try restored.advance(&provider)
    #expect(update.mode == .reload(why: .forked))
    #expect(provider.tree == (try restored.tree(of: "list")))
    let other = try Repository(at: folder.file("other.sqlite"))
    try other.commit([.insertSection("a")], to: "list")
    #expect(try other.resync(provider.token, of: "list").resync == .reload(.differentStore))
    #expect(try other.resync(nil, of: "list").resync == .reload(.noToken))
  }

  @Test func theBudgetOfAResyncIsByTheItemsOfAllSections() throws {
    let folder = try TemporaryFolder()
    let repository = try Repository(at: folder.file("store.sqlite"))
    try repository.commit(
      ["a", "b"].flatMap { section in
        [Change.insertSection(SectionID(stringLiteral: section))]
          + (0..<10).map {
            .insertItem(
              Item(id: ItemID(stringLiteral: "\(section)\($0)"), cell: "C", content: "1"),
              in: SectionID(stringLiteral: section))
          }
      }, to: "list")
    try repository.commit([.insertSection("c")], to: "other")
    let token = try repository.provider(for: "list").token
    let budget = ReloadBudget(changes: 0, changesPerItem: 0.5)
    try repository.commit((0..<10).map { _ in .touchItem("a0") }, to: "list")
    let within = try repository.resync(token, of: "list", budget: budget)
    #expect(within.resync == .batch)
    #expect(within.head == (try repository.provider(for: "list").token))
    try repository.commit([.touchItem("b0")], to: "list")
    let beyond = try repository.resync(token, of: "list", budget: budget)
    #expect(beyond.resync == .reload(.tooManyChanges(limit: 10)))
    let head = try repository.resync(beyond.head, of: "list", budget: budget)
    #expect(head.resync == .nothing && head.head == beyond.head)
  }

  @Test func aReaderBeforeTheLogsBeginningComparesOrReloads() throws {
    let folder = try TemporaryFolder()
    let repository = try Repository(at: folder.file("store.sqlite"))
    func item(_ number: Int) -> Item {
      Item(id: ItemID(stringLiteral: "i\(number)"), cell: "C", content: "1")
    }
    try repository.commit([.insertSection("a")], to: "list")
    for number in 0..<20 { try repository.commit([.insertItem(item(number), in: "a")], to: "list") }
    var small = try repository.provider(for: "list")
    let before = small.tree
    for number in 20..<40 {
      try repository.commit([.insertItem(item(number), in: "a")], to: "list")
    }
    #expect(try repository.truncateLog(of: "list", keeping: LogRetention(changes: 5)) == 36)
    let update = try repository.advance(&small)
    guard case .batch(let stages) = update.mode else {
      Issue.record("\(update.mode)")
      return
    }
    #expect(stages.last?.counts == SectionCounts([40]))
    #expect(update.from == before.revision)
    #expect(small.tree == (try repository.tree(of: "list")))
    #expect(repository.diagnostics["tooFarBehind"] == 1)
  }

  @Test func truncatingKeepsWhatIsWithinBoundsAndRefusesTheRest() throws {
    let folder = try TemporaryFolder()
    let repository = try Repository(at: folder.file("store.sqlite"))
    var generator = SeededGenerator(seed: 1)
    let source = RandomChanges(hasSectionParts: true)
    var tree = ListTree(list: "list")
    var history = [tree]
    for _ in 0..<120 {
      var changes: [Change] = []
      for _ in 0..<generator.number(0..<5) {
        let change = source.change(for: tree, using: &generator)
        try tree.apply(change)
        changes.append(change)
      }
      tree.revision += 1
      try repository.commit(changes, to: "list")
      history.append(tree)
    }
    let all = try repository.commits(of: "list")
    for bound in [200, 100, 37, 1, 0] {
      let floor = try repository.truncateLog(of: "list", keeping: LogRetention(changes: bound))
      let kept = all.filter { $0.revision > floor }
      #expect(kept.reduce(0) { $0 + $1.entries.count } <= bound)
      // One commit more would be too many, unless it is empty.
      if floor > 0 {
        #expect(
          kept.reduce(0) { $0 + $1.entries.count } + all[floor - 1].entries.count > bound
            || all[floor - 1].entries.isEmpty)
      }
      #expect(try repository.commits(of: "list", after: floor) == kept)
      for revision in floor...120 {
        #expect(try repository.tree(of: "list", at: revision) == history[revision])
      }
      if floor > 0 {
        let refusal = #expect(throws: StoreError.self) {
          try repository.tree(of: "list", at: floor - 1)
        }
        #expect(refusal?.code == .revisionNotFound)
        #expect(throws: StoreError.self) { try repository.commits(of: "list", after: floor - 1) }
        #expect(throws: StoreError.self) { try repository.undoCommit(floor, of: "list") }
      }
      #expect(try repository.checkInvariants().isEmpty)
    }
    #expect(try repository.tree(of: "list") == tree)
    try repository.commit([.insertSection("new")], to: "list")
    #expect(try repository.checkInvariants().isEmpty)
  }

  @Test func undoIsACommitLikeAnyOther() throws {
    let folder = try TemporaryFolder()
    let repository = try Repository(at: folder.file("store.sqlite"))
    try repository.commit(
      [
        .insertSection("a"), .insertItem(Item(id: "1", cell: "C", content: "1"), in: "a"),
        .insertItem(Item(id: "2", cell: "C", content: "1"), in: "a"),
      ], to: "list")
    var provider = try repository.provider(for: "list")
    let before = provider.tree
    try repository.commit([.deleteItem("1")], to: "list")
    try repository.advance(&provider)
    let undo = try repository.undoCommit(2, of: "list", by: "shake")
    #expect(undo.revision == 3)
    #expect(undo.author.name == "shake")
    let update = try repository.advance(&provider)
    #expect(update.stages.first?.insertItems.map(\.self) == [ItemPath(section: 0, item: 0)])
    #expect(provider.tree.sections == before.sections)
    for revision in [0, 4, -1, .max] {
      let refusal = #expect(throws: StoreError.self) {
        try repository.undoCommit(revision, of: "list")
      }
      #expect(refusal?.code == .revisionNotFound)
    }
    #expect(try repository.checkInvariants().isEmpty)
  }
}
