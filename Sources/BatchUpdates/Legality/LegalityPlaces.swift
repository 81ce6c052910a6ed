import ListModel

/// Indexes or paths in ascending order, repeated ones included.
struct LegalityPlaces<Place: Comparable & Sendable>: Sendable {
  let elements: [Place]

  init(_ places: [Place]) { elements = places.sorted() }

  var isEmpty: Bool { elements.isEmpty }
  var count: Int { elements.count }

  /// How many are below a place.
  func count(below place: Place) -> Int {
    var low = 0
    var high = elements.count
    while low < high {
      let middle = (low + high) / 2
      if elements[middle] < place { low = middle + 1 } else { high = middle }
    }
    return low
  }

  func contains(_ place: Place) -> Bool {
    let position = count(below: place)
    return position < elements.count && elements[position] == place
  }

  /// The least that is there more than once.
  var firstRepeated: Place? {
    zip(elements, elements.dropFirst()).first { $0 == $1 }?.0
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
}

extension LegalityPlaces<ItemPath> {
  /// The paths in one section; `section` is less than `Int.max`.
  func paths(inSection section: Int) -> ArraySlice<ItemPath> {
    if elements.isEmpty { return [] }
    let start = count(below: ItemPath(section: section, item: .min))
    let end = count(below: ItemPath(section: section + 1, item: .min))
    return elements[start..<end]
  }

  /// How many of a path's section are before it.
  func countBeforeInSection(_ path: ItemPath) -> Int {
    count(below: path) - count(below: ItemPath(section: path.section, item: .min))
  }
}
