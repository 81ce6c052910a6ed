import BatchUpdates
import DerivedLists
import Foundation
import ListModel
import ListStore
import ListSync
import ListTables
import Providers
import TestSupport
import Testing

/// What the closure computes.
private func key(of item: Item) -> Int { item.state.content.text.utf8.count % 5 }

/// Lists derived from one that a feed fills and a user edits, in two processes.
///
/// One process has not the closure of a list. Whatever either commits, the source is as `EditModel`
/// has it, each derived list as `DerivedOracle` makes it of the source, and its log leads a view
/// there by the fewest operations. `CELLAR_DERIVED_SEEDS` says how many histories of 40 steps.
@Suite struct DerivedHistoryTests {
  private static let seeds: Range<UInt64> = {
    let more = ProcessInfo.processInfo.environment["CELLAR_DERIVED_SEEDS"].flatMap(UInt64.init)
    return 0..<(more ?? 6)
  }()

  @Test(arguments: seeds) func randomSteps(_ seed: UInt64) throws {
    var world = try World(seed: seed)
    do {
      for step in 0..<40 {
        try world.step(step)
        try world.check(isThorough: step % 8 == 7)
      }
    } catch { Issue.record("\(world.hint): \(error)") }
  }

  /// A derived list, and the Provider of a screen that shows it.
  private struct Shown {
    var oracle: DerivedOracle
    /// Its definition as the oracle reads it: `/k` is what the closure computes.
    var text: String
    var provider: Provider
    /// The last revision that was looked at.
    var revision: Int
    /// Whether the log may begin after the Provider's revision.
    var mayReload = false

    var list: ListID { oracle.derived }
    var isComputed: Bool { list == "c" }

    /// What the list is to be.
    func tree(of source: ListTree) -> ListTree {
      guard isComputed else { return oracle.tree(of: source) }
      let items = source.sections.flatMap(\.items).map { ($0.id, $0.state) }
      let states = Dictionary(uniqueKeysWithValues: items)
      let keyed = source.mapItems { $0.state.content = JSON(minified: "{\"k\":\(key(of: $0))}") }
      return oracle.tree(of: keyed).mapItems { $0.state = states[$0.id] ?? $0.state }
    }
  }

  /// A store in which two processes make steps, and what it is to have.
  private struct World {
    private let seed: UInt64
    private let folder: TemporaryFolder
    private var file: URL { folder.file("store.sqlite") }
    /// The process that has the closure, and the one that has not.
    private var repository: Repository
    private var other: Repository
    private var generator: SeededGenerator
    private let random: RandomChanges
    private let definitions: RandomDefinitions
    private var model = EditModel(ListTree(list: "s"))
    private var shown: [Shown] = []
    /// Whether the process without the closure was the last one to commit.
    private var isBehind = false
    private var (sequence, lineCount, editCount) = (0, 0, 0)
    private(set) var hint = "at first"
    /// The version of the closure, which says as well what is defined by it.
    private var version: Int
    private var computed: String {
      [
        ##"{"derived":"c","of":"s","where":[{"path":"/k","lt":3}],"section":{"path":"#section"}}"##,
        ##"{"derived":"c","of":"s","sort":[{"path":"#id"}],"section":{"path":"/k","view":"V"}}"##,
        #"{"derived":"c","of":"s","section":{"path":"/k","order":"source"}}"#,
        #"{"derived":"c","of":"s","sort":[{"path":"/k","descending":true}],"limit":5}"#,
      ][version % 4]
    }

    init(seed: UInt64) throws {
      self.seed = seed
      folder = try TemporaryFolder()
      repository = try Repository(at: folder.file("store.sqlite"))
      other = try Repository(at: folder.file("store.sqlite"))
      generator = SeededGenerator(seed: seed)
      random = RandomChanges(sections: 5, items: 16, hasSectionParts: seed % 2 == 0)
      definitions = RandomDefinitions(oddPart: seed % 3 == 0 ? 15 : 0)
      version = Int(seed)
      let first = try serve(changes(4, of: model.base), answering: nil)
      try apply([first], to: repository.liveList("s"))
      try define(computed)
      for index in 0..<4 {
        let list = ListID(stringLiteral: "d\(index)")
        let source: ListID = index < 2 ? "s" : anySource(before: shown.count)
        try define(definitions.definition(list, of: source, using: &generator))
      }
    }

    /// A list of which one may be made without a circle.
    private mutating func anySource(before index: Int) -> ListID {
      generator.element(of: ["s"] + shown.prefix(index).map(\.list)) ?? "s"
    }

    /// Defines a list, or another one in its place; the process then has the closure.
    private mutating func define(_ text: String) throws {
      let oracle = try DerivedOracle(text)
      let field = ComputedField(list: oracle.derived, version: version, index: 0)
      let line = text.replacingOccurrences(of: "\"/k\"", with: "\"\(field.text)\"")
      try repository.define(
        [(DerivedDefinition(parsing: Array(line.utf8)), 1)],
        closures: [field: { ValueKey(key(of: $0)) }])
      isBehind = false
      guard let index = shown.firstIndex(where: { $0.list == oracle.derived }) else {
        let provider = try repository.provider(for: oracle.derived)
        return shown.append(
          Shown(oracle: oracle, text: text, provider: provider, revision: provider.revision))
      }
      // The logs begin anew of a list with another source, and of those that are made of it.
      // So may that of one with a limit, which names what is kept for the hidden list of all its items.
      let isSame =
        shown[index].oracle.source == oracle.source && !shown[index].text.contains("\"limit\"")
      var moved: Set<ListID> = isSame ? [] : [oracle.derived]
      shown[index].oracle = oracle
      shown[index].text = text
      for index in shown.indices {
        if moved.contains(shown[index].oracle.source) { moved.insert(shown[index].list) }
        if moved.contains(shown[index].list) { shown[index].mayReload = true }
      }
    }

    private var waitingEdits: [String] { model.edits.filter(\.isPending).map(\.name) }

    mutating func step(_ number: Int) throws {
      let isOther = generator.percent(45)
      let shelf = (isOther ? other : repository).liveList("s")
      let revision = try repository.revision(of: "s")
      let kind = generator.number(0..<100)
      hint = "seed \(seed), step \(number) of kind \(kind)\(isOther ? " by the other" : "")"
      let waiting = generator.element(of: waitingEdits)
      switch (kind, waiting) {
      case (0..<28, _):
        let lines = try (0..<generator.number(1..<4)).map { _ in try serve() }
        try apply(lines, to: shelf)
      case (28..<54, _): try edit(shelf)
      case (54..<64, _):
        let isRedo = generator.percent(40)
        let step = isRedo ? try shelf.redo(pending: true) : try shelf.undo(pending: true)
        guard let step, !step.commit.entries.isEmpty else { break }
        let edit = try #require(try shelf.pendingEdits().last)
        try model.edit(edit.changes, named: edit.id, isPending: true)
      case (64..<70, let waiting?):
        let isInList = generator.percent(40)
        model.accept(waiting, isInList: isInList)
        try shelf.repository.accept(waiting, inLine: sequence + (isInList ? 0 : 1), of: "s")
      case (70..<76, let waiting?):
        model.reject(waiting)
        try apply([rejection(of: waiting, list: "s")], to: shelf)
      case (76..<81, _):
        var server = model.base
        for change in try changes(3, of: server) { try server.apply(change) }
        sequence += 1
        try model.apply(.snapshot(server.sections))
        try apply([snapshotLine(sequence, server.sections, list: "s")], to: shelf)
      case (81..<84, _):
        // The same text would be the same reset.
        (sequence, lineCount) = (0, lineCount + 1)
        try model.apply(.reset)
        try apply(["{\"t\":\"reset\",\"list\":\"s\",\"why\":\(lineCount)}"], to: shelf)
      case (84..<89, _):
        let list: ListID = generator.percent(75) ? "s" : anySource(before: shown.count)
        let retention = LogRetention(changes: generator.number(0..<12))
        try shelf.repository.truncateLog(of: list, keeping: retention)
        for index in shown.indices { shown[index].mayReload = true }
      case (89..<91, _):
        version += 1
        try define(computed)
      case (91..<95, _):
        let index = generator.number(1..<shown.count)
        let source = generator.percent(60) ? shown[index].oracle.source : anySource(before: index)
        try define(definitions.definition(shown[index].list, of: source, using: &generator))
      case (95..<97, _):
        try other.close()
        other = try Repository(existing: file)
      case (97..<100, _):
        // The screens show after the launch what they have shown before.
        for index in shown.indices {
          let provider = shown[index].provider
          shown[index].provider = Provider(provider.tree, at: provider.position)
        }
        try repository.close()
        repository = try Repository(existing: file)
        try define(computed)
      default: break
      }
      if try repository.revision(of: "s") > revision { isBehind = isOther }
      if isBehind, generator.percent(40) {
        try repository.catchUpDerivedLists()
        isBehind = false
      }
    }

    private func apply(_ lines: [String], to shelf: LiveList) throws {
      let text = lines.map { $0 + "\n" }.joined()
      try shelf.repository.apply(FeedReader(file: folder.write(text, to: "feed.ndjson")))
    }

    /// A line of the server: changes of its own, or an edit, as it was made or otherwise.
    private mutating func serve() throws -> String {
      if generator.percent(40), let edit = generator.element(of: waitingEdits) {
        return try serve(model.changesOfServer(taking: edit) ?? [], answering: edit)
      }
      let edit = generator.percent(30) ? generator.element(of: waitingEdits) : nil
      return try serve(changes(generator.number(0..<4), of: model.base), answering: edit)
    }

    private mutating func serve(_ changes: [Change], answering edit: String?) throws -> String {
      // The same text under the same number would be a line that was applied before.
      (sequence, lineCount) = (sequence + 1, lineCount + 1)
      try model.apply(.commit(changes), acknowledging: edit)
      return line(sequence, changes, edit: edit, at: lineCount, list: "s")
    }

    private mutating func edit(_ shelf: LiveList) throws {
      let changes = try self.changes(generator.number(1..<4), of: model.list)
      func make(_ editor: ListEditor) throws { for change in changes { try editor.apply(change) } }
      if generator.percent(60) {
        let edit = try #require(try shelf.editPending(make).edit)
        try model.edit(changes, named: edit.id, isPending: true)
      } else {
        try shelf.edit(make)
        editCount += 1
        try model.edit(changes, named: "local \(editCount)", isPending: false)
      }
    }

    /// Changes that fit one after another, with contents for the definitions.
    private mutating func changes(_ count: Int, of list: ListTree) throws -> [Change] {
      var tree = list
      var changes: [Change] = []
      for _ in 0..<count {
        var change = random.change(for: tree, using: &generator)
        let content = definitions.content(using: &generator)
        if case .insertItem(var item, let section, let place) = change {
          item.state.content = content
          change = .insertItem(item, in: section, at: place)
        } else if case .updateItem(let id, var update) = change, generator.percent(80) {
          update.content = .set(content)
          change = .updateItem(id, update)
        }
        try tree.apply(change)
        changes.append(change)
      }
      return changes
    }

    /// Compares each list with what it is to be, and brings most Providers to it.
    mutating func check(isThorough: Bool) throws {
      let list = try repository.tree(of: "s")
      #expect(list.isSame(as: model.list), "\(hint): \(list.json()), not \(model.list.json())")
      // The lists that may have been behind.
      var computed: Set<ListID> = ["c"]
      for index in shown.indices {
        let now = shown[index]
        let hint = "\(self.hint): \(now.text)"
        let source = try repository.tree(of: now.oracle.source)
        let found = try repository.tree(of: now.list)
        let wanted = now.isComputed && isBehind ? found : now.tree(of: source)
        #expect(
          found.isSame(as: wanted),
          "\(hint)\nof \(source.json())\nfound \(found.json())\nwanted \(wanted.json())")
        if computed.contains(now.oracle.source) { computed.insert(now.list) }
        if !computed.contains(now.list) { try checkLog(of: now, to: found.revision, hint) }
        shown[index].revision = found.revision
        if isThorough || generator.percent(70) { try advance(index, to: found, hint) }
      }
      for process in isThorough ? [repository, other] : [] {
        let problems = try process.checkInvariants()
        #expect(problems.isEmpty, "\(hint): \(problems)")
      }
    }

    /// Compares each commit since the last look with the source at the revision that it names.
    private func checkLog(of now: Shown, to head: Int, _ hint: String) throws {
      for revision in now.revision..<max(now.revision, head) {
        guard let named = try repository.sourceRevision(of: now.list, at: revision + 1),
          let found = try? repository.tree(of: now.list, at: revision + 1),
          let source = try? repository.tree(of: now.oracle.source, at: named)
        else {
          #expect(now.mayReload, "\(hint): after \(revision)")
          continue
        }
        #expect(found.isSame(as: now.tree(of: source)), "\(hint): after \(revision), of \(named)")
      }
    }

    /// Brings a Provider to the list, by legal updates and the fewest operations.
    private mutating func advance(_ index: Int, to found: ListTree, _ hint: String) throws {
      let (list, mayReload) = (shown[index].list, shown[index].mayReload)
      let before = shown[index].provider.tree
      let log = try? repository.commits(of: list, after: before.revision)
      #expect(log != nil || mayReload, "\(hint): the log begins later")
      let update = try repository.advance(
        &shown[index].provider, policy: UpdatePolicy(budget: .unlimited, proof: .everything))
      shown[index].mayReload = false
      let after = shown[index].provider.tree
      #expect(after.revision == found.revision && after.isSame(as: found), "\(hint)")
      if case .reload(let why) = update.mode { return #expect(mayReload, "\(hint): \(why)") }
      var view = CheckingView(showing: before)
      #expect(throws: Never.self, "\(hint): \(update.json)") {
        try view.perform(update, showing: after)
      }
      // The count of what is needed tries all sets of sections, which few enough allow.
      guard max(before.sections.count, after.sections.count) <= 10 else { return }
      var touched: Set<ItemID> = []
      for case .touchItem(let id, _) in log?.flatMap(\.entries) ?? [] { touched.insert(id) }
      let needed = MinimalOperations(from: before, to: after, touched: touched)
      #expect(
        MinimalOperations(of: update) == needed,
        "\(hint)\nfrom \(before.json())\nto \(after.json())\n\(update.json)")
    }
  }
}

extension ListTree {
  fileprivate func mapItems(_ change: (inout Item) -> Void) -> ListTree {
    var tree = self
    for section in sections.indices {
      for index in sections[section].items.indices {
        change(&tree.sections[section].items[index])
      }
    }
    return tree
  }

  /// Whether both show the same.
  fileprivate func isSame(as other: ListTree) -> Bool {
    meta == other.meta && sections.map(\.id) == other.sections.map(\.id)
      && zip(sections, other.sections).allSatisfy { lhs, rhs in
        lhs.attributes.isEquivalent(to: rhs.attributes)
          && lhs.items.map(\.id) == rhs.items.map(\.id)
          && zip(lhs.items, rhs.items).allSatisfy { $0.state.isEquivalent(to: $1.state) }
      }
  }
}
