import ListModel

/// Items or sections that have the same fault: how many, and the names of some.
struct FaultyNames {
  private(set) var count = 0
  private var names: [String] = []

  mutating func add(_ name: String) {
    count += 1
    if names.count < 10 { names.append("\"\(name)\"") }
  }

  /// As in `item "a" is missing`, or `12 items are missing: "a", "b" and 10 more`.
  func sentence(_ noun: String, _ one: String, _ many: String) -> String {
    if count == 1 { return "\(noun) \(names[0]) \(one)" }
    let more = count > names.count ? " and \(count - names.count) more" : ""
    return "\(count) \(noun)s \(many): \(names.joined(separator: ", "))\(more)"
  }
}

/// What is wrong with the items of a list.
struct ItemFaults {
  /// How many places have an item.
  var count = 0
  /// How many of them have a gap.
  var gapCount = 0
  /// The rows of the items that have a place.
  var known = RowSet()
  /// Items with a row that no place has.
  var missing = FaultyNames()
  /// Items whose row is missing, or leads to another place.
  var lost = FaultyNames()
  var doubled = FaultyNames()
  var withoutCell = FaultyNames()
  var withoutContent = FaultyNames()
  var unsound = FaultyNames()

  /// Whether every item has a cell and a content that can be read.
  var haveAllParts: Bool { withoutCell.count + withoutContent.count + unsound.count == 0 }

  func report(to check: StoreCheck) {
    check.report(
      .order, missing, "item", "is missing: no section has it",
      many: "are missing: no section has them")
    check.report(
      .order, lost, "item", "can't be found by its id", many: "can't be found by their ids")
    check.report(
      .order, doubled, "item", "stands in the list twice", many: "stand in the list twice")
    check.report(
      .rows, withoutCell, "item", "has lost the name of its cell",
      many: "have lost the names of their cells")
    check.report(
      .content, withoutContent, "item", "has lost its content", many: "have lost their contents")
    check.report(
      .content, unsound, "item", "has a content or an action that is no JSON",
      many: "have contents or actions that are no JSON")
  }
}

extension StoreCheck {
  /// Notes what some items or sections have, if there are some.
  func report(
    _ code: StoreProblem.Code, _ names: FaultyNames, _ noun: String, _ one: String,
    many: String
  ) {
    if names.count > 0 { report(code, names.sentence(noun, one, many)) }
  }
}
