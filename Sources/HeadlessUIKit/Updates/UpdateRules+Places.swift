extension UpdateRules {
  /// Throws for the first place that does not exist.
  func checkPlaces() throws(HeadlessException) {
    for place in operations.reconfigures where !exists(place, in: before) {
      throw missing(place, "delete", "from", before, "before")
    }
    let deleted = Set(deletes)
    for reload in reloads where deleted.contains(reload) {
      throw HeadlessException(
        reload.isSection
          ? "attempt to delete and reload the same section (\(reload.section))"
          : "attempt to delete and reload the same index path (\(reload.asIndexPath))")
    }
    for place in (deletes + reloads).sorted(by: >) where !exists(place, in: before) {
      throw missing(place, "delete", "from", before, "before")
    }
    for reload in reloads where deleted.contains(UpdatePlace(section: reload.section)) {
      // UIKit keeps the insert that the reload stands for: it lands in another section, or nowhere.
      throw HeadlessException(
        "attempt to reload \(wording.item) \(reload.item) in section \(reload.section), "
          + "which is deleted")
    }
    for place in (inserts + reloadTargets).sorted() where !exists(place, in: after) {
      throw missing(place, "insert", "into", after, "after")
    }
    for move in moves {
      if !exists(move.from, in: before) { throw missing(move, move.from, before, "before") }
      if !exists(move.to, in: after) { throw missing(move, move.to, after, "after") }
    }
  }

  private func missing(
    _ place: UpdatePlace, _ verb: String, _ preposition: String, _ counts: [Int], _ time: String
  ) -> HeadlessException {
    let sections = "there are only \(counts.count) sections \(time) the update"
    let (section, item) = (place.section, place.item)
    if place.isSection {
      return HeadlessException(
        "attempt to \(verb) section \(section)\(verb == "delete" ? "," : "") but \(sections)")
    }
    let attempt = "attempt to \(verb) \(wording.item) \(item) \(preposition) section \(section)"
    guard counts.indices.contains(section) else {
      return HeadlessException("\(attempt), but \(sections)")
    }
    let items = "\(counts[section]) \(wording.item)s"
    return HeadlessException(
      verb == "delete"
        ? "\(attempt) which only contains \(items) \(time) the update"
        : "\(attempt), but there are only \(items) in section \(section) \(time) the update")
  }

  private func missing(
    _ move: UpdateMove, _ place: UpdatePlace, _ counts: [Int], _ time: String
  ) -> HeadlessException {
    let isTarget = time == "after"
    if place.isSection {
      // UIKit's text has "to to" here.
      return HeadlessException(
        "attempt to \(isTarget ? "to " : "")move section \(place.section), but there are only "
          + "\(counts.count) sections \(time) the update")
    }
    let attempt =
      "attempt to move index path (\(move.from.asIndexPath))"
      + (isTarget ? " to index path (\(move.to.asIndexPath))" : "") + " that does not exist"
    guard counts.indices.contains(place.section) else {
      return HeadlessException(
        "\(attempt) - there are only \(counts.count) sections \(time) the update")
    }
    return HeadlessException(
      "\(attempt) - there are only \(counts[place.section]) \(wording.item)s in section "
        + "\(place.section) \(time) the update")
  }
}
