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
    value &-= hashes.before
    value &+= hashes.after
    switch entry {
    case .insertSection:
      open(seams.first, for: hashes.id)
      value &+= Self.pair(Seam.none, Seam.none, in: hashes.id)
    case .insertItem: open(seams.first, for: hashes.id)
    case .deleteSection, .deleteItem: close(seams.first, on: hashes.id)
    case .moveSection, .moveItem: move(hashes.id, seams)
    case .updateList, .updateSection, .updateItem, .touchItem: break
    }
  }

  private mutating func move(_ hash: UInt64, _ seams: ArraySlice<Seam>) {
    // A move that ends where it began has none.
    guard seams.count == 2 else { return }
    close(seams.first, on: hash)
    open(seams.last, for: hash)
  }

  /// Updates the pairs for an insertion.
  private mutating func open(_ seam: Seam?, for hash: UInt64) {
    guard let seam else { return }
    value &-= Self.pair(seam.previous, seam.next, in: seam.parent)
    value &+= Self.pair(seam.previous, hash, in: seam.parent)
    value &+= Self.pair(hash, seam.next, in: seam.parent)
  }

  /// Updates the pairs for a removal.
  private mutating func close(_ seam: Seam?, on hash: UInt64) {
    guard let seam else { return }
    value &-= Self.pair(seam.previous, hash, in: seam.parent)
    value &-= Self.pair(hash, seam.next, in: seam.parent)
    value &+= Self.pair(seam.previous, seam.next, in: seam.parent)
  }

  // MARK: Whole lists

  /// Adds what a section is, without its place among the others.
  package mutating func add(_ section: ListTree.Section) {
    let hash = section.id.stableHash
    value &+= Self.term(hash, section.attributes)
    addPairs(of: section.items.lazy.map(\.id.stableHash), in: hash)
    for item in section.items { value &+= Self.term(item.id.stableHash, item.state) }
  }

  private mutating func addPairs(of members: some Sequence<UInt64>, in parent: UInt64) {
    var previous = Seam.none
    for member in members {
      value &+= Self.pair(previous, member, in: parent)
      previous = member
    }
    value &+= Self.pair(previous, Seam.none, in: parent)
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
    var hash = XXHash64.hash(state.cell.rawValue, seed: id)
    hash = XXHash64.hash(UInt64(bitPattern: Int64(state.contentRevision)), seed: hash)
    hash = combine(hash, state.type?.rawValue)
    hash = combine(hash, state.action?.json)
    return XXHash64.hash(state.content.text, seed: hash)
  }

  fileprivate static func term(_ id: UInt64, _ attributes: SectionAttributes) -> UInt64 {
    XXHash64.hash(JSONWriter.object { attributes.writeMembers(to: &$0) }, seed: id)
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

  private init(_ id: UInt64, before: UInt64 = 0, after: UInt64 = 0) {
    self.id = id
    self.before = before
    self.after = after
  }
}
