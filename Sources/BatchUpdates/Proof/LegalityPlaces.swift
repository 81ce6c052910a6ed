import ListModel
import ListOrder

/// Indexes or paths in ascending order, repeated ones included.
///
/// What comes in order, as what Cellar itself makes does, is kept as it is and not sorted again.
struct LegalityPlaces<Place: Comparable & Sendable>: Sendable {
  let elements: [Place]

  init(_ places: [Place]) { elements = places.isSorted { $0 <= $1 } ? places : places.sorted() }

  /// - Parameter places: In ascending order.
  init(ascending places: [Place]) { elements = places }

  var isEmpty: Bool { elements.isEmpty }
  var count: Int { elements.count }

  /// How many are below a place.
  func count(below place: Place) -> Int { elements.partitioningIndex { $0 >= place } }

  func contains(_ place: Place) -> Bool {
    let position = count(below: place)
    return position < elements.count && elements[position] == place
  }

  /// The least that is there more than once.
  var firstRepeated: Place? {
    for position in elements.indices.dropFirst()
    where elements[position] == elements[position - 1] {
      return elements[position]
    }
    return nil
  }

  /// The least that is in both.
  func firstCommon(with other: LegalityPlaces) -> Place? {
    var here = 0
    var there = 0
    while here < elements.count, there < other.elements.count {
      if elements[here] == other.elements[there] { return elements[here] }
      if elements[here] < other.elements[there] { here += 1 } else { there += 1 }
    }
    return nil
  }

  /// All of both, what both have twice.
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

  /// Calls a closure with each section that has paths here, ascending, and with these.
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

  /// The item index, in a section where items are put at these paths, of the item that has a rank
  /// among the others.
  func place(leftWithRank rank: Int, inSection section: Int) -> Int {
    let taken = paths(inSection: section)
    let start = taken.startIndex
    return rank
      &+ (taken.indices.partitioningIndex { taken[$0].item - ($0 - start) > rank } - start)
  }

  /// How many of a path's section are before it.
  func countBeforeInSection(_ path: ItemPath) -> Int {
    count(below: path) - count(below: ItemPath(section: path.section, item: .min))
  }

  /// The first path that is in one of some sections.
  func firstPath(in sections: LegalityPlaces<Int>) -> ItemPath? {
    var position = 0
    for path in elements {
      while position < sections.count, sections.elements[position] < path.section { position += 1 }
      guard position < sections.count else { return nil }
      if sections.elements[position] == path.section { return path }
    }
    return nil
  }

  /// Those that are in none of some sections.
  func outside(_ sections: LegalityPlaces<Int>) -> LegalityPlaces {
    if sections.isEmpty || firstPath(in: sections) == nil { return self }
    return LegalityPlaces(ascending: elements.filter { !sections.contains($0.section) })
  }
}

extension Array {
  /// Whether each element and the one after it are in an order.
  func isSorted(by areInOrder: (Element, Element) -> Bool) -> Bool {
    for position in indices.dropFirst() where !areInOrder(self[position - 1], self[position]) {
      return false
    }
    return true
  }
}
