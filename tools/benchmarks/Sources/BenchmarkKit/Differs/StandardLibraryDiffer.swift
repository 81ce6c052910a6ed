/// The standard library's `difference(from:).inferringMoves()` of ids, then the contents of what
/// survives.
///
/// Myers' algorithm, O(*n* × *k*): the best for few changes, hopeless for many.
struct StandardLibraryDiffer: Differ {
  let name = "stdlib"

  /// Its trace takes memory proportional to the square of the changes.
  func handles(items: Int, changes: Int) -> Bool { changes <= 2_000 }

  func changes(from before: [Row], to after: [Row]) -> Int {
    // Comparing rows by id saves the standard library two arrays of ids.
    let rows = after.difference(from: before) { $0.id == $1.id }
    guard let ids = CollectionDifference(rows.map(Self.ofID)) else { return 0 }
    let difference = ids.inferringMoves()
    return difference.removals.count + difference.insertions.count
      + updates(before, after, difference)
  }

  private static func ofID(
    _ change: CollectionDifference<Row>.Change
  ) -> CollectionDifference<String>.Change {
    switch change {
    case .insert(let offset, let row, _):
      .insert(offset: offset, element: row.id, associatedWith: nil)
    case .remove(let offset, let row, _):
      .remove(offset: offset, element: row.id, associatedWith: nil)
    }
  }

  private func updates(
    _ before: [Row], _ after: [Row], _ difference: CollectionDifference<String>
  ) -> Int {
    var updates = 0
    var removed = difference.removals[...]
    var inserted = difference.insertions[...]
    var old = 0
    var new = 0
    while true {
      while case .remove(old, _, _)? = removed.first {
        removed.removeFirst()
        old += 1
      }
      while case .insert(new, _, let source)? = inserted.first {
        if let source, before[source].content != after[new].content { updates += 1 }
        inserted.removeFirst()
        new += 1
      }
      guard old < before.count, new < after.count else { return updates }
      if before[old].content != after[new].content { updates += 1 }
      old += 1
      new += 1
    }
  }
}
