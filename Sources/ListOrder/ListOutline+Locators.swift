extension ListOutline {
  /// Records the leaf that holds each section in the order of the sections.
  struct SectionLocator: RunLocator {
    var leaves = PagedArray<Int32>()

    mutating func place(_ run: HandleRun, inLeaf leaf: Int32) {
      for handle in run.first..<run.first + run.length { leaves[Int(handle)] = leaf }
    }
  }

  /// The section of an item, and the leaf that holds it there.
  struct Location: Sendable {
    var section: Int32
    var leaf: Int32
  }

  /// Records the section and the leaf of each item: once for a block whose items are still
  /// together, else for each item.
  struct ItemLocator: RunLocator {
    /// The section whose items are placed.
    var section: Int32 = 0
    private var blocks = PagedArray<Block>()
    /// How many handles of the last block are in use.
    private var lastLength = ListOutline.blockSize

    private enum Block: Sendable {
      case together(Location, length: Int32)
      case apart(ContiguousArray<Location>)

      mutating func set(_ location: Location, _ offsets: Range<Int>) {
        guard case .apart(var locations) = self else { return }
        // The enum must not hold the array while it is written to, or the write would copy it.
        self = .apart([])
        for offset in offsets { locations[offset] = location }
        self = .apart(locations)
      }
    }

    /// A block of handles whose items are placed together.
    ///
    /// - Returns: The first handle.
    mutating func appendBlock(holding length: Int) -> Int32 {
      blocks.append(.together(Location(section: section, leaf: 0), length: Int32(length)))
      lastLength = ListOutline.blockSize
      return Int32((blocks.count - 1) * ListOutline.blockSize)
    }

    /// A handle that was never used, for a single item.
    mutating func appendHandle() -> Int32 {
      if lastLength == ListOutline.blockSize {
        blocks.append(
          .apart(.init(repeating: Location(section: -1, leaf: -1), count: ListOutline.blockSize)))
        lastLength = 0
      }
      lastLength += 1
      return Int32((blocks.count - 1) * ListOutline.blockSize + lastLength - 1)
    }

    func location(of handle: Int32) -> Location {
      switch blocks[Int(handle) / ListOutline.blockSize] {
      case .together(let location, _): location
      case .apart(let locations): locations[Int(handle) % ListOutline.blockSize]
      }
    }

    mutating func place(_ run: HandleRun, inLeaf leaf: Int32) {
      let block = Int(run.first) / ListOutline.blockSize
      let location = Location(section: section, leaf: leaf)
      if case .together(let old, let length) = blocks[block] {
        if old.section == section, old.leaf == leaf { return }
        if run.length == length {
          blocks[block] = .together(location, length: length)
          return
        }
        blocks[block] = .apart(.init(repeating: old, count: ListOutline.blockSize))
      }
      let first = Int(run.first) % ListOutline.blockSize
      blocks[block].set(location, first..<first + run.count)
    }
  }
}
