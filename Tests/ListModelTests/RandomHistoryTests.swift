import ListModel
import TestSupport
import Testing

/// Long histories of random changes, each step against ``NaiveList``.
@Suite struct RandomHistoryTests {
  @Test(arguments: 0..<4) func randomChangesAgreeWithTheModel(part: UInt64) {
    let changes = RandomChanges(hasSectionParts: true)
    forEachSeed((part * 500)..<((part + 1) * 500)) { generator in
      var tree = ListTree(list: "list")
      for _ in 0..<40 {
        let change = changes.change(for: tree, using: &generator)
        guard let step = try checkedStep(change, on: tree) else {
          throw RandomFailure("\(change) was refused")
        }
        tree = step.tree
      }
    }
  }

  @Test(arguments: 0..<2) func commitsLeadForthAndBackThroughTheSameTrees(part: UInt64) {
    let changes = RandomChanges(sections: 4, items: 12, hasSectionParts: true)
    forEachSeed((part * 100 + 9_000)..<(part * 100 + 9_100)) { generator in
      var trees = [ListTree(list: "list")]
      var commits: [Commit] = []
      for revision in 1...25 {
        var tree = trees[revision - 1]
        var entries: [LogEntry] = []
        for _ in 0..<generator.number(0..<8) {
          entries.append(try tree.apply(changes.change(for: tree, using: &generator)))
        }
        tree.revision = revision
        trees.append(tree)
        commits.append(
          Commit(list: "list", revision: revision, author: .app, time: nil, entries: entries))
      }

      var replayed = trees[0]
      for (index, commit) in commits.enumerated() {
        try replayed.apply(commit)
        if replayed != trees[index + 1] { throw RandomFailure("replay to \(index + 1)") }
      }
      for (index, commit) in commits.enumerated().reversed() {
        try replayed.revert(commit)
        if replayed != trees[index] { throw RandomFailure("back to \(index)") }
      }
    }
  }

  /// What keeps the other two from testing little.
  @Test func theRandomChangesAreOfAllKinds() throws {
    var generator = SeededGenerator(seed: 5)
    var kinds: [String: Int] = [:]
    var tree = ListTree(list: "list")
    for _ in 0..<2_000 {
      let entry = try tree.apply(
        RandomChanges(hasSectionParts: true).change(for: tree, using: &generator))
      kinds[String("\(entry)".prefix { $0 != "(" }), default: 0] += 1
    }
    #expect(kinds.count == 10)
    #expect(kinds.values.allSatisfy { $0 >= 20 }, "\(kinds)")
  }
}
