import ListModel

extension LegalityHost {
  /// How a view tells that an item changes its section.
  enum SectionTest {
    /// Its section before became another section than the one it is in after.
    case identity
    /// The index of its section before is not the one after. Some view may compare so.
    case bareIndex
  }

  /// The verdict on the first count that the operations do not lead to.
  func countMismatch() -> LegalityVerdict? {
    sectionCountMismatch() ?? firstUnbalancedSection(by: .identity).map(itemCountMismatch(in:))
  }

  private func sectionCountMismatch() -> LegalityVerdict? {
    let before = operations.before.count
    let after = operations.after.count
    let expected = before - goneSections.count + arrivedSections.count
    if expected == after { return nil }
    let account = Self.account(
      before, [("−", goneSections.count, "deleted"), ("+", arrivedSections.count, "inserted")])
    return .raise(
      .sectionCountMismatch,
      "\(operations.sections(operations.after, "after")), but \(account)")
  }

  /// The first section after, of those that stay, whose items do not add up; `nil` if all do.
  ///
  /// Of a move out of a deleted section or into an inserted one, the section that stays counts its
  /// side.
  func firstUnbalancedSection(by test: SectionTest) -> Int? {
    var change = [Int](repeating: 0, count: operations.after.count)
    for path in removedItems.elements {
      if let new = sections.newIndex(ofOld: path.section) { change[new] -= 1 }
    }
    for path in addedItems.elements where sections.oldIndex(ofNew: path.section) != nil {
      change[path.section] += 1
    }
    for move in operations.moveItems where changesSection(move, by: test) {
      if let new = sections.newIndex(ofOld: move.from.section) { change[new] -= 1 }
      if sections.oldIndex(ofNew: move.to.section) != nil { change[move.to.section] += 1 }
    }
    return operations.after.indices.first { new in
      guard let old = sections.oldIndex(ofNew: new) else { return false }
      return operations.after[new] - operations.before[old] != change[new]
    }
  }

  private func changesSection(_ move: Stage.ItemMove, by test: SectionTest) -> Bool {
    switch test {
    case .identity: sections.newIndex(ofOld: move.from.section) != move.to.section
    case .bareIndex: move.from.section != move.to.section
    }
  }

  private func itemCountMismatch(in section: Int) -> LegalityVerdict {
    let old = sections.oldIndex(ofNew: section) ?? section
    let crossing = operations.moveItems.filter { changesSection($0, by: .identity) }
    let removed = removedItems.paths(inSection: old).count
    let added = addedItems.paths(inSection: section).count
    let movedOut = crossing.count { $0.from.section == old }
    let movedIn = crossing.count { $0.to.section == section }
    let account = Self.account(
      operations.before[old],
      [
        ("−", removed, "deleted"), ("−", movedOut, "moved out"), ("+", added, "inserted"),
        ("+", movedIn, "moved in"),
      ])
    let items = LegalityOperations.number(of: "item", operations.after[section])
    let origin = old == section ? "" : ", which was section \(old),"
    let reloads =
      operations.reloadItems.isEmpty
      ? "" : " (a reload is a delete and, where the item would be without moves, an insert)"
    return .raise(
      .itemCountMismatch,
      "section \(section)\(origin) has \(items) after the update, but \(account)\(reloads)")
  }

  /// A count before, what changes it and what that gives, as a clause without the terms that are 0.
  private static func account(
    _ before: Int, _ terms: [(sign: String, count: Int, what: String)]
  ) -> String {
    let terms = terms.filter { $0.count > 0 }
    if terms.isEmpty { return "\(before) before, and no operation changes that" }
    let sum = terms.reduce("\(before) before") { "\($0) \($1.sign) \($1.count) \($1.what)" }
    let change = terms.reduce(0) { $1.sign == "−" ? $0 - $1.count : $0 + $1.count }
    let (result, overflows) = before.addingReportingOverflow(change)
    return "\(sum) gives \(overflows ? "more than there can be" : "\(result)")"
  }
}
