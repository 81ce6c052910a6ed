import BatchUpdates
import Foundation
import ListModel
import ListStore
import ListSync
import ListTables
import Providers
import TestSupport
import Testing

/// Random histories of a list from which random things are erased now and then.
@Suite struct RandomErasingTests {
  /// A list without its revision, its content revisions and what stands for erased things.
  private func shape(
    _ tree: ListTree, without names: (items: Set<ItemID>, sections: Set<SectionID>)
  )
    -> [[String]]
  {
    tree.sections.map { section in
      let isErased = section.id.isErased || names.sections.contains(section.id)
      return [isErased ? "erased" : "\(section.id) \(section.attributes.hashValue)"]
        + section.items.map { item in
          item.id.isErased || names.items.contains(item.id)
            ? "erased" : "\(item.id) \(item.state.content.text) \(item.state.contentRevision)"
        }
    }
  }

  @Test(arguments: 0..<UInt64(SeededGenerator.count(3)))
  func eachRevisionIsAsItWasButForWhatWasErased(_ seed: UInt64) throws {
    let folder = try TemporaryFolder()
    let repository = try Repository(at: folder.file("store.sqlite"))
    let list: ListID = "l"
    var generator = SeededGenerator(seed: seed)
    let changes = RandomChanges(hasSectionParts: true)
    var trees = [ListTree(list: list)]
    var floor = 0
    /// What was erased since each revision.
    var erased: [(items: Set<ItemID>, sections: Set<SectionID>)] = [([], [])]
    var shown = try repository.providerIfPresent(for: list)
    for round in 0..<120 {
      var tree = try #require(trees.last)
      var commit: [Change] = []
      for _ in 0...generator.number(0..<4) {
        let change = changes.change(for: tree, using: &generator)
        _ = try tree.apply(change)
        commit.append(change)
      }
      if generator.oneIn(6), trees.count > floor + 1 {
        _ = try? repository.undoCommit(generator.number(floor + 1..<trees.count), of: list)
      }
      if try repository.lists().isEmpty || repository.tree(of: list) == trees.last {
        try repository.commit(commit, to: list)
      }
      trees.append(try repository.tree(of: list))
      erased.append(([], []))
      if generator.oneIn(12) {
        floor = try repository.truncateLog(
          of: list, keeping: LogRetention(changes: generator.number(0..<60)))
      }
      if generator.oneIn(5) {
        var things: [Repository.Erasable] = []
        let before = try #require(trees.last)
        let known = trees[max(0, floor)...].flatMap(\.sections)
        if let item = generator.element(of: known.flatMap(\.items))?.id, !item.isErased {
          things.append(.item(item, of: list))
        }
        if generator.oneIn(3), let section = generator.element(of: known)?.id, !section.isErased {
          things.append(.section(section, of: list))
        }
        guard !things.isEmpty else { continue }
        do {
          let result = try repository.erase(things)
          #expect(result.isComplete)
        } catch {
          // The beginning of the log may have the last that there was of it.
          #expect([.itemNotFound, .sectionNotFound].contains(error.code), "seed \(seed): \(error)")
          #expect(try repository.tree(of: list) == before)
          continue
        }
        trees.append(try repository.tree(of: list))
        erased.append(([], []))
        for thing in things {
          for index in erased.indices.dropLast() {
            switch thing {
            case .item(let item, _): erased[index].items.insert(item)
            case .section(let section, _):
              erased[index].sections.insert(section)
              // Those that were in it last are erased with it, and stood elsewhere before.
              let gone = Set(before.sections.first { $0.id == section }?.items.map(\.id) ?? [])
              erased[index].items.formUnion(gone)
            case .list: break
            }
          }
        }
        #expect(try repository.checkInvariants() == [], "seed \(seed), round \(round)")
        for revision in floor..<trees.count {
          let now = try repository.tree(of: list, at: revision)
          var names = erased[revision]
          // Items that were deleted from an erased section before.
          let gone = zip(trees[revision].sections, now.sections).flatMap { old, new -> [ItemID] in
            zip(old.items, new.items).filter { $0.id != $1.id && $1.id.isErased }.map(\.0.id)
          }
          if things.contains(where: { if case .section = $0 { true } else { false } }) {
            for index in 0..<(erased.count - 1) { erased[index].items.formUnion(gone) }
            names = erased[revision]
          }
          #expect(
            shape(now, without: names) == shape(trees[revision], without: names),
            "seed \(seed), round \(round), revision \(revision)")
        }
        for thing in things {
          guard case .item(let item, _) = thing else { continue }
          let hash = withUnsafeBytes(of: item.stableHash.bigEndian) { Data($0) }
          for name in try FileManager.default.contentsOfDirectory(atPath: folder.url.path) {
            let bytes = try Data(contentsOf: folder.file(name))
            #expect(bytes.range(of: hash) == nil, "seed \(seed), round \(round), \(item), \(name)")
          }
        }
      }
      if generator.oneIn(2) {
        let update = try repository.advance(&shown, policy: UpdatePolicy(budget: .unlimited))
        if case .reload(let why) = update.mode {
          // The log may have been truncated behind what was erased.
          #expect(why == .erased || why == .forked, "seed \(seed), round \(round)")
        }
        #expect(shown.tree == (try repository.tree(of: list)), "seed \(seed), round \(round)")
      }
    }
  }
}
