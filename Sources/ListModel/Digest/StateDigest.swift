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
    addPairs(of: sections.lazy.map(\.stableHash), in: Seam.none)
  }

  /// Updates the digest for an entry.
  ///
  /// - Parameters:
  ///   - entry: The entry.
  ///   - seams: The neighbours of the places that it removed from, then of those that it inserted
  ///     into, each without the removed or inserted element. Empty for an entry that changes no
  ///     order.
  /// - Complexity: O(1); for a deleted section O(*m*), *m* items.
  package mutating func apply(_ entry: LogEntry, seams: ArraySlice<Seam>) {
    apply(entry, EntryHashes(entry), seams: seams)
  }

  /// Updates the digest for an entry whose hashes are known.
  package mutating func apply(
    _ entry: LogEntry, _ hashes: EntryHashes, seams: ArraySlice<Seam>
  ) {
    replace(hashes.before, by: hashes.after)
    switch entry {
    case .insertSection:
      insert(hashes.id, at: seams.first)
      addPair(Seam.none, Seam.none, in: hashes.id)
    case .insertItem: insert(hashes.id, at: seams.first)
    case .deleteSection, .deleteItem: remove(hashes.id, at: seams.first)
    case .moveSection, .moveItem: move(hashes.id, seams)
    case .updateList, .updateSection, .updateItem, .touchItem: break
    }
  }

  /// Updates the terms for a state that is another one; 0 is none.
  package mutating func replace(_ before: UInt64, by after: UInt64) {
    value &-= before
    value &+= after
  }

  /// Updates the pairs for a move: away from the first place, to the last one.
  package mutating func move(_ hash: UInt64, _ seams: ArraySlice<Seam>) {
    // A move that ends where it began has none.
    guard seams.count == 2 else { return }
    remove(hash, at: seams.first)
    insert(hash, at: seams.last)
  }

  /// Updates the pairs for an insertion.
  package mutating func insert(_ hash: UInt64, at seam: Seam?) {
    guard let seam else { return }
    value &-= Self.pair(seam.previous, seam.next, in: seam.parent)
    addPair(seam.previous, hash, in: seam.parent)
    addPair(hash, seam.next, in: seam.parent)
  }

  /// Updates the pairs for a removal.
  package mutating func remove(_ hash: UInt64, at seam: Seam?) {
    guard let seam else { return }
    value &-= Self.pair(seam.previous, hash, in: seam.parent)
    value &-= Self.pair(hash, seam.next, in: seam.parent)
    addPair(seam.previous, seam.next, in: seam.parent)
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
    var previous = Seam.none
    for member in members {
      addPair(previous, member, in: parent)
      previous = member
    }
    addPair(previous, Seam.none, in: parent)
  }

  /// Adds a pair of neighbours, by the hashes of their ids; at both ends one of them is
  /// ``Seam/none``.
  package mutating func addPair(_ previous: UInt64, _ next: UInt64, in parent: UInt64) {
    value &+= Self.pair(previous, next, in: parent)
  }

  // MARK: Terms

  private static func pair(_ previous: UInt64, _ next: UInt64, in parent: UInt64) -> UInt64 {
    XXHash64.hash(next, seed: XXHash64.hash(previous, seed: parent))
  }

  /// 0 for a list without meta, which has the same digest as before lists had any.
  fileprivate static func term(_ meta: JSON?) -> UInt64 {
    meta.map { XXHash64.hash($0.text, seed: 1) } ?? 0
  }

  fileprivate static func term(_ id: UInt64, _ state: ItemState) -> UInt64 {
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

  fileprivate static func term(_ id: UInt64, _ attributes: SectionAttributes) -> UInt64 {
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

/// The hashes of a log entry: of what it names, and of the states before and after it.
///
/// The digest of a list and the chain of its commits are both made of them, so a commit computes
/// them once.
package struct EntryHashes {
  /// The hash of the section's or the item's id; ``Seam/none`` for the list itself.
  package let id: UInt64
  /// What the state before contributes to a ``StateDigest``; 0 if there is none.
  package let before: UInt64
  /// What the state after contributes to it.
  package let after: UInt64

  /// The hashes of an entry.
  ///
  /// - Complexity: O(*n*), *n* bytes of the states.
  package init(_ entry: LogEntry) {
    switch entry {
    case .updateList(let before, let after):
      self.init(Seam.none, before: StateDigest.term(before), after: StateDigest.term(after))
    case .insertSection(let id, let attributes, _):
      let hash = id.stableHash
      self.init(hash, after: StateDigest.term(hash, attributes))
    case .deleteSection(let section, _):
      var whole = StateDigest(value: 0)
      whole.add(section)
      self.init(section.id.stableHash, before: whole.value)
    case .moveSection(let id, _, _): self.init(id.stableHash)
    case .updateSection(let id, _, let before, let after):
      let hash = id.stableHash
      self.init(
        hash, before: StateDigest.term(hash, before), after: StateDigest.term(hash, after))
    case .insertItem(let item, _):
      let hash = item.id.stableHash
      self.init(hash, after: StateDigest.term(hash, item.state))
    case .deleteItem(let item, _):
      let hash = item.id.stableHash
      self.init(hash, before: StateDigest.term(hash, item.state))
    case .moveItem(let id, _, _), .touchItem(let id, _): self.init(id.stableHash)
    case .updateItem(let id, _, let before, let after):
      let hash = id.stableHash
      self.init(
        hash, before: StateDigest.term(hash, before), after: StateDigest.term(hash, after))
    }
  }

  /// The hashes of an entry, by the terms of its states.
  package init(_ id: UInt64, before: UInt64 = 0, after: UInt64 = 0) {
    self.id = id
    self.before = before
    self.after = after
  }
}
