import BatchUpdates
import ListModel

/// A small seeded generator (SplitMix64), so that a failing run can be had again.
struct LegalityRandom: RandomNumberGenerator {
  private var state: UInt64

  init(seed: UInt64) { state = seed }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var bits = state
    bits = (bits ^ (bits >> 30)) &* 0xBF58_476D_1CE4_E5B9
    bits = (bits ^ (bits >> 27)) &* 0x94D0_49BB_1331_11EB
    return bits ^ (bits >> 31)
  }

  /// True in one of `times`.
  mutating func oneIn(_ times: Int) -> Bool { Int.random(in: 0..<times, using: &self) == 0 }

  /// A number below `bound`, 0 if there is none.
  mutating func below(_ bound: Int) -> Int {
    bound > 0 ? Int.random(in: 0..<bound, using: &self) : 0
  }
}

/// One operation, so that stages can be made from lists of them.
enum LegalityOperation: Hashable, CustomStringConvertible {
  case deleteSection(Int)
  case insertSection(Int)
  case moveSection(Int, Int)
  case reloadSection(Int)
  case updateSection(Int)
  case deleteItem(Int, Int)
  case insertItem(Int, Int)
  case moveItem(Int, Int, to: Int, Int)
  case reloadItem(Int, Int)
  case reconfigureItem(Int, Int)

  var description: String {
    switch self {
    case .deleteSection(let section): "DS\(section)"
    case .insertSection(let section): "IS\(section)"
    case .moveSection(let from, let to): "MS\(from)→\(to)"
    case .reloadSection(let section): "RS\(section)"
    case .updateSection(let section): "US\(section)"
    case .deleteItem(let section, let item): "D\(section),\(item)"
    case .insertItem(let section, let item): "I\(section),\(item)"
    case .moveItem(let section, let item, let toSection, let toItem):
      "M\(section),\(item)→\(toSection),\(toItem)"
    case .reloadItem(let section, let item): "R\(section),\(item)"
    case .reconfigureItem(let section, let item): "C\(section),\(item)"
    }
  }
}

/// A stage with its counts and its section reloads, as `plan check` gets it.
struct LegalityQuestion: CustomStringConvertible {
  var before: [Int]
  var after: [Int]
  var stage = Stage()
  var reloadSections: [Int] = []

  init(_ before: [Int], _ after: [Int], _ operations: [LegalityOperation]) {
    self.before = before
    self.after = after
    for operation in operations { add(operation) }
  }

  mutating func add(_ operation: LegalityOperation) {
    switch operation {
    case .deleteSection(let section): stage.deleteSections.append(section)
    case .insertSection(let section): stage.insertSections.append(section)
    case .moveSection(let from, let to): stage.moveSections.append(.init(from: from, to: to))
    case .reloadSection(let section): reloadSections.append(section)
    case .updateSection(let section): stage.updateSections.append(section)
    case .deleteItem(let section, let item):
      stage.deleteItems.append(ItemPath(section: section, item: item))
    case .insertItem(let section, let item):
      stage.insertItems.append(ItemPath(section: section, item: item))
    case .moveItem(let section, let item, let toSection, let toItem):
      stage.moveItems.append(
        .init(
          from: ItemPath(section: section, item: item),
          to: ItemPath(section: toSection, item: toItem)))
    case .reloadItem(let section, let item):
      stage.reloadItems.append(ItemPath(section: section, item: item))
    case .reconfigureItem(let section, let item):
      stage.reconfigureItems.append(ItemPath(section: section, item: item))
    }
  }

  var operations: [LegalityOperation] {
    var all: [LegalityOperation] = []
    all += stage.deleteSections.map { .deleteSection($0) }
    all += stage.insertSections.map { .insertSection($0) }
    all += stage.moveSections.map { .moveSection($0.from, $0.to) }
    all += reloadSections.map { .reloadSection($0) }
    all += stage.updateSections.map { .updateSection($0) }
    all += stage.deleteItems.map { .deleteItem($0.section, $0.item) }
    all += stage.insertItems.map { .insertItem($0.section, $0.item) }
    all += stage.moveItems.map {
      .moveItem($0.from.section, $0.from.item, to: $0.to.section, $0.to.item)
    }
    all += stage.reloadItems.map { .reloadItem($0.section, $0.item) }
    all += stage.reconfigureItems.map { .reconfigureItem($0.section, $0.item) }
    return all
  }

  var verdict: LegalityVerdict {
    LegalityCheck.verdict(
      of: stage, reloadingSections: reloadSections, before: SectionCounts(before),
      after: SectionCounts(after))
  }

  var refusal: LegalityVerdict? {
    LegalityCheck.refusal(
      of: stage, before: SectionCounts(before),
      after: SectionCounts(after))
  }

  var description: String { "\(before) → \(after) \(operations)" }
}
