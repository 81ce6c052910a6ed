import BatchUpdates
import ListModel
import ListStore
import ListSync
import Providers
import TestSupport
import Testing

/// Store, Provider, tree and the view that was told batch updates always show the same list.
@Suite struct AgreementTests {
  /// 2,000 commits of random changes, 40 stores in all.
  ///
  /// A view that follows every commit and one that looks now and then.
  @Test(arguments: 0..<SeededGenerator.count(16)) func storeProviderTreeAndViewsAgree(_ seed: Int)
    throws
  {
    let bench = try FeedBench()
    let everything = UpdatePolicy(proof: .everything)
    var generator = SeededGenerator(seed: UInt64(seed))
    let source = RandomChanges(sections: 4, items: 16, hasSectionParts: true)
    var tree = ListTree(list: "l")
    var provider = Provider(tree)
    var view = CheckingView(showing: tree)
    var shownProvider = provider
    var shownView = view
    var lateProvider = provider
    var lateView = view
    var lateDeleted: Set<SectionID> = []
    for step in 0..<50 {
      let hint = "seed \(seed), step \(step)"
      var changes: [Change] = []
      var deleted: Set<SectionID> = []
      for _ in 0..<generator.number(0..<5) {
        let change = source.change(for: tree, using: &generator)
        changes.append(change)
        try tree.apply(change)
        if case .deleteSection(let id) = change { deleted.insert(id) }
      }
      lateDeleted.formUnion(deleted)
      tree.revision += 1
      try bench.repository.commit(changes, to: "l")

      let update = try bench.repository.advance(&provider, policy: everything)
      #expect(provider.tree == tree, "\(hint)")
      #expect([update.from, update.to] == [tree.revision - 1, tree.revision], "\(hint)")
      try view.perform(update, showing: provider.tree, reinserted: deleted)
      var shownPolicy = everything
      shownPolicy.hidesSections = true
      let shown = try bench.repository.advance(&shownProvider, policy: shownPolicy)
      try shownView.perform(shown, showing: tree.shown, reinserted: deleted)
      let hidden = tree.sections.indices.filter { tree.sections[$0].isHidden }
      let rebuilt = try bench.repository.provider(for: "l")
      for provider in [shownProvider, provider, rebuilt] {
        #expect(provider.shown.hiddenSections == hidden, "\(hint)")
      }
      if generator.percent(20) {
        let update = try bench.repository.advance(&lateProvider, policy: everything)
        #expect(lateProvider == provider, "\(hint)")
        try lateView.perform(update, showing: lateProvider.tree, reinserted: lateDeleted)
        lateDeleted = []
      }
      #expect(try bench.repository.tree(of: "l") == tree, "\(hint)")
    }
    #expect(
      try bench.repository.provider(for: "l") == provider, "a rebuilt Provider is the live one")
  }
}
