extension UpdateRules {
  /// Throws if the operations do not lead from the counts before to the counts after.
  func checkCounts(_ parts: UpdateParts, _ sections: UpdateSectionMap) throws(HeadlessException) {
    let gone = parts.goneSections.count
    let arrived = parts.arrivedSections.count
    if after.count != before.count - gone + arrived {
      throw mismatch(
        "Invalid update: invalid number of sections. The number of sections contained in the "
          + "\(wording.view) after the update (\(after.count)) must be equal to the number of "
          + "sections contained in the \(wording.view) before the update (\(before.count)), plus "
          + "or minus the number of sections inserted or deleted (\(arrived) inserted, "
          + "\(gone) deleted).")
    }
    let crossing = parts.itemMoves.filter {
      sections.newOfOld[$0.from.section] != $0.to.section
    }
    if let section = unbalanced(parts, sections, crossing: crossing) {
      throw mismatch(itemText(section, parts, sections, crossing))
    }
  }

  /// Throws if an item leaves a section that moves onto its own index: UIKit lays out all items of
  /// the section again, including the one that left.
  func checkSectionsMovedOntoThemselves(_ parts: UpdateParts) throws(HeadlessException) {
    let resting = Set(
      parts.sectionMoves.filter { $0.from.section == $0.to.section }.map(\.from.section))
    for move in parts.itemMoves
    where resting.contains(move.from.section) && move.to.section != move.from.section {
      let total = after.reduce(0, +)
      throw HeadlessException(
        "request for index path for global index \(total) when there are only \(total) "
          + "\(wording.item)s in the \(wording.view)")
    }
  }

  /// The first section, of those that stay, whose item counts do not add up; its index is the one
  /// after the update.
  func unbalanced(
    _ parts: UpdateParts, _ sections: UpdateSectionMap, crossing: [UpdateMove]
  ) -> Int? {
    var changes = Array(repeating: 0, count: after.count)
    for place in parts.removedItems {
      if let new = sections.newOfOld[place.section] { changes[new] -= 1 }
    }
    for place in parts.addedItems { changes[place.section] += 1 }
    for move in crossing {
      if let new = sections.newOfOld[move.from.section] { changes[new] -= 1 }
      changes[move.to.section] += 1
    }
    return after.indices.first { new in
      guard let old = sections.oldOfNew[new] else { return false }
      return after[new] != before[old] + changes[new]
    }
  }

  private func itemText(
    _ section: Int, _ parts: UpdateParts, _ sections: UpdateSectionMap, _ crossing: [UpdateMove]
  ) -> String {
    let old = sections.oldOfNew[section] ?? section
    let inserted = parts.addedItems.count { $0.section == section }
    let deleted = parts.removedItems.count { $0.section == old }
    let movedIn = crossing.count { $0.to.section == section }
    let movedOut = crossing.count { $0.from.section == old }
    let items = "\(wording.item)s"
    return
      "Invalid update: invalid number of \(items) in section \(section). The number of \(items) "
      + "contained in an existing section after the update (\(after[section])) must be equal to "
      + "the number of \(items) contained in that section before the update (\(before[old])), plus "
      + "or minus the number of \(items) inserted or deleted from that section (\(inserted) "
      + "inserted, \(deleted) deleted) and plus or minus the number of \(items) moved into or out "
      + "of that section (\(movedIn) moved in, \(movedOut) moved out)."
  }

  private func mismatch(_ detail: String) -> HeadlessException {
    let lines =
      (deletes + reloads).sorted(by: >).map { "Delete \(word($0)) \($0.short)" }
      + moves.map { "Move \(word($0.from)) \($0.from.short) to \($0.to.short)" }
      + (inserts + reloadTargets).sorted().map { "Insert \(word($0)) \($0.short)" }
    return HeadlessException(
      """
      Invalid batch updates detected: the number of sections and/or \(wording.item)s returned by \
      the data source before and/or after performing the batch updates are inconsistent with the \
      updates.
      Data source before updates = \(list(before))
      Data source after updates = \(list(after))
      Updates = [\(lines.isEmpty ? "" : "\n")\(lines.map { "\t\($0)" }.joined(separator: ",\n"))
      ]
      """, detail: detail)
  }

  private func word(_ place: UpdatePlace) -> String { place.isSection ? "section" : wording.item }

  private func list(_ counts: [Int]) -> String {
    let sections = "\(counts.count) section\(counts.count == 1 ? "" : "s")"
    let numbers = counts.map { "\($0)" }.joined(separator: ", ")
    return "{ \(sections) with \(wording.item) counts: [\(numbers)] }"
  }
}
