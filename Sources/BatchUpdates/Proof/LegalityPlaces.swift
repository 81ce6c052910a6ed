import ListModel
import ListOrder

/// Indexes or paths in ascending order, duplicates included.
///
/// Places that are sorted already, as those of Cellar's own stages are, are not sorted again.
struct LegalityPlaces<Place: Comparable & Sendable>: Sendable {
  let elements: [Place]

  /// Sorts places.
  init(_ places: [Place]) { elements = places.isSorted { $0 <= $1 } ? places : places.sorted() }

  /// Takes places that are sorted.
  init(ascending places: [Place]) { elements = places }

  var isEmpty: Bool { elements.isEmpty }
  var count: Int { elements.count }

  /// How many places are less than a place.
  func count(below place: Place) -> Int { elements.partitioningIndex { $0 >= place } }

  func contains(_ place: Place) -> Bool {
    let position = count(below: place)
    return position < elements.count && elements[position] == place
  }

  /// The least place that occurs more than once.
  var firstRepeated: Place? {
    for position in elements.indices.dropFirst()
    where elements[position] == elements[position - 1] {
      return elements[position]
    }
    return nil
  }

  /// The least place that is in both.
  func firstCommon(with other: LegalityPlaces) -> Place? {
    var here = 0
    var there = 0
    while here < elements.count, there < other.elements.count {
      if elements[here] == other.elements[there] { return elements[here] }
      if elements[here] < other.elements[there] { here += 1 } else { there += 1 }
    }
    return nil
  }

  /// The places of both; one that both have occurs twice.
  func merged(with other: LegalityPlaces) -> LegalityPlaces {
    if other.isEmpty { return self }
    if isEmpty { return other }
    var merged: [Place] = []
    merged.reserveCapacity(count + other.count)
    var here = 0
    for place in other.elements {
      while here < elements.count, elements[here] <= place {
        merged.append(elements[here])
        here += 1
      }
      merged.append(place)
    }
    merged += elements[here...]
    return LegalityPlaces(ascending: merged)
  }
}

extension LegalityPlaces<ItemPath> {
  /// The paths in one section; `section` is less than `Int.max`.
  func paths(inSection section: Int) -> ArraySlice<ItemPath> {
    if elements.isEmpty { return [] }
    let start = count(below: ItemPath(section: section, item: .min))
    let end = count(below: ItemPath(section: section + 1, item: .min))
    return elements[start..<end]
  }

  /// Calls a closure with each section that has paths, ascending, and with its paths.
  func forEachSection(_ body: (_ section: Int, _ paths: ArraySlice<ItemPath>) -> Void) {
    var start = 0
    while start < elements.count {
      let section = elements[start].section
      var end = start + 1
      while end < elements.count, elements[end].section == section { end += 1 }
      body(section, elements[start..<end])
      start = end
    }
  }

  /// The index of an item of a section in which these paths are taken by others.
  ///
  /// The item has the given rank among those that fill the free indexes.
  func place(leftWithRank rank: Int, inSection section: Int) -> Int {
    let taken = paths(inSection: section)
    let start = taken.startIndex
    return rank
      &+ (taken.indices.partitioningIndex { taken[$0].item - ($0 - start) > rank } - start)
  }

  /// How many paths of the same section are before a path.
  func countBeforeInSection(_ path: ItemPath) -> Int {
    count(below: path) - count(below: ItemPath(section: path.section, item: .min))
  }

  /// The first path in one of the given sections.
  func firstPath(in sections: LegalityPlaces<Int>) -> ItemPath? {
    var position = 0
    for path in elements {
      while position < sections.count, sections.elements[position] < path.section { position += 1 }
      guard position < sections.count else { return nil }
      if sections.elements[position] == path.section { return path }
    }
    return nil
  }

  /// The paths in none of the given sections.
  func outside(_ sections: LegalityPlaces<Int>) -> LegalityPlaces {
    if sections.isEmpty || firstPath(in: sections) == nil { return self }
    return LegalityPlaces(ascending: elements.filter { !sections.contains($0.section) })
  }
}

extension Array {
  /// Whether each element and the next one are in order.
  func isSorted(by areInOrder: (Element, Element) -> Bool) -> Bool {
    for position in indices.dropFirst() where !areInOrder(self[position - 1], self[position]) {
      return false
    }
    return true
  }
}
