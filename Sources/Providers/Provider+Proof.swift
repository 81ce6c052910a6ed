package import ListModel
import ListOrder

/// Where a list stands in a store, and by what it proves that it is what the store has there.
package struct StorePosition: Hashable, Sendable {
  /// The store's id: 16 bytes.
  package var storeID: [UInt8]
  /// The hash that chains the list's commits up to its revision.
  package var chain: UInt64
  /// The checksum of its state.
  package var digest: StateDigest

  package init(storeID: [UInt8], chain: UInt64, digest: StateDigest) {
    self.storeID = storeID
    self.chain = chain
    self.digest = digest
  }
}

extension Provider {
  /// Checks an entry that was just replayed against what the store saw around its places.
  ///
  /// What is not in memory is not checked: it is read from the store, so it can't be wrong.
  ///
  /// - Throws: ``/ListModel/ChangeError/logMismatch(_:)`` if something else stands next to a place.
  func check(_ entry: LogEntry, _ seams: ArraySlice<Seam>) throws(ChangeError) {
    guard seams.count == entry.seamCount, let first = seams.first, let last = seams.last else {
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
      case .updateSection, .updateItem, .touchItem: true
      }
    guard isRight else {
      throw .logMismatch("the list is another one than the log was written for")
    }
  }

  /// Whether a seam is right: an index counts without one of them.
  ///
  /// `seam`: What the store saw.
  /// `index`: A place among the sections without one of them.
  /// `missing`: The index of that one.
  private func fits(_ seam: Seam, at index: Int, without missing: Int?) -> Bool {
    let (previous, next) = Self.around(index, without: missing)
    return (sectionID(at: previous)?.stableHash ?? Seam.none) == seam.previous
      && (sectionID(at: next)?.stableHash ?? Seam.none) == seam.next
  }

  private func fits(_ seam: Seam, at path: ItemPath, without missing: ItemPath?) -> Bool {
    guard sectionID(at: path.section)?.stableHash == seam.parent else { return false }
    let (previous, next) = Self.around(
      path.item, without: missing?.section == path.section ? missing?.item : nil)
    return isItem(seam.previous, at: ItemPath(section: path.section, item: previous))
      && isItem(seam.next, at: ItemPath(section: path.section, item: next))
  }

  /// Whether the item at a path has an id of this hash, as far as that is in memory.
  private func isItem(_ hash: UInt64, at path: ItemPath) -> Bool {
    guard hasItem(at: path) else { return hash == Seam.none }
    guard hash != Seam.none else { return false }
    let handle = outline.item(at: path)
    let known =
      contents.stored.map { $0.loadedHash(of: handle) } ?? contents.itemID(at: handle)?.stableHash
    return known == nil || known == hash
  }

  /// The indexes around a place that counts without one element.
  private static func around(
    _ place: Int, without missing: Int?
  ) -> (previous: Int, next: Int) {
    func index(_ place: Int) -> Int {
      if let missing, place >= missing { place + 1 } else { place }
    }
    return (place > 0 ? index(place - 1) : -1, index(place))
  }
}
