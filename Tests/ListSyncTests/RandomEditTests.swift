import BatchUpdates
import Foundation
import ListModel
import ListStore
import ListSync
import Providers
import TestSupport
import Testing

/// Edits of the app and lines of a server in random order, compared with a model of whole trees.
///
/// `CELLAR_REBASES` says how many; each prints its seed where it fails.
@Suite struct RandomEditTests {
  private static let count =
    ProcessInfo.processInfo.environment["CELLAR_REBASES"].flatMap { Int($0) } ?? 100

  private struct Failure: Error, CustomStringConvertible {
    var description: String
  }

  /// One list of a store, a view that shows it, and the model.
  private struct Bench {
    let shelf: LiveList
    var model: EditModel
    var shown: Provider
    var sequence = 0
    var locals = 0
    var lines = 0
    var resets = 0

    init(_ repository: Repository, _ list: ListID) throws {
      shelf = repository.liveList(list, policy: UpdatePolicy(budget: .unlimited))
      model = EditModel(ListTree(list: list))
      shown = try shelf.provider()
    }

    mutating func follow(_ text: String) throws {
      let folder = try TemporaryFolder()
      _ = try shelf.repository.apply(
        FeedReader(file: try folder.write(text + "\n", to: "feed.ndjson")))
    }

    /// The view follows, by the fewest operations, and the store is as the model.
    ///
    /// `keepsSizes`: Whether what is the same before and after keeps its sizes.
    mutating func check(_ touched: Set<ItemID>, keepsSizes: Bool) throws {
      let before = shown.tree
      let update = try shelf.advance(&shown)
      let tree = shown.tree
      if tree.withoutRevisions != model.list.withoutRevisions {
        throw Failure(description: "\(tree.json()), not \(model.list.json())")
      }
      if case .reload(let why) = update.mode { throw Failure(description: "reload, \(why)") }
      var view = CheckingView(showing: before)
      try view.perform(update, showing: tree)
      let needed = MinimalOperations(from: before, to: tree, touched: touched)
      if MinimalOperations(of: update) != needed {
        throw Failure(description: "\(update.json) where \(needed) do")
      }
      if shown.revision > 0, try shelf.repository.tree(of: shelf.id) != tree {
        throw Failure(description: "the store has another list than its reader")
      }
      if keepsSizes { try checkSizes(from: before, to: tree) }
      if shown.revision > 0 { try shelf.repository.save(tree.sizes, for: Self.key, in: shelf.id) }
      try checkOutbox()
    }

    private static let key = SizeKey(fittingPixels: 320, environment: LayoutEnvironment())

    private func checkSizes(from before: ListTree, to after: ListTree) throws {
      let sizes = try shelf.repository.sizes(of: shelf.id, for: Self.key)
      let old = Dictionary(
        uniqueKeysWithValues: before.sections.flatMap(\.items).map { ($0.id, $0.state) })
      for item in after.sections.flatMap(\.items) {
        guard old[item.id]?.isEquivalent(to: item.state) == true else { continue }
        switch sizes[item.id] {
        case .exact, .estimate(_, why: .otherLayout): break
        case let size: throw Failure(description: "\(item.id) has \(String(describing: size))")
        }
      }
    }

    private func checkOutbox() throws {
      let found = try shelf.pendingEdits()
      let waiting = model.edits.filter(\.isPending).map(\.name)
      if found.filter({ $0.state == .waiting || $0.state == .accepted }).map(\.id) != waiting {
        throw Failure(description: "\(found) wait, not \(waiting)")
      }
      var ends = (conflicted: 0, rejected: 0)
      for edit in found {
        if case .conflicted = edit.state { ends.conflicted += 1 }
        if case .rejected = edit.state { ends.rejected += 1 }
      }
      let wanted = (
        conflicted: model.ends.values.count { $0 == .conflicted },
        rejected: model.ends.values.count { $0 == .rejected }
      )
      if ends != wanted { throw Failure(description: "\(ends) ended, not \(wanted)") }
    }

    // MARK: Steps

    mutating func step(_ source: RandomChanges, _ generator: inout SeededGenerator) throws {
      var touched: Set<ItemID> = []
      var isEdit = false
      let isStacked = !model.edits.isEmpty
      let open = model.edits.filter(\.isPending).map(\.name)
      switch generator.number(0..<100) {
      case 0..<8:
        isEdit = true
        try takeBack(isRedo: generator.percent(40))
      case 8..<42:
        isEdit = true
        touched = try edit(isPending: generator.percent(57), source, &generator)
      case 42..<50:
        guard let name = generator.element(of: open) else { return }
        let isInList = generator.percent(40)
        model.accept(name, isInList: isInList)
        let line = generator.percent(50) || isInList ? sequence + (isInList ? 0 : 1) : nil
        try shelf.repository.accept(name, inLine: line, of: shelf.id)
      case 50..<62: touched = try serve(nil, source, &generator)
      case 62..<76:
        guard let name = generator.element(of: open) else { return }
        let changes = model.changesOfServer(taking: name) ?? []
        touched = try apply(changes, acknowledging: name)
      case 76..<84:
        let known = open + model.ends.filter { $0.value == .conflicted }.keys.sorted()
        guard let name = generator.element(of: known.filter { $0.utf8.count == 32 }) else { return }
        touched = try serve(name, source, &generator)
      case 84..<92:
        guard let name = generator.element(of: open) else { return }
        model.reject(name)
        if generator.percent(50) {
          try follow(rejection(of: name, why: "no", list: shelf.id))
        } else {
          try shelf.reject(name, why: "no")
        }
      case 92..<97:
        var server = model.base
        for _ in 0..<3 { try server.apply(source.change(for: server, using: &generator)) }
        sequence += 1
        try model.apply(.snapshot(server.sections))
        try follow(snapshotLine(sequence, server.sections, list: shelf.id))
      default:
        sequence = 0
        resets += 1
        try model.apply(.reset)
        // The same text would be the same reset.
        try follow("{\"t\":\"reset\",\"list\":\"\(shelf.id)\",\"why\":\(resets)}")
      }
      // Changes that undo each other count as two where they are made one after the other.
      try check(touched, keepsSizes: isStacked && !isEdit)
    }

    private mutating func edit(
      isPending: Bool, _ source: RandomChanges, _ generator: inout SeededGenerator
    ) throws -> Set<ItemID> {
      let changes = try self.changes(
        generator.number(1..<4), of: model.list, source, &generator)
      locals += 1
      var name = "local \(locals)"
      if isPending {
        let edit = try shelf.editPending { editor in
          for change in changes { try editor.apply(change) }
        }.edit
        guard let edit else { throw Failure(description: "no edit") }
        name = edit.id
      } else {
        try shelf.edit { editor in for change in changes { try editor.apply(change) } }
      }
      try model.edit(changes, named: name, isPending: isPending)
      return changes.touched
    }

    /// A pending undo or redo, which may be of an edit that was made again meanwhile, or ended.
    private mutating func takeBack(isRedo: Bool) throws {
      let step = isRedo ? try shelf.redo(pending: true) : try shelf.undo(pending: true)
      guard let step, !step.commit.entries.isEmpty else { return }
      guard let edit = try shelf.pendingEdits().last, edit.state == .waiting else {
        throw Failure(description: "the undo is not in the outbox")
      }
      try model.edit(edit.changes, named: edit.id, isPending: true)
    }

    private mutating func serve(
      _ name: String?, _ source: RandomChanges, _ generator: inout SeededGenerator
    ) throws -> Set<ItemID> {
      let changes = try self.changes(
        generator.number(0..<5), of: model.base, source, &generator)
      return try apply(changes, acknowledging: name)
    }

    /// Changes that fit one after another.
    ///
    /// None brings a section back that one of them deletes: outside of a rebase, a view gets that as
    /// another section.
    private func changes(
      _ count: Int, of list: ListTree, _ source: RandomChanges,
      _ generator: inout SeededGenerator
    ) throws -> [Change] {
      let sections = list.sections.map(\.id)
      var tree = list
      var changes: [Change] = []
      while changes.count < count {
        let change = source.change(for: tree, using: &generator)
        if case .insertSection(let id, _, _) = change, sections.contains(id) { continue }
        try tree.apply(change)
        changes.append(change)
      }
      return changes
    }

    private mutating func apply(
      _ changes: [Change], acknowledging name: String?
    ) throws -> Set<ItemID> {
      sequence += 1
      try model.apply(.commit(changes), acknowledging: name)
      lines += 1
      // The same text under the same number would be a line that was applied before.
      try follow(line(sequence, changes, edit: name, at: lines, list: shelf.id))
      return changes.touched
    }
  }

  private static let partCount = 20

  @Test(arguments: 0..<partCount) func theListIsTheServersAndWhatStillFitsOfTheEdits(
    part: Int
  ) throws {
    let folder = try TemporaryFolder()
    var repository = try Repository(at: folder.file("store.sqlite"))
    let source = RandomChanges(sections: 5, items: 14, hasSectionParts: true)
    for (number, seed) in stride(from: part, to: Self.count, by: Self.partCount).enumerated() {
      if number % 100 == 99 { repository = try Repository(at: folder.file("store.sqlite")) }
      var generator = SeededGenerator(seed: UInt64(seed))
      let list = ListID(stringLiteral: "l\(seed)")
      var step = 0
      do {
        var bench = try Bench(repository, list)
        while step < 14 {
          step += 1
          try bench.step(source, &generator)
        }
      } catch {
        Issue.record("seed \(seed), step \(step): \(error)")
        return
      }
      try repository.deleteList(list)
    }
    #expect(repository.diagnostics.isEmpty)
    #expect(try repository.checkInvariants().isEmpty)
  }
}

extension ListTree {
  /// A size of each item.
  fileprivate var sizes: [MeasuredSize] {
    sections.flatMap(\.items).map { item in
      MeasuredSize(
        item: item.id, size: Size(width: 320, height: 40), cell: item.state.cell,
        contentRevision: item.state.contentRevision)
    }
  }
}

extension [Change] {
  /// The items that are to be drawn again.
  fileprivate var touched: Set<ItemID> {
    Set(compactMap { if case .touchItem(let id) = $0 { id } else { nil } })
  }
}
