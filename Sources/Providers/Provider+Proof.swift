package import ListModel
import ListOrder

/// A list's position in a store, with the hashes that prove that the list is the store's.
package struct StorePosition: Hashable, Sendable {
  /// The store's id: 16 bytes.
  package var storeID: [UInt8]
  /// The hash that chains the list's commits up to its revision.
  package var chain: UInt64
  /// The checksum of its state.
  package var digest: StateDigest

  /// A position.
  package init(storeID: [UInt8], chain: UInt64, digest: StateDigest) {
    self.storeID = storeID
    self.chain = chain
    self.digest = digest
  }
}

extension Provider {
  /// Checks an entry that was just replayed: its places must have the neighbours that they had in
  /// the store.
  ///
  /// The log keeps those neighbours as neighbours. Items that are not in memory are not checked: they
  /// are read from the store later, so they can't be wrong.
  ///
  /// - Throws: ``/ListModel/ChangeError/logMismatch(_:)`` if a place has another neighbour.
  func check(_ entry: LogEntry, _ neighbours: ArraySlice<Neighbours>) throws(ChangeError) {
    guard neighbours.count == entry.placeCount, let first = neighbours.first,
      let last = neighbours.last
    else {
      return
    }
    let isRight =
      switch entry {
      case .insertSection(_, _, let index): fits(first, at: index, without: index)
      case .deleteSection(_, let index): fits(first, at: index, without: nil)
      case .moveSection(_, let from, let to):
        fits(first, at: from, without: to) && fits(last, at: to, without: to)
      case .insertItem(_, let path): fits(first, at: path, without: path)
      case .deleteItem(_, let path): fits(first, at: path, without: nil)
      case .moveItem(_, let from, let to):
        fits(first, at: from, without: to) && fits(last, at: to, without: to)
      case .updateList, .updateSection, .updateItem, .touchItem: true
      }
    guard isRight else {
      throw .logMismatch("the list is another one than the log was written for")
    }
  }

  /// Whether a place has certain neighbours.
  ///
  /// `around`: The neighbours in the store.
  /// `index`: The place, counted without the section at `missing`.
  private func fits(_ around: Neighbours, at index: Int, without missing: Int?) -> Bool {
    let (previous, next) = Self.around(index, without: missing)
    return (sectionID(at: previous)?.stableHash ?? Neighbours.none) == around.previous
      && (sectionID(at: next)?.stableHash ?? Neighbours.none) == around.next
  }

  private func fits(_ around: Neighbours, at path: ItemPath, without missing: ItemPath?) -> Bool {
    guard sectionID(at: path.section)?.stableHash == around.parent else { return false }
    let (previous, next) = Self.around(
      path.item, without: missing?.section == path.section ? missing?.item : nil)
    return isItem(around.previous, at: ItemPath(section: path.section, item: previous))
      && isItem(around.next, at: ItemPath(section: path.section, item: next))
  }

  /// Whether the item at a path has an id of this hash, as far as that is in memory.
  private func isItem(_ hash: UInt64, at path: ItemPath) -> Bool {
    guard hasItem(at: path) else { return hash == Neighbours.none }
    return hash != Neighbours.none && canHave(idHash: hash, outline.item(at: path))
  }

  /// Whether the id of an item has this hash; one in a store that was not read can have any.
  private func canHave(idHash: UInt64, _ handle: Int32) -> Bool {
    guard let stored else { return table.id(of: handle)?.stableHash == idHash }
    return stored.loadedHash(of: handle).map { $0 == idHash } ?? true
  }

  /// The indexes of the neighbours of a place, which is counted without one element.
  private static func around(
    _ place: Int, without missing: Int?
  ) -> (previous: Int, next: Int) {
    func index(_ place: Int) -> Int {
      if let missing, place >= missing { place + 1 } else { place }
    }
    return (place > 0 ? index(place - 1) : -1, index(place))
  }
}
