extension ListItem {
  /// Checks that ``configure(_:)`` sets everything of a cell that showed another item before, for
  /// the app's tests.
  ///
  /// Each value is shown in a new cell, and in cells that showed one of the values before, itself
  /// included. All have to look the same.
  ///
  /// ```swift
  /// let problems = try Book.reuseProblems(of: books, after: [Magazine(id: "m")]) {
  ///   BookCell()
  /// } reading: {
  ///   [$0.label.text, $0.heart.isHidden]
  /// }
  /// #expect(problems.isEmpty)
  /// ```
  ///
  /// Cells are not prepared for reuse in between: an item that changes on display keeps its cell,
  /// which is not prepared then either.
  ///
  /// - Parameters:
  ///   - values: Values that differ in everything that cells show.
  ///   - others: Values of other types that the same cells show.
  ///   - makeCell: Makes a new cell.
  ///   - read: Returns what a cell shows, in any form that can be compared.
  /// - Returns: The pairs of values after which a cell looks different; empty if there are none.
  /// - Throws: ``ItemTypeError/wrongCell(_:item:cell:)`` if a value of another type can't be shown
  ///   in such a cell.
  /// - Complexity: O(*v* × (*v* + *o*)) cells, *v* values and *o* others.
  @MainActor public static func reuseProblems(
    of values: [Self], after others: [any ListItem] = [], in makeCell: @MainActor () -> Cell,
    reading read: @MainActor (Cell) -> [AnyHashable]
  ) throws(ItemTypeError) -> [ItemTypes.ReuseProblem] {
    var problems: [ItemTypes.ReuseProblem] = []
    for value in values {
      let new = makeCell()
      value.configure(new)
      let expected = read(new)
      for previous in values as [any ListItem] + others {
        let used = makeCell()
        try previous.configure(anyCell: used as AnyObject)
        value.configure(used)
        let found = read(used)
        if found == expected { continue }
        problems.append(
          .init(item: value, previous: previous, newCell: expected, usedCell: found))
      }
    }
    return problems
  }
}

extension ItemTypes {
  /// An item that looks different in a cell that showed another item before.
  ///
  /// Its `configure` does not set everything of the cell.
  public struct ReuseProblem: CustomStringConvertible {
    /// The item.
    public let item: any ListItem
    /// What the cell showed before.
    public let previous: any ListItem
    /// What a new cell shows of the item.
    public let newCell: [AnyHashable]
    /// What the used cell shows of it.
    public let usedCell: [AnyHashable]

    /// Both items, and what the cells show.
    public var description: String {
      "\(Swift.type(of: item)) \"\(item.id)\" in a cell that showed \(Swift.type(of: previous)) "
        + "\"\(previous.id)\" before: \(usedCell), in a new cell: \(newCell)"
    }
  }
}
