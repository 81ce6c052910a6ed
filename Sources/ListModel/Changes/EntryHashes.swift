/// The hashes of a log entry: of what it names, and of the states before and after it.
///
/// The digest of a list and the chain of its commits are both made of them, so a commit computes
/// them once.
package struct EntryHashes {
  /// The hash of the section's or the item's id; ``Neighbours/none`` for the list itself.
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
      self.init(Neighbours.none, before: StateDigest.term(before), after: StateDigest.term(after))
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

extension StateDigest {
  /// Updates the digest for an entry.
  ///
  /// - Parameters:
  ///   - entry: The entry.
  ///   - neighbours: The neighbours of the places that it removed from, then of those that it inserted
  ///     into, each without the removed or inserted element. Empty for an entry that changes no
  ///     order.
  /// - Complexity: O(1); for a deleted section O(*m*), *m* items.
  package mutating func apply(_ entry: LogEntry, neighbours: ArraySlice<Neighbours>) {
    apply(entry, EntryHashes(entry), neighbours: neighbours)
  }

  /// Updates the digest for an entry whose hashes are known.
  package mutating func apply(
    _ entry: LogEntry, _ hashes: EntryHashes, neighbours: ArraySlice<Neighbours>
  ) {
    replace(hashes.before, by: hashes.after)
    switch entry {
    case .insertSection:
      insert(hashes.id, at: neighbours.first)
      addPair(Neighbours.none, Neighbours.none, in: hashes.id)
    case .insertItem: insert(hashes.id, at: neighbours.first)
    case .deleteSection, .deleteItem: remove(hashes.id, at: neighbours.first)
    case .moveSection, .moveItem: move(hashes.id, neighbours)
    case .updateList, .updateSection, .updateItem, .touchItem: break
    }
  }
}
