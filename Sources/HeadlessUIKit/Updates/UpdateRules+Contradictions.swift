extension UpdateRules {
  /// Throws for the first two operations that contradict each other.
  func checkContradictions(_ parts: UpdateParts) throws(HeadlessException) {
    try checkSections(parts)
    try checkItems(parts)
  }

  private func checkSections(_ parts: UpdateParts) throws(HeadlessException) {
    let gone = Set(parts.goneSections)
    let arrived = Set(parts.arrivedSections)
    for move in parts.sectionMoves where gone.contains(move.from.section) {
      throw HeadlessException(
        "attempt to perform a delete and a move from the same section (\(move.from.section))")
    }
    try checkTwice(parts.sectionMoves, text: { "section \($0.section)" }, noun: "")
    for move in parts.sectionMoves where arrived.contains(move.to.section) {
      throw HeadlessException(
        "attempt to perform an insert and a move to the same section (\(move.to.section))")
    }
    try checkShared(parts.sectionMoves, text: { "section \($0.section)" }, noun: "")
  }

  private func checkItems(_ parts: UpdateParts) throws(HeadlessException) {
    let removed = Set(parts.removedItems)
    let added = Set(parts.addedItems)
    let noun = "\(wording.item) at index path "
    for move in parts.itemMoves where removed.contains(move.from) {
      throw HeadlessException(
        "attempt to perform a delete and a move from the same index path "
          + "(\(move.from.asIndexPath))")
    }
    try checkTwice(parts.itemMoves, text: { $0.asIndexPath }, noun: noun)
    for move in parts.itemMoves where added.contains(move.to) {
      throw HeadlessException(
        "attempt to perform an insert and a move to the same index path (\(move.to.asIndexPath))")
    }
    try checkShared(parts.itemMoves, text: { $0.asIndexPath }, noun: noun)
  }

  /// Throws for one source with two targets.
  private func checkTwice(
    _ moves: [UpdateMove], text: (UpdatePlace) -> String, noun: String
  ) throws(HeadlessException) {
    for (move, next) in zip(moves, moves.dropFirst()) where move.from == next.from {
      throw HeadlessException(
        "attempt to move \(noun)\(text(move.from)) to both \(text(move.to)) and \(text(next.to))")
    }
  }

  /// Throws for two sources with one target.
  private func checkShared(
    _ moves: [UpdateMove], text: (UpdatePlace) -> String, noun: String
  ) throws(HeadlessException) {
    var sources: [UpdatePlace: UpdatePlace] = [:]
    for move in moves {
      if let other = sources.updateValue(move.from, forKey: move.to) {
        throw HeadlessException(
          "attempt to move both \(noun)\(text(other)) and \(text(move.from)) to \(text(move.to))")
      }
    }
  }
}
