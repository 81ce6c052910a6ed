import BatchUpdates
import Foundation
import HeadlessUIKit
import ListModel
import TestSupport
import Testing

/// The views' rules and Cellar's own proof are written apart; they must agree, with each other and
/// with the oracle of the tests.
@MainActor @Suite struct RuleAgreementTests {
  /// Returns the outcome, so that a test can see that it met each.
  @discardableResult private func compare(
    _ batch: LegalityQuestion, _ note: String
  ) -> LegalityVerdict.Outcome {
    let verdict = batch.verdict
    #expect(LegalityOracle.outcome(of: batch) == verdict.outcome, "\(note): \(batch)")
    let raised = batch.raised()
    switch verdict.outcome {
    case .ok: #expect(raised == [], "\(note): \(batch)")
    case .raise:
      #expect(
        raised.map(\.name) == [.internalInconsistency], "\(note): \(batch): \(verdict.message)")
    case .unsafe:
      let isRefused =
        raised.count == 1
        && (raised[0].name == .hazard || raised[0].reason.hasPrefix("cannot move an item"))
      #expect(isRefused, "\(note): \(batch): \(verdict.message): \(raised)")
    }
    return verdict.outcome
  }

  private func randomBatch(_ random: inout SeededGenerator) -> LegalityQuestion {
    let before = (0..<random.number(1..<4)).map { _ in random.number(0..<4) }
    var batch = LegalityQuestion(before, before, [])
    // Sets can't hold an index twice, so what is told of sections is told once.
    func section() -> Int { random.number(0..<3) }
    func path() -> ItemPath { ItemPath(section: random.number(0..<3), item: random.number(0..<3)) }
    for _ in 0..<random.number(1..<4) {
      switch random.number(0..<12) {
      case 0: batch.stage.deleteSections = [section()]
      case 1: batch.stage.insertSections = [section()]
      case 2: batch.stage.moveSections.append(.init(from: section(), to: section()))
      case 3: batch.reloadSections = [section()]
      case 4, 5: batch.stage.deleteItems.append(path())
      case 6, 7: batch.stage.insertItems.append(path())
      case 8, 9: batch.stage.moveItems.append(.init(from: path(), to: path()))
      case 10: batch.stage.reloadItems.append(path())
      default: batch.stage.reconfigureItems.append(path())
      }
    }
    // Counts that add up, more often than not.
    var after = before
    for section in batch.stage.deleteSections where after.indices.contains(section) {
      after.remove(at: section)
    }
    for section in batch.stage.insertSections where section <= after.count {
      after.insert(random.number(0..<3), at: section)
    }
    func add(_ change: Int, _ section: Int) {
      if after.indices.contains(section) { after[section] = max(0, after[section] + change) }
    }
    for path in batch.stage.deleteItems { add(-1, path.section) }
    for path in batch.stage.insertItems { add(1, path.section) }
    for move in batch.stage.moveItems where move.from.section != move.to.section {
      add(-1, move.from.section)
      add(1, move.to.section)
    }
    for move in batch.stage.moveSections
    where after.indices.contains(move.from) && move.to < after.count {
      after.insert(after.remove(at: move.from), at: move.to)
    }
    if random.percent(10), !after.isEmpty { add(1, random.number(0..<after.count)) }
    batch.after = after
    return batch
  }

  @Test func viewsRefuseExactlyWhatTheProofRefuses() {
    var outcomes: [LegalityVerdict.Outcome: Int] = [:]
    for seed in 0..<8_000 {
      var random = SeededGenerator(seed: UInt64(seed))
      outcomes[compare(randomBatch(&random), "seed \(seed)"), default: 0] += 1
    }
    #expect(outcomes[.ok, default: 0] > 300)
    #expect(outcomes[.unsafe, default: 0] > 100)
    #expect(outcomes[.raise, default: 0] > 300)
  }

  @Test(
    .enabled(
      if: PackageFiles.shared("batch-verdicts.json") != nil,
      "needs ../shared/data/batch-verdicts.json"))
  func viewsRefuseTheExamplesOfTheFile() throws {
    let file = try #require(PackageFiles.shared("batch-verdicts.json"))
    let examples = try LegalityExample.all(in: file)
    #expect(!examples.isEmpty)
    // An index set can't hold a section twice, so a view can't be told that.
    for example in examples
    where example.question.namesEachSectionOnce {
      #expect(example.question.verdict.outcome.rawValue == example.verdict, "\(example.name)")
      compare(example.question, example.name)
    }
  }
}

extension LegalityQuestion {
  /// Whether an index set can hold the sections that are deleted, and those that are inserted.
  fileprivate var namesEachSectionOnce: Bool {
    Set(stage.deleteSections).count == stage.deleteSections.count
      && Set(stage.insertSections).count == stage.insertSections.count
  }

  @MainActor private func tell(_ view: UICollectionView) {
    func paths(_ places: [ItemPath]) -> [IndexPath] { places.map { at($0.section, $0.item) } }
    view.deleteSections(IndexSet(stage.deleteSections))
    view.insertSections(IndexSet(stage.insertSections))
    view.reloadSections(IndexSet(reloadSections))
    for move in stage.moveSections { view.moveSection(move.from, toSection: move.to) }
    view.deleteItems(at: paths(stage.deleteItems))
    view.insertItems(at: paths(stage.insertItems))
    view.reloadItems(at: paths(stage.reloadItems))
    view.reconfigureItems(at: paths(stage.reconfigureItems))
    for move in stage.moveItems {
      view.moveItem(
        at: at(move.from.section, move.from.item), to: at(move.to.section, move.to.item))
    }
  }

  /// What a collection view raises that is told the stage.
  @MainActor fileprivate func raised() -> [HeadlessException] {
    let screen = ShelfScreen(before)
    screen.view.headless.expectedContent = nil
    return HeadlessException.raised { screen.update(after) { tell($0) } }
  }
}
