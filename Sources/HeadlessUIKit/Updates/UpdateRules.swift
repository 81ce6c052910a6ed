/// UIKit's checks of a batch update before it animates.
///
/// UIKit sorts the operations, replaces each reload by a delete and an insert, checks the places,
/// looks for contradictions and adds up the counts. These rules are written from UIKit's behaviour,
/// independently of the proof in Cellar: a test compares the two.
struct UpdateRules {
  let wording: UpdateWording
  let before: [Int]
  let after: [Int]
  let operations: UpdateOperations

  // The explicit operations, in UIKit's order.
  let deletes: [UpdatePlace]
  let inserts: [UpdatePlace]
  let reloads: [UpdatePlace]
  let moves: [UpdateMove]
  /// The places of the inserts that reloads stand for, in the order of the reloads.
  ///
  /// Such a place may not exist.
  let reloadTargets: [UpdatePlace]

  init(_ operations: UpdateOperations, before: [Int], after: [Int], wording: UpdateWording) {
    self.wording = wording
    self.before = before
    self.after = after
    self.operations = operations
    let drops = wording.dropsDuplicates
    deletes = (drops ? UpdateOperations.once(operations.deletes) : operations.deletes)
      .sorted(by: >)
    inserts = (drops ? UpdateOperations.once(operations.inserts) : operations.inserts).sorted()
    reloads = operations.reloads.sorted()
    moves = UpdateOperations.once(operations.moves).sorted {
      $0.from == $1.from ? $0.to < $1.to : $0.from < $1.from
    }
    reloadTargets = reloads.map { [deletes, inserts] in
      Self.target(ofReload: $0, deletes: deletes, inserts: inserts)
    }
  }

  /// The place of the insert that a reload stands for: the place before the update, shifted by the
  /// explicit deletes and inserts, but not by moves.
  private static func target(
    ofReload reload: UpdatePlace, deletes: [UpdatePlace], inserts: [UpdatePlace]
  ) -> UpdatePlace {
    var target = reload
    for (places, step) in [(deletes, -1), (inserts, 1)] {
      for place in places {
        if place.isSection {
          if place.section <= target.section { target.section += step }
        } else if !target.isSection, place.section == target.section, place.item <= target.item {
          target.item += step
        }
      }
    }
    return target
  }

  /// Checks the batch update.
  ///
  /// - Returns: The new places.
  func check() throws(HeadlessException) -> UpdateMap {
    try checkPlaces()
    let parts = UpdateParts(self)
    try checkContradictions(parts)
    let sections = UpdateSectionMap(
      before: before.count, after: after.count, gone: parts.goneSections,
      arrived: UpdateOperations.once(parts.arrivedSections), moves: parts.sectionMoves)
    try checkCounts(parts, sections)
    try checkSectionsMovedOntoThemselves(parts)
    let map = UpdateMap(self)
    try checkHazards(parts, sections, map)
    return map
  }

  func exists(_ place: UpdatePlace, in counts: [Int]) -> Bool {
    counts.indices.contains(place.section)
      && (place.isSection || (0..<counts[place.section]).contains(place.item))
  }
}

/// The operations with each reload as a delete and an insert, without those inside deleted or
/// inserted sections.
struct UpdateParts {
  let goneSections: [Int]
  let arrivedSections: [Int]
  let removedItems: [UpdatePlace]
  let addedItems: [UpdatePlace]
  let sectionMoves: [UpdateMove]
  let itemMoves: [UpdateMove]

  init(_ rules: UpdateRules) {
    let gone = (rules.deletes + rules.reloads).filter(\.isSection).map(\.section)
    let arrived = (rules.inserts + rules.reloadTargets).filter(\.isSection).map(\.section)
    goneSections = gone
    arrivedSections = arrived
    removedItems = (rules.deletes + rules.reloads).filter {
      !$0.isSection && !gone.contains($0.section)
    }
    addedItems = (rules.inserts + rules.reloadTargets).filter {
      !$0.isSection && !arrived.contains($0.section)
    }
    sectionMoves = rules.moves.filter(\.from.isSection)
    itemMoves = rules.moves.filter { !$0.from.isSection }
  }
}
