import ListModel

extension LegalityOperations {
  /// The verdict on the first place that does not exist; `nil` if all indexes and paths exist.
  func outOfBounds() -> LegalityVerdict? {
    negativeCount() ?? reconfigureOutOfBounds() ?? reloadOutOfBounds() ?? deleteOutOfBounds()
      ?? insertOutOfBounds() ?? moveOutOfBounds() ?? updateOutOfBounds()
  }

  private func negativeCount() -> LegalityVerdict? {
    for (counts, time) in [(before, "before"), (after, "after")] {
      guard let section = counts.firstNegative else { continue }
      return .raise(
        .negativeCount,
        "section \(section) is said to have \(counts[section]) items \(time) the update")
    }
    return nil
  }

  private func reconfigureOutOfBounds() -> LegalityVerdict? {
    Self.firstMissing(in: stage.reconfigureItems, before).map {
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
    return Self.firstMissing(in: reloadItems.elements, before).map {
      .raise(.reloadItemOutOfBounds, "item \($0) is reloaded, but \(whyMissing($0, before))")
    }
  }

  /// The first delete out of bounds; deletes in descending order, a section before its items.
  private func deleteOutOfBounds() -> LegalityVerdict? {
    let section = deleteSections.elements.last { !before.indices.contains($0) }
    let path = Self.firstMissing(in: deleteItems.elements.reversed(), before)
    if let section, section >= path?.section ?? .min {
      return .raise(
        .deleteSectionOutOfBounds,
        "section \(section) is deleted, but \(sections(before, "before"))")
    }
    return path.map {
      .raise(.deleteItemOutOfBounds, "item \($0) is deleted, but \(whyMissing($0, before))")
    }
  }

  /// The first insert out of bounds; inserts in ascending order, a section after its items.
  private func insertOutOfBounds() -> LegalityVerdict? {
    let section = insertSections.elements.first { !after.indices.contains($0) }
    let path = Self.firstMissing(in: insertItems.elements, after)
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
      var text: String { "section \(move.from) moves to \(move.to), but" }
      if !before.indices.contains(move.from) {
        return .raise(.moveSectionOutOfBounds, "\(text) \(sections(before, "before"))")
      }
      if !after.indices.contains(move.to) {
        return .raise(.moveSectionOutOfBounds, "\(text) \(sections(after, "after"))")
      }
    }
    var countsBefore = LegalityCountReader(before)
    var countsAfter = LegalityCountReader(after)
    for move in moveItems {
      var text: String { "item \(move.from) moves to \(move.to), but" }
      if !countsBefore.hasItem(at: move.from) {
        return .raise(.moveItemOutOfBounds, "\(text) \(whyMissing(move.from, before))")
      }
      if !countsAfter.hasItem(at: move.to) {
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

  private static func firstMissing(
    in paths: some Sequence<ItemPath>, _ counts: SectionCounts
  ) -> ItemPath? {
    var counts = LegalityCountReader(counts)
    return paths.first { !counts.hasItem(at: $0) }
  }

  /// Why a path does not exist, as a clause.
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
