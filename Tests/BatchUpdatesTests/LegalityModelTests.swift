import BatchUpdates
import ListModel
import TestSupport
import Testing

/// The check against a second, slow implementation, and against stages known to be right.
@Suite struct LegalityModelTests {
  /// Every pair of operations on lists of up to 2 sections of up to 2 items.
  @Test func everyPairOfOperationsOnSmallListsGetsTheSlowVerdict() {
    let lists = [[]] + (0...2).map { [$0] } + (0...8).map { [$0 / 3, $0 % 3] }
    var disagreements = 0
    for before in lists {
      for after in lists {
        let all = operations(before, after)
        for (position, first) in all.enumerated() {
          for second in all[position...] {
            let question = LegalityQuestion(before, after, [first, second])
            let slow = LegalityOracle.outcome(of: question)
            let verdict = question.verdict
            guard verdict.outcome != slow else { continue }
            disagreements += 1
            if disagreements < 10 {
              Issue.record("\(question): \(verdict.outcome), slowly \(slow). \(verdict.message)")
            }
          }
        }
      }
    }
    #expect(disagreements == 0)
  }

  /// Every operation whose paths exist.
  private func operations(_ before: [Int], _ after: [Int]) -> [LegalityOperation] {
    let old = before.indices.flatMap { s in (0..<before[s]).map { ItemPath(section: s, item: $0) } }
    let new = after.indices.flatMap { s in (0..<after[s]).map { ItemPath(section: s, item: $0) } }
    var all: [LegalityOperation] = []
    for section in before.indices {
      all += [.deleteSection(section), .reloadSection(section)]
      all += after.indices.map { .moveSection(section, $0) }
    }
    all += after.indices.map { .insertSection($0) }
    for path in old {
      all += [
        .deleteItem(path.section, path.item), .reloadItem(path.section, path.item),
        .reconfigureItem(path.section, path.item),
      ]
      all += new.map { .moveItem(path.section, path.item, to: $0.section, $0.item) }
    }
    all += new.map { .insertItem($0.section, $0.item) }
    return all
  }

  /// Random stages of many operations, whose counts mostly add up.
  @Test(arguments: 0..<UInt64(SeededGenerator.count(4)))
  func randomStagesGetTheVerdictOfTheOracle(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    var seen: [LegalityVerdict.Outcome: Int] = [:]
    for run in 0..<4_000 {
      let question = LegalityQuestion.random(using: &random)
      let slow = LegalityOracle.outcome(of: question)
      let verdict = question.verdict
      seen[slow, default: 0] += 1
      #expect(
        verdict.outcome == slow, "seed \(seed), run \(run): \(question) \(verdict.message)")
      if verdict.outcome != slow { return }
    }
    // The runs prove nothing if they all end alike.
    for outcome in [LegalityVerdict.Outcome.ok, .unsafe, .raise] {
      #expect(seen[outcome, default: 0] > 200, "\(seen)")
    }
  }

  @Test(arguments: 100..<104 as Range<UInt64>)
  func stagesOfTheSafeSubsetAreProvenSafe(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    for run in 0..<2_000 {
      let pair = LegalityTreePair(using: &random)
      let verdict = pair.question.verdict
      #expect(verdict == .ok, "seed \(seed), run \(run): \(pair.question) \(verdict.message)")
      let refusal = pair.question.refusal
      #expect(
        refusal == nil, "seed \(seed), run \(run): \(pair.question) \(refusal?.message ?? "")")
      #expect(LegalityOracle.outcome(of: pair.question) == .ok)
    }
  }

  @Test(arguments: 200..<204 as Range<UInt64>)
  func damagedStagesAreNotProvenUnlessTheOracleTakesThem(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    var rejected = 0
    for run in 0..<2_000 {
      var question = LegalityTreePair(using: &random).question
      question.damage(using: &random)
      let slow = LegalityOracle.outcome(of: question)
      if slow != .ok { rejected += 1 }
      #expect(question.verdict.outcome == slow, "seed \(seed), run \(run): \(question)")
      if slow != .ok {
        #expect(question.refusal != nil, "seed \(seed), run \(run): \(question)")
      }
    }
    #expect(rejected > 1_000)
  }

  /// A dropped delete or insert, and a count that is off by one, always raise.
  @Test func countsThatDisagreeRaise() {
    var random = SeededGenerator(seed: 7)
    for run in 0..<2_000 {
      let question = LegalityTreePair(using: &random).question
      let kept = question.operations
      for (position, operation) in kept.enumerated() {
        switch operation {
        case .deleteItem, .insertItem, .deleteSection, .insertSection: break
        default: continue
        }
        var rest = kept
        rest.remove(at: position)
        let damaged = LegalityQuestion(question.before, question.after, rest)
        #expect(damaged.verdict.outcome == .raise, "run \(run): \(damaged)")
      }
      for section in question.after.indices
      where !question.stage.insertSections.contains(section) {
        var damaged = question
        damaged.after[section] += 1
        #expect(damaged.verdict.outcome == .raise, "run \(run): \(damaged)")
      }
    }
  }

  @Test func contentStagesAreProvenSafe() {
    var random = SeededGenerator(seed: 11)
    for run in 0..<2_000 {
      let counts = (0..<1 + random.below(4)).map { _ in random.below(6) }
      var question = LegalityQuestion(counts, counts, [])
      for section in counts.indices {
        if random.oneIn(3) { question.add(.updateSection(section)) }
        for item in 0..<counts[section] {
          switch random.below(4) {
          case 0: question.add(.reloadItem(section, item))
          case 1: question.add(.reconfigureItem(section, item))
          default: continue
          }
        }
      }
      #expect(question.verdict == .ok && question.refusal == nil, "run \(run): \(question)")
      let missing = random.below(counts.count)
      question.add(.reloadItem(missing, counts[missing]))
      #expect(question.refusal?.outcome == .raise, "run \(run): \(question)")
    }
  }
}

extension LegalityQuestion {
  /// A random stage in bounds, mostly, of lists of up to 4 sections of up to 4 items, its counts
  /// after made to add up more often than not.
  static func random(using random: inout SeededGenerator) -> LegalityQuestion {
    let before = (0..<1 + random.below(4)).map { _ in random.below(5) }
    var question = LegalityQuestion(before, before, [])
    if random.oneIn(2) {
      for section in before.indices {
        switch random.below(8) {
        case 0: question.add(.deleteSection(section))
        case 1: question.add(.reloadSection(section))
        default: continue
        }
      }
      let inserted = random.below(3)
      let count = before.count - question.stage.deleteSections.count + inserted
      for _ in 0..<inserted { question.add(.insertSection(random.below(count))) }
      for section in before.indices where random.oneIn(5) {
        question.add(.moveSection(section, random.below(count)))
      }
      question.after = (0..<max(count, 0)).map { _ in random.below(5) }
    }
    question.addItemOperations(using: &random)
    if !random.oneIn(10) { question.balance() }
    return question
  }

  private mutating func addItemOperations(using random: inout SeededGenerator) {
    let rate = 4 + random.below(12)
    for section in before.indices {
      for item in 0..<before[section] {
        switch random.below(rate) {
        case 0: add(.deleteItem(section, item))
        case 1:
          let target = random.below(after.count)
          add(.moveItem(section, item, to: target, random.below(4)))
        case 2: add(.reloadItem(section, item))
        case 3 where random.oneIn(8): add(.reconfigureItem(section, item))
        default: continue
        }
      }
    }
    for section in after.indices where random.oneIn(3) {
      add(.insertItem(section, random.below(4)))
    }
    if random.oneIn(10), let again = operations.randomElement(using: &random) { add(again) }
  }

  /// Sets the counts after to what the explicit operations lead to.
  private mutating func balance() {
    var stay = before.indices.filter { old in
      !stage.deleteSections.contains(old) && !stage.moveSections.contains { $0.from == old }
    }
    var oldOfNew: [Int: Int] = [:]
    for move in stage.moveSections { oldOfNew[move.to] = move.from }
    for new in after.indices
    where oldOfNew[new] == nil && !stage.insertSections.contains(new) && !stay.isEmpty {
      oldOfNew[new] = stay.removeFirst()
    }
    for (new, old) in oldOfNew {
      let removed =
        stage.deleteItems.count { $0.section == old }
        + stage.moveItems.count { $0.from.section == old }
      let added =
        stage.insertItems.count { $0.section == new }
        + stage.moveItems.count { $0.to.section == new }
      if after.indices.contains(new) { after[new] = max(0, before[old] - removed + added) }
    }
  }

  /// Drops an operation, does one twice, shifts one, or miscounts a section.
  mutating func damage(using random: inout SeededGenerator) {
    var all = operations
    let position = random.below(all.count)
    switch all.isEmpty ? 3 : random.below(4) {
    case 0: all.remove(at: position)
    case 1: all.append(all[position])
    case 2: all[position] = all[position].shifted(using: &random)
    default:
      if after.isEmpty { after = [1] } else { after[random.below(after.count)] += 1 }
    }
    self = LegalityQuestion(before, after, all)
  }
}

extension LegalityOperation {
  /// The same operation with one of its indexes one off.
  func shifted(using random: inout SeededGenerator) -> LegalityOperation {
    let step = random.oneIn(2) ? 1 : -1
    let first = random.oneIn(2) ? step : 0
    let second = step - first
    switch self {
    case .deleteSection(let section): return .deleteSection(section + step)
    case .insertSection(let section): return .insertSection(section + step)
    case .moveSection(let from, let to): return .moveSection(from + first, to + second)
    case .reloadSection(let section): return .reloadSection(section + step)
    case .updateSection(let section): return .updateSection(section + step)
    case .deleteItem(let section, let item): return .deleteItem(section + first, item + second)
    case .insertItem(let section, let item): return .insertItem(section + first, item + second)
    case .moveItem(let section, let item, let toSection, let toItem):
      return random.oneIn(2)
        ? .moveItem(section + first, item + second, to: toSection, toItem)
        : .moveItem(section, item, to: toSection + first, toItem + second)
    case .reloadItem(let section, let item): return .reloadItem(section + first, item + second)
    case .reconfigureItem(let section, let item):
      return .reconfigureItem(section + first, item + second)
    }
  }
}
