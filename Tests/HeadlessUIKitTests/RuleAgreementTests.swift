import BatchUpdates
import Foundation
import HeadlessUIKit
import ListModel
import TestSupport
import Testing

/// The views' rules and Cellar's own proof are written apart; they must agree.
@MainActor @Suite struct RuleAgreementTests {
  private struct Batch: CustomStringConvertible {
    var before: [Int]
    var after: [Int]
    var stage = Stage()
    var reloadSections: [Int] = []

    var verdict: LegalityVerdict {
      LegalityCheck.verdict(
        of: stage, reloadingSections: reloadSections, before: SectionCounts(before),
        after: SectionCounts(after))
    }

    var description: String { "\(before) → \(after) \(stage) RS\(reloadSections)" }

    @MainActor func tell(_ view: UICollectionView) {
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

    @MainActor func raised() -> [HeadlessException] {
      let screen = ShelfScreen(before)
      screen.view.headless.expectedContent = nil
      return HeadlessException.raised { screen.update(after) { tell($0) } }
    }
  }

  /// Returns the outcome, so that a test can see that it met each.
  @discardableResult private func compare(
    _ batch: Batch, _ note: String
  ) -> LegalityVerdict.Outcome {
    let verdict = batch.verdict
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

  private func randomBatch(_ random: inout SeededGenerator) -> Batch {
    let before = (0..<random.number(1..<4)).map { _ in random.number(0..<4) }
    var batch = Batch(before: before, after: before)
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

  private struct Example: Decodable {
    struct Operations: Decodable {
      var deleteSections: [Int]?
      var insertSections: [Int]?
      var moveSections: [[Int]]?
      var reloadSections: [Int]?
      var deleteItems: [[Int]]?
      var insertItems: [[Int]]?
      var moveItems: [[[Int]]]?
      var reloadItems: [[Int]]?
      var reconfigureItems: [[Int]]?
    }

    let name: String
    let verdict: String
    let before: [Int]
    let after: [Int]
    let stage: Operations

    var batch: Batch {
      func path(_ place: [Int]) -> ItemPath { ItemPath(section: place[0], item: place[1]) }
      var batch = Batch(before: before, after: after)
      batch.reloadSections = stage.reloadSections ?? []
      batch.stage.deleteSections = stage.deleteSections ?? []
      batch.stage.insertSections = stage.insertSections ?? []
      batch.stage.moveSections = (stage.moveSections ?? []).map { .init(from: $0[0], to: $0[1]) }
      batch.stage.deleteItems = (stage.deleteItems ?? []).map(path)
      batch.stage.insertItems = (stage.insertItems ?? []).map(path)
      batch.stage.moveItems = (stage.moveItems ?? []).map {
        .init(from: path($0[0]), to: path($0[1]))
      }
      batch.stage.reloadItems = (stage.reloadItems ?? []).map(path)
      batch.stage.reconfigureItems = (stage.reconfigureItems ?? []).map(path)
      return batch
    }
  }

  @Test(
    .enabled(
      if: PackageFiles.shared("batch-verdicts.json") != nil,
      "needs ../shared/data/batch-verdicts.json"))
  func viewsRefuseTheExamplesOfTheFile() throws {
    let file = try #require(PackageFiles.shared("batch-verdicts.json"))
    let examples = try JSONDecoder().decode([Example].self, from: Data(contentsOf: file))
    #expect(!examples.isEmpty)
    // An index set can't hold a section twice, so a view can't be told that.
    for example in examples
    where Set(example.batch.stage.deleteSections).count == example.batch.stage.deleteSections.count
      && Set(example.batch.stage.insertSections).count == example.batch.stage.insertSections.count
    {
      #expect(example.batch.verdict.outcome.rawValue == example.verdict, "\(example.name)")
      compare(example.batch, example.name)
    }
  }
}
