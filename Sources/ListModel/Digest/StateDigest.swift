/// A checksum of a list's order and content, which a change updates in O(1).
///
/// It is the sum, modulo 2⁶⁴, of the hashes of all pairs of neighbours, of the attributes of all
/// sections, of the states of all items, and of the list's own meta if it has some. Pairs are formed of the sections of the list and of the
/// items of each section, with "nothing" at both ends. Ids are unique, so the pairs determine the
/// order. Two lists with one history have the same digest, however they are stored.
///
/// It detects accidents, not attacks: an attacker who can write the store can write the digest.
package struct StateDigest: Hashable, Sendable {
  package private(set) var value: UInt64

  package init(value: UInt64) { self.value = value }

  /// The digest of a list.
  ///
  /// - Complexity: O(*n*), *n* bytes of content.
  package init(_ tree: ListTree) {
    self.init(meta: tree.meta, sections: tree.sections.lazy.map(\.id))
    for section in tree.sections { add(section) }
  }

  /// The digest of a list whose sections are added one by one.
  package init(meta: JSON?, sections: some Sequence<SectionID>) {
    value = Self.term(meta)
    addPairs(of: sections.lazy.map(\.stableHash), in: Neighbours.none)
  }

  /// Updates the terms for a state that is another one; 0 is none.
  package mutating func replace(_ before: UInt64, by after: UInt64) {
    value &-= before
    value &+= after
  }

  /// Updates the pairs for a move: away from the first place, to the last one.
  package mutating func move(_ hash: UInt64, _ neighbours: ArraySlice<Neighbours>) {
    // A move that ends where it began has none.
    guard neighbours.count == 2 else { return }
    remove(hash, at: neighbours.first)
    insert(hash, at: neighbours.last)
  }

  /// Updates the pairs for an insertion.
  package mutating func insert(_ hash: UInt64, at around: Neighbours?) {
    guard let around else { return }
    value &-= Self.pair(around.previous, around.next, in: around.parent)
    addPair(around.previous, hash, in: around.parent)
    addPair(hash, around.next, in: around.parent)
  }

  /// Updates the pairs for a removal.
  package mutating func remove(_ hash: UInt64, at around: Neighbours?) {
    guard let around else { return }
    value &-= Self.pair(around.previous, hash, in: around.parent)
    value &-= Self.pair(hash, around.next, in: around.parent)
    addPair(around.previous, around.next, in: around.parent)
  }

  // MARK: Whole lists

  /// Adds what a section is, without its place among the others.
  package mutating func add(_ section: ListTree.Section) {
    let hash = section.id.stableHash
    add(section.attributes, ofSection: hash)
    addPairs(of: section.items.lazy.map(\.id.stableHash), in: hash)
    for item in section.items { add(item.state, ofItem: item.id.stableHash) }
  }

  /// Adds the state of an item, by the hash of its id.
  package mutating func add(_ state: ItemState, ofItem hash: UInt64) {
    value &+= Self.term(hash, state)
  }

  /// Adds the attributes of a section, by the hash of its id.
  package mutating func add(_ attributes: SectionAttributes, ofSection hash: UInt64) {
    value &+= Self.term(hash, attributes)
  }

  private mutating func addPairs(of members: some Sequence<UInt64>, in parent: UInt64) {
    var previous = Neighbours.none
    for member in members {
      addPair(previous, member, in: parent)
      previous = member
    }
    addPair(previous, Neighbours.none, in: parent)
  }

  /// Adds a pair of neighbours, by the hashes of their ids; at both ends one of them is
  /// ``Neighbours/none``.
  package mutating func addPair(_ previous: UInt64, _ next: UInt64, in parent: UInt64) {
    value &+= Self.pair(previous, next, in: parent)
  }

  // MARK: Terms

  private static func pair(_ previous: UInt64, _ next: UInt64, in parent: UInt64) -> UInt64 {
    XXHash64.hash(next, seed: XXHash64.hash(previous, seed: parent))
  }

  /// 0 for a list without meta, which has the same digest as before lists had any.
  static func term(_ meta: JSON?) -> UInt64 {
    meta.map { XXHash64.hash($0.text, seed: 1) } ?? 0
  }

  static func term(_ id: UInt64, _ state: ItemState) -> UInt64 {
    var hash = seed(id, cell: state.cell, contentRevision: state.contentRevision)
    hash = combine(hash, state.type?.rawValue)
    hash = combine(hash, state.action?.json)
    return XXHash64.hash(state.content.text, seed: hash)
  }

  /// The part of an item's term that does not depend on its content.
  ///
  /// `item`: The hash of its id.
  package static func seed(_ item: UInt64, cell: CellName, contentRevision: Int) -> UInt64 {
    let hash = XXHash64.hash(cell.rawValue, seed: item)
    return XXHash64.hash(UInt64(bitPattern: Int64(contentRevision)), seed: hash)
  }

  /// What an item contributes, by the texts of its content as they are stored.
  package static func term(
    _ seed: UInt64, type: UnsafeRawBufferPointer?, action: UnsafeRawBufferPointer?,
    content: UnsafeRawBufferPointer
  ) -> UInt64 {
    XXHash64.hash(content, seed: combine(combine(seed, type), action))
  }

  static func term(_ id: UInt64, _ attributes: SectionAttributes) -> UInt64 {
    XXHash64.hash(JSONWriter.object { attributes.writeMembers(to: &$0) }, seed: id)
  }

  private static func combine(_ hash: UInt64, _ text: UnsafeRawBufferPointer?) -> UInt64 {
    guard let text else { return XXHash64.hash(0, seed: hash) }
    return XXHash64.hash(text, seed: XXHash64.hash(1, seed: hash))
  }

  private static func combine(_ hash: UInt64, _ text: String?) -> UInt64 {
    guard let text else { return XXHash64.hash(0, seed: hash) }
    return XXHash64.hash(text, seed: XXHash64.hash(1, seed: hash))
  }
}
