/// A hash table from ids to handles that does not store the ids.
///
/// The caller stores each id once, by its handle, and compares ids for the table. The table is
/// open-addressed, with 4 bytes a place and at most three quarters of the places in use. It is
/// stored in pages, so a copy shares the pages that neither side changes.
///
/// `Dictionary` can't serve: the first change after a copy copies all of it. `TreeDictionary` of
/// swift-collections shares its nodes, but stores each key, an id, a second time.
package struct IdentityTable: Sendable {
  /// Pages of places, in groups called chapters.
  ///
  /// A change copies one page, the table of its chapter and the table of chapters.
  @usableFromInline var chapters: ContiguousArray<ContiguousArray<ContiguousArray<Int32>>>
  @usableFromInline var capacity: Int
  /// How many places hold a handle or held one.
  private var used = 0

  @inlinable static var pageBits: Int { 7 }
  @inlinable static var chapterBits: Int { 12 }
  @inlinable static var free: Int32 { -1 }
  @inlinable static var removed: Int32 { -2 }

  /// An empty table.
  ///
  /// - Parameter count: How many handles it has room for before it grows.
  package init(expecting count: Int = 0) {
    var capacity = 1 << Self.pageBits
    while capacity * 2 < count * 3 { capacity *= 2 }
    self.capacity = capacity
    let page = ContiguousArray(repeating: Self.free, count: 1 << Self.pageBits)
    let pages = min(capacity, 1 << Self.chapterBits) >> Self.pageBits
    chapters = .init(
      repeating: .init(repeating: page, count: pages),
      count: max(1, capacity >> Self.chapterBits))
  }

  @inlinable subscript(place: Int) -> Int32 {
    get {
      chapters[place >> Self.chapterBits][Self.page(of: place)][
        place & ((1 << Self.pageBits) - 1)]
    }
    set {
      chapters[place >> Self.chapterBits][Self.page(of: place)][
        place & ((1 << Self.pageBits) - 1)] = newValue
    }
  }

  @inlinable static func page(of place: Int) -> Int {
    (place & ((1 << chapterBits) - 1)) >> pageBits
  }

  /// Finds the handle of an id.
  ///
  /// - Parameters:
  ///   - hash: The hash of the id.
  ///   - isSought: Whether a handle stands for the id.
  /// - Returns: The handle; `nil` if the table has none for the id.
  // Inlinable: without it, `Provider.path(of:)` takes 1.1 times as long.
  @inlinable
  package func find(hash: Int, where isSought: (Int32) -> Bool) -> Int32? {
    place(hash: hash, where: isSought).map { self[$0] }
  }

  @inlinable
  func place(hash: Int, where isSought: (Int32) -> Bool) -> Int? {
    var place = hash & (capacity - 1)
    while true {
      let handle = self[place]
      if handle == Self.free { return nil }
      if handle != Self.removed, isSought(handle) { return place }
      place = (place + 1) & (capacity - 1)
    }
  }

  /// Adds a handle that is not in the table.
  ///
  /// - Parameters:
  ///   - handle: The handle.
  ///   - hash: The hash of its id.
  ///   - hashOf: Returns the hash of the id of any handle in the table; called if the table grows.
  package mutating func insert(_ handle: Int32, hash: Int, rehashing hashOf: (Int32) -> Int) {
    if used * 4 >= capacity * 3 { grow(hashOf) }
    place(handle, hash)
  }

  private mutating func place(_ handle: Int32, _ hash: Int) {
    var place = hash & (capacity - 1)
    while self[place] >= 0 { place = (place + 1) & (capacity - 1) }
    if self[place] == Self.free { used += 1 }
    self[place] = handle
  }

  /// Removes a handle; one that is not in the table is ignored.
  package mutating func remove(_ handle: Int32, hash: Int) {
    guard let place = place(hash: hash, where: { $0 == handle }) else { return }
    let isLast = self[(place + 1) & (capacity - 1)] == Self.free
    self[place] = isLast ? Self.free : Self.removed
    if isLast { used -= 1 }
  }

  private mutating func grow(_ hashOf: (Int32) -> Int) {
    let handles = (0..<capacity).map { self[$0] }.filter { $0 >= 0 }
    self = IdentityTable(expecting: handles.count * 2)
    for handle in handles { place(handle, hashOf(handle)) }
  }
}
