import ListModel

extension LegalityCheck {
  /// The reason why Cellar must not give a stage to a view.
  ///
  /// Cellar gives a stage to a view if its verdict is ``LegalityVerdict/Outcome/ok`` and if it is
  /// in the safe subset, which every version of UIKit handles right. A stage of the safe subset has
  /// either structure or content:
  /// - Structure: deletes, inserts and moves, each once. No operation is on an item of a deleted,
  ///   inserted or moved section. No item changes its section if sections are deleted, inserted or
  ///   moved. Nothing moves onto its own index without need.
  /// - Content: reloads, reconfigures and section updates, each once. No item is both reloaded and
  ///   reconfigured.
  ///
  /// - Parameters:
  ///   - stage: The operations. Its own ``Stage/counts`` are not looked at.
  ///   - before: How many items each section holds before the stage.
  ///   - after: How many items each section holds after the stage.
  /// - Returns: `nil` if the stage is proven safe, else a verdict that is not
  ///   ``LegalityVerdict/Outcome/ok``.
  /// - Complexity: That of ``verdict(of:reloadingSections:before:after:)``.
  public static func refusal(
    of stage: Stage, before: SectionCounts, after: SectionCounts
  ) -> LegalityVerdict? {
    let operations = LegalityOperations(
      stage, reloadingSections: [], before: before, after: after)
    let verdict = verdict(of: operations)
    if verdict.outcome != .ok { return verdict }
    if stage.isStructural {
      return operations.mixture() ?? operations.repeatedOperation()
        ?? operations.redundantOperation() ?? operations.moveBetweenSections()
        ?? operations.moveOntoItself()
    }
    return operations.repeatedContent()
  }
}

/// The checks for the safe subset, for stages whose verdict is ok.
extension LegalityOperations {
  fileprivate func mixture() -> LegalityVerdict? {
    if stage.reloadItems.isEmpty, stage.reconfigureItems.isEmpty, stage.updateSections.isEmpty {
      return nil
    }
    let content =
      stage.reloadItems.first.map { "item \($0) is reloaded" }
      ?? stage.updateSections.first.map { "section \($0) is updated" } ?? "content changes"
    return refuse(.mixedStage, "\(content) in a stage that also deletes, inserts or moves")
  }

  /// The first move that the stage has twice; other duplicates are unsafe already.
  fileprivate func repeatedOperation() -> LegalityVerdict? {
    if stage.moveItems.count == moveItems.count, stage.moveSections.count == moveSections.count {
      return nil
    }
    let item = LegalityPlaces(stage.moveItems.map(\.from)).firstRepeated.map { "item \($0)" }
    let section = LegalityPlaces(stage.moveSections.map(\.from)).firstRepeated
    return refuse(
      .duplicateOperation,
      "\(section.map { "section \($0)" } ?? item ?? "something") moves to the same place twice")
  }

  fileprivate func redundantOperation() -> LegalityVerdict? {
    if let path = redundantDelete {
      return refuse(.redundantOperation, "item \(path) is deleted along with its section")
    }
    return redundantInsert.map {
      refuse(.redundantOperation, "an item is inserted at \($0) along with its section")
    }
  }

  fileprivate func moveBetweenSections() -> LegalityVerdict? {
    guard hasSectionOperations, !moveItems.isEmpty else { return nil }
    let sections = LegalitySectionMap(
      before: before.count, after: after.count, gone: deleteSections, arrived: insertSections,
      moves: moveSections)
    return moveItems.first { sections.newIndex(ofOld: $0.from.section) != $0.to.section }.map {
      refuse(
        .moveBetweenSectionsWithSectionOperations,
        "item \($0.from) moves to \($0.to), in another section, beside section operations")
    }
  }

  /// The first move onto its own index that is not needed.
  ///
  /// Such a move is not needed if as many elements leave in front of it as arrive in front of it.
  /// Otherwise another element would take the place.
  fileprivate func moveOntoItself() -> LegalityVerdict? {
    if moveSections.contains(where: { $0.from == $0.to }) {
      let leaving = deleteSections.merged(with: movedSections)
      let arriving = insertSections.merged(with: sectionTargets)
      for move in moveSections where move.from == move.to {
        if leaving.count(below: move.from) == arriving.count(below: move.to) {
          return refuse(.moveOntoItself, "section \(move.from) moves to where it is anyway")
        }
      }
    }
    let itemMoves = moveItems.filter {
      $0.from.item == $0.to.item && (hasSectionOperations || $0.from.section == $0.to.section)
    }
    if !itemMoves.isEmpty {
      let leaving = deleteItems.merged(with: movedItems)
      let arriving = insertItems.merged(with: itemTargets)
      for move in itemMoves {
        if leaving.countBeforeInSection(move.from) == arriving.countBeforeInSection(move.to) {
          return refuse(.moveOntoItself, "item \(move.from) moves to where it is anyway")
        }
      }
    }
    return nil
  }

  fileprivate func repeatedContent() -> LegalityVerdict? {
    let reconfigured = LegalityPlaces(stage.reconfigureItems)
    if let path = reconfigured.firstRepeated {
      return refuse(.duplicateOperation, "item \(path) is reconfigured twice")
    }
    if let path = reconfigured.firstCommon(with: reloadItems) {
      return refuse(.duplicateOperation, "item \(path) is both reloaded and reconfigured")
    }
    return LegalityPlaces(stage.updateSections).firstRepeated.map {
      refuse(.duplicateOperation, "section \($0) is updated twice")
    }
  }

  private func refuse(_ rule: LegalityRule, _ why: String) -> LegalityVerdict {
    LegalityVerdict(
      outcome: .unsafe, rule: rule,
      message: "UICollectionView may accept this, but Cellar does not emit it: \(why).")
  }
}
