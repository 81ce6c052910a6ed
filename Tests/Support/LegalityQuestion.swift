package import BatchUpdates
import ListModel

/// A stage with the counts before and after it and its section reloads, as `plan check` gets it.
package struct LegalityQuestion: CustomStringConvertible {
  /// How many items each section holds before the stage.
  package var before: [Int]
  /// How many items each section holds after the stage.
  package var after: [Int]
  /// The operations; its own counts are not looked at.
  package var stage = Stage()
  /// Indexes before of sections to reload.
  package var reloadSections: [Int] = []

  /// A stage of operations, in any order.
  package init(_ before: [Int], _ after: [Int], _ operations: [LegalityOperation]) {
    self.before = before
    self.after = after
    for operation in operations { add(operation) }
  }

  /// Adds an operation to the stage.
  package mutating func add(_ operation: LegalityOperation) {
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

  /// The operations of the stage and the section reloads, one by one.
  package var operations: [LegalityOperation] {
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

  /// What Cellar's proof says.
  package var verdict: LegalityVerdict {
    LegalityCheck.verdict(
      of: stage, reloadingSections: reloadSections, before: SectionCounts(before),
      after: SectionCounts(after))
  }

  /// Why Cellar would not give the stage to a view; `nil` if it would.
  package var refusal: LegalityVerdict? {
    LegalityCheck.refusal(
      of: stage, before: SectionCounts(before),
      after: SectionCounts(after))
  }

  package var description: String { "\(before) → \(after) \(operations)" }
}
