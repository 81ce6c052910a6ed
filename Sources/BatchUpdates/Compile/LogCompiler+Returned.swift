import ListModel

extension LogCompiler {
  /// Makes an item that was deleted and inserted again one node: it moved.
  mutating func matchReturned() {
    // Most logs have no such item: nothing is hashed unless there are deleted and inserted items.
    var deletedCount = 0
    var hasInserted = false
    for node in nodes {
      if node.origin < 0 {
        if node.isAlive { hasInserted = true }
      } else if isDeleted(node) {
        deletedCount += 1
      }
    }
    guard deletedCount > 0, hasInserted else { return }
    var deleted = DeletedItems(count: deletedCount)
    // Items that were inserted, touched and deleted in between: the view has not drawn them again.
    var redrawn: Set<ItemID> = []
    let hashes = idHashes()
    for (number, node) in nodes.enumerated() where !node.isAlive {
      if node.origin < 0 {
        if node.isTouched, let id = insertedID(of: node) { redrawn.insert(id) }
      } else if isDeleted(node) {
        if node.deletedIndex < 0 {
          deleted.insert(number, hash: hashes[node.deletion])
        } else if let id = deletedID(of: node) {
          deleted.insert(number, hash: id.quickHash(seed: Self.seed))
        }
      }
    }
    for number in nodes.indices where nodes[number].origin < 0 && nodes[number].isAlive {
      let candidates = deleted.nodes(hash: hashes[nodes[number].old])
      if candidates.isEmpty { continue }
      guard let id = insertedID(of: nodes[number]),
        let before = candidates.last(where: { deletedID(of: nodes[$0]) == id })
      else { continue }
      let insertion = nodes[number].old
      nodes[number].origin = nodes[before].origin
      nodes[number].old = nodes[before].old
      if nodes[before].isTouched || redrawn.contains(id) { nodes[number].isTouched = true }
      nodes[number].deletion = nodes[before].deletion
      nodes[number].deletedIndex = nodes[before].deletedIndex
      if nodes[number].lastUpdate < 0 { nodes[number].lastUpdate = insertion }
      nodes[number].firstUpdate = nodes[before].firstUpdate
      // The earlier node is no longer among the deleted ones.
      nodes[before].origin = -1
    }
  }

  /// The hashes of the ids of items that entries insert or delete, by the number of the entry; 0
  /// for other entries.
  ///
  /// A loop that only loads, so that the processor waits for many ids at a time: those of a long
  /// log are not in its cache. With this loop and the one in ``replay(_:)``, 10,000 changes of
  /// 10,000 items compile in 0.75 times the time that retains and `Hasher` one by one take.
  private func idHashes() -> [Int] {
    let seed = Self.seed
    var hashes: [Int] = []
    hashes.reserveCapacity(chunks.reduce(0) { $0 + $1.entries.count })
    for chunk in chunks {
      for index in chunk.entries.indices {
        hashes.append(Self.idHash(of: chunk.entries[index], seed))
      }
    }
    return hashes
  }

  @inline(__always)
  private static func idHash(of entry: LogEntry, _ seed: UInt64) -> Int {
    switch entry {
    case .insertItem(let item, _): item.id.quickHash(seed: seed)
    case .deleteItem(let item, _): item.id.quickHash(seed: seed)
    default: 0
    }
  }

  /// Another one in each process, so that ids of equal hashes can't be prepared.
  private static let seed = UInt64.random(in: .min ... .max)

  /// Whether the view has to delete a node's item on its own, not along with its section.
  private func isDeleted(_ node: Node) -> Bool {
    node.origin >= 0 && !node.isAlive && touched[node.origin].isAlive
  }

  private func insertedID(of node: Node) -> ItemID? {
    if case .insertItem(let item, _) = entry(node.old) { item.id } else { nil }
  }

  private func deletedID(of node: Node) -> ItemID? {
    switch entry(node.deletion) {
    case .deleteItem(let item, _): item.id
    case .deleteSection(let section, _) where section.items.indices.contains(node.deletedIndex):
      section.items[node.deletedIndex].id
    default: nil
    }
  }
}

/// The nodes of deleted items, by the hashes of the items' ids.
///
/// Ids are compared only where their whole hashes are equal. A dictionary by ids would load and
/// retain all of them.
private struct DeletedItems {
  /// Open addressing with linear probing; at most half of the slots are taken.
  private var slots: [Slot]
  private let mask: Int

  private struct Slot {
    var hash = 0
    /// -1 in a free slot.
    var node = -1
  }

  init(count: Int) {
    let capacity = 1 << (Int.bitWidth - count.leadingZeroBitCount + 1)
    slots = Array(repeating: Slot(), count: capacity)
    mask = capacity - 1
  }

  mutating func insert(_ node: Int, hash: Int) {
    var index = hash & mask
    while slots[index].node >= 0 { index = (index + 1) & mask }
    slots[index] = Slot(hash: hash, node: node)
  }

  /// The nodes of a hash, in the order in which they were inserted.
  func nodes(hash: Int) -> [Int] {
    var found: [Int] = []
    var index = hash & mask
    while slots[index].node >= 0 {
      if slots[index].hash == hash { found.append(slots[index].node) }
      index = (index + 1) & mask
    }
    return found
  }
}

extension Identifier {
  /// A hash of the bytes for a table that nobody stores: two multiplications for an id of 16 bytes.
  @inline(__always)
  fileprivate func quickHash(seed: UInt64) -> Int {
    rawValue.utf8.withContiguousStorageIfAvailable {
      Self.quickHash(UnsafeRawBufferPointer($0), seed)
    } ?? Array(rawValue.utf8).withUnsafeBytes { Self.quickHash($0, seed) }
  }

  @inline(__always)
  private static func quickHash(_ bytes: UnsafeRawBufferPointer, _ seed: UInt64) -> Int {
    var hash = seed ^ UInt64(truncatingIfNeeded: bytes.count)
    var offset = 0
    while offset + 8 <= bytes.count {
      hash = fold(hash ^ bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
      offset += 8
    }
    var rest: UInt64 = 0
    while offset < bytes.count {
      rest = rest << 8 | UInt64(bytes[offset])
      offset += 1
    }
    return Int(truncatingIfNeeded: fold(hash ^ rest))
  }

  @inline(__always)
  private static func fold(_ word: UInt64) -> UInt64 {
    let product = word.multipliedFullWidth(by: 0x9E37_79B9_7F4A_7C15)
    return product.high ^ product.low
  }
}
