/// Translates places before a legal batch update to places after it.
///
/// A reload changes no place.
struct UpdateMap {
  let sections: UpdateSectionMap
  private let rules: UpdateRules
  private let reloaded: Set<UpdatePlace>
  private let deleted: Set<UpdatePlace>
  private let moved: [UpdatePlace: UpdatePlace]
  /// The items that are deleted or moved, by section before the update, ascending.
  private let leaving: [Int: [Int]]
  /// The items that are inserted or moved to, by section after the update, ascending.
  private let arriving: [Int: [Int]]

  init(_ rules: UpdateRules) {
    self.rules = rules
    let moves = rules.moves.filter { !$0.from.isSection }
    sections = UpdateSectionMap(
      before: rules.before.count, after: rules.after.count,
      gone: rules.deletes.filter(\.isSection).map(\.section),
      arrived: rules.inserts.filter(\.isSection).map(\.section),
      moves: rules.moves.filter(\.from.isSection))
    reloaded = Set(rules.reloads)
    deleted = Set(rules.deletes.filter { !$0.isSection })
    moved = Dictionary(moves.map { ($0.from, $0.to) }, uniquingKeysWith: { first, _ in first })
    leaving = Self.bySection(
      rules.deletes.filter { !$0.isSection } + moves.map(\.from))
    arriving = Self.bySection(
      rules.inserts.filter { !$0.isSection } + moves.map(\.to))
  }

  private static func bySection(_ places: [UpdatePlace]) -> [Int: [Int]] {
    Dictionary(grouping: Set(places), by: \.section).mapValues { $0.map(\.item).sorted() }
  }

  /// The operations, as a layout gets them.
  @MainActor var updateItems: [UICollectionViewUpdateItem] {
    rules.deletes.map { .init(.delete, before: $0, after: nil) }
      + rules.inserts.map { .init(.insert, before: nil, after: $0) }
      + rules.reloads.map { .init(.reload, before: $0, after: $0) }
      + rules.moves.map { .init(.move, before: $0.from, after: $0.to) }
  }

  /// Whether the cell at a place before the update is replaced.
  func isReloaded(_ place: UpdatePlace) -> Bool {
    reloaded.contains(place) || isSectionReloaded(place.section)
  }

  /// Whether a section is reloaded, by its index before the update.
  func isSectionReloaded(_ section: Int) -> Bool {
    reloaded.contains(UpdatePlace(section: section))
  }

  /// The place after the update of the item at a place before it; `nil` if it was deleted.
  func newPlace(of place: UpdatePlace) -> UpdatePlace? {
    if let target = moved[place] { return target }
    guard !deleted.contains(place), let section = sections.newOfOld[place.section] else {
      return nil
    }
    var item = place.item - (leaving[place.section] ?? []).count { $0 < place.item }
    for taken in arriving[section] ?? [] where taken <= item { item += 1 }
    return UpdatePlace(section: section, item: item)
  }
}
