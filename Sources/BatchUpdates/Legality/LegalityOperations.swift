import ListModel

/// The operations of a stage in the order in which the view looks at them, and the counts that
/// they speak of.
struct LegalityOperations {
  let stage: Stage
  /// How many items each section holds before and after the stage.
  let before: SectionCounts
  let after: SectionCounts

  let deleteSections: LegalityPlaces<Int>
  let insertSections: LegalityPlaces<Int>
  let reloadSections: LegalityPlaces<Int>
  /// By source, each once: the view drops exact duplicates of moves.
  let moveSections: [Stage.SectionMove]
  let movedSections: LegalityPlaces<Int>
  let sectionTargets: LegalityPlaces<Int>

  let deleteItems: LegalityPlaces<ItemPath>
  let insertItems: LegalityPlaces<ItemPath>
  let reloadItems: LegalityPlaces<ItemPath>
  /// By source, each once.
  let moveItems: [Stage.ItemMove]
  let movedItems: LegalityPlaces<ItemPath>
  let itemTargets: LegalityPlaces<ItemPath>

  init(
    _ stage: Stage, reloadingSections: [Int], before: SectionCounts, after: SectionCounts
  ) {
    self.stage = stage
    self.before = before
    self.after = after
    deleteSections = LegalityPlaces(stage.deleteSections)
    insertSections = LegalityPlaces(stage.insertSections)
    reloadSections = LegalityPlaces(reloadingSections)
    moveSections = Self.withoutDuplicates(
      stage.moveSections.sorted { ($0.from, $0.to) < ($1.from, $1.to) })
    movedSections = LegalityPlaces(moveSections.map(\.from))
    sectionTargets = LegalityPlaces(moveSections.map(\.to))
    deleteItems = LegalityPlaces(stage.deleteItems)
    insertItems = LegalityPlaces(stage.insertItems)
    reloadItems = LegalityPlaces(stage.reloadItems)
    moveItems = Self.withoutDuplicates(
      stage.moveItems.sorted { ($0.from, $0.to) < ($1.from, $1.to) })
    movedItems = LegalityPlaces(moveItems.map(\.from))
    itemTargets = LegalityPlaces(moveItems.map(\.to))
  }

  private static func withoutDuplicates<Move: Equatable>(_ sorted: [Move]) -> [Move] {
    var kept: [Move] = []
    kept.reserveCapacity(sorted.count)
    for move in sorted where move != kept.last { kept.append(move) }
    return kept
  }

  /// Whether sections are deleted, inserted or moved.
  var hasSectionOperations: Bool {
    !(deleteSections.isEmpty && insertSections.isEmpty && moveSections.isEmpty)
  }

  /// The first item that is deleted although its section is.
  var redundantDelete: ItemPath? {
    if deleteSections.isEmpty { return nil }
    return deleteItems.elements.first { deleteSections.contains($0.section) }
  }

  /// The first path at which an item is inserted although its section is.
  var redundantInsert: ItemPath? {
    if insertSections.isEmpty { return nil }
    return insertItems.elements.first { insertSections.contains($0.section) }
  }
}

// MARK: - Bounds

extension LegalityOperations {
  /// The verdict on the first place that does not exist.
  ///
  /// Where there is none, every index and every path of the stage is inside its counts.
  func outOfBounds() -> LegalityVerdict? {
    negativeCount() ?? reconfigureOutOfBounds() ?? reloadOutOfBounds() ?? deleteOutOfBounds()
      ?? insertOutOfBounds() ?? moveOutOfBounds() ?? updateOutOfBounds()
  }

  private func negativeCount() -> LegalityVerdict? {
    for (counts, time) in [(before, "before"), (after, "after")] {
      guard let section = counts.firstIndex(where: { $0 < 0 }) else { continue }
      return .raise(
        .negativeCount,
        "section \(section) is said to have \(counts[section]) items \(time) the update")
    }
    return nil
  }

  private func reconfigureOutOfBounds() -> LegalityVerdict? {
    firstMissing(in: stage.reconfigureItems, before: true).map {
      .raise(
        .reconfigureItemOutOfBounds, "item \($0) is reconfigured, but \(whyMissing($0, before))")
    }
  }

  private func reloadOutOfBounds() -> LegalityVerdict? {
    if let section = reloadSections.elements.first(where: { !before.indices.contains($0) }) {
      return .raise(
        .reloadSectionOutOfBounds,
        "section \(section) is reloaded, but \(sections(before, "before"))")
    }
    return firstMissing(in: reloadItems.elements, before: true).map {
      .raise(.reloadItemOutOfBounds, "item \($0) is reloaded, but \(whyMissing($0, before))")
    }
  }

  /// Descending, a section before its items.
  private func deleteOutOfBounds() -> LegalityVerdict? {
    let section = deleteSections.elements.last { !before.indices.contains($0) }
    let path = deleteItems.elements.last { !Self.exists($0, in: before) }
    if let section, section >= path?.section ?? .min {
      return .raise(
        .deleteSectionOutOfBounds,
        "section \(section) is deleted, but \(sections(before, "before"))")
    }
    return path.map {
      .raise(.deleteItemOutOfBounds, "item \($0) is deleted, but \(whyMissing($0, before))")
    }
  }

  /// Ascending, a section after its items.
  private func insertOutOfBounds() -> LegalityVerdict? {
    let section = insertSections.elements.first { !after.indices.contains($0) }
    let path = firstMissing(in: insertItems.elements, before: false)
    if let path, path.section <= section ?? .max {
      return .raise(
        .insertItemOutOfBounds,
        "an item is inserted at \(path), but \(whyMissing(path, after, "after"))")
    }
    return section.map {
      .raise(
        .insertSectionOutOfBounds,
        "a section is inserted at \($0), but \(sections(after, "after"))")
    }
  }

  private func moveOutOfBounds() -> LegalityVerdict? {
    for move in moveSections {
      let text = "section \(move.from) moves to \(move.to), but"
      if !before.indices.contains(move.from) {
        return .raise(.moveSectionOutOfBounds, "\(text) \(sections(before, "before"))")
      }
      if !after.indices.contains(move.to) {
        return .raise(.moveSectionOutOfBounds, "\(text) \(sections(after, "after"))")
      }
    }
    for move in moveItems {
      let text = "item \(move.from) moves to \(move.to), but"
      if !Self.exists(move.from, in: before) {
        return .raise(.moveItemOutOfBounds, "\(text) \(whyMissing(move.from, before))")
      }
      if !Self.exists(move.to, in: after) {
        return .raise(.moveItemOutOfBounds, "\(text) \(whyMissing(move.to, after, "after"))")
      }
    }
    return nil
  }

  private func updateOutOfBounds() -> LegalityVerdict? {
    stage.updateSections.first { !after.indices.contains($0) }.map {
      .raise(
        .updateSectionOutOfBounds, "section \($0) is updated, but \(sections(after, "after"))")
    }
  }

  static func exists(_ path: ItemPath, in counts: SectionCounts) -> Bool {
    counts.indices.contains(path.section) && path.item >= 0 && path.item < counts[path.section]
  }

  private func firstMissing(in paths: [ItemPath], before isBefore: Bool) -> ItemPath? {
    paths.first { !Self.exists($0, in: isBefore ? before : after) }
  }

  /// Why a path is not there, as a clause.
  func whyMissing(_ path: ItemPath, _ counts: SectionCounts, _ time: String = "before") -> String {
    guard counts.indices.contains(path.section) else { return sections(counts, time) }
    return "section \(path.section) has \(Self.number(of: "item", counts[path.section])) \(time)"
      + " the update"
  }

  /// How many sections there are, as a clause.
  func sections(_ counts: SectionCounts, _ time: String) -> String {
    "there \(counts.count == 1 ? "is" : "are") \(Self.number(of: "section", counts.count)) \(time)"
      + " the update"
  }

  static func number(of noun: String, _ count: Int) -> String {
    "\(count) \(noun)\(count == 1 ? "" : "s")"
  }
}
