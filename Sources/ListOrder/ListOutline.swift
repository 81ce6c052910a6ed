package import ListModel

/// The order of a list's sections and items, as handles: small numbers that stay the same wherever
/// the things that they stand for move.
///
/// Items are kept as runs of consecutive handles, which are opened only where something touches
/// them: a list as it was loaded is one run a block. A copy shares what neither side changes, so
/// that the lists before and after a batch update cost little more than one.
///
/// - Complexity: Every operation is O(log *r*), *r* runs, at most the count of items; copying is
///   O(1), and the first change after it copies a table of pages.
package struct ListOutline: Sendable {
  /// How many items each section holds.
  ///
  /// Whoever keeps a copy of it shares nothing with the order of the items: a change to that copies
  /// nothing because of it.
  package private(set) var sizes = SectionSizes()
  private var sectionHomes = SectionHomes()
  /// The items of sections, by section handle.
  private var sections: PagedArray<CountedSequence<HandleRun>>
  private var itemHomes = ItemHomes()
  private var freeSections: ContiguousArray<Int32> = []
  private var freeItems: ContiguousArray<Int32> = []
  /// How many items all sections hold.
  package private(set) var itemCount = 0

  /// How many handles stand in a block; each section of a loaded list begins with a new block.
  package static var blockSize: Int { 64 }

  /// Consecutive handles.
  package struct HandleRun: CountedRun {
    /// The least handle.
    package var first: Int32
    var length: Int32

    /// How many handles there are.
    package var count: Int { Int(length) }

    func split(at offset: Int) -> (HandleRun, HandleRun) {
      let length = Int32(offset)
      return (
        HandleRun(first: first, length: length),
        HandleRun(first: first + length, length: self.length - length)
      )
    }

    func contains(_ handle: Int32) -> Bool { handle >= first && handle - first < length }
  }

  /// Loads a list of sections that hold so many items.
  ///
  /// The sections get the handles from 0 on; the items of each get consecutive handles that begin
  /// with a new block.
  ///
  /// - Complexity: O(*s* + *n* / block size), *s* sections, *n* items.
  package init(counts: [Int] = []) {
    sections = PagedArray()
    for (section, count) in counts.enumerated() {
      itemHomes.section = Int32(section)
      let runs = stride(from: 0, to: count, by: Self.blockSize).map { offset in
        let length = min(Self.blockSize, count - offset)
        return HandleRun(first: itemHomes.appendBlock(holding: length), length: Int32(length))
      }
      sections.append(CountedSequence(runs, homes: &itemHomes))
      sizes.byHandle.append(count)
      sectionHomes.leaves.append(0)
      itemCount += count
    }
    let handles = (0..<Int32(counts.count)).map { HandleRun(first: $0, length: 1) }
    sizes.order = CountedSequence(handles, homes: &sectionHomes)
  }
}

/// The order of a list's sections, as handles, and how many items each holds.
package struct SectionSizes: CountedSections {
  fileprivate var order = CountedSequence<ListOutline.HandleRun>()
  fileprivate var byHandle = PagedArray<Int>()

  package var sectionCount: Int { order.count }

  package func itemCount(inSection index: Int) -> Int { byHandle[Int(handle(at: index))] }

  fileprivate func handle(at index: Int) -> Int32 {
    let position = order.position(of: index)
    return order[position].first + Int32(position.offset)
  }
}

// MARK: - Finding

extension ListOutline {
  /// How many sections there are.
  package var sectionCount: Int { sizes.sectionCount }

  /// How many items a section holds; its index must be less than the count.
  package func itemCount(inSection index: Int) -> Int { sizes.itemCount(inSection: index) }

  /// The handle of the section at an index, which must be less than the count.
  package func section(at index: Int) -> Int32 { sizes.handle(at: index) }

  /// The handle of the item at a path, where there must be one.
  package func item(at path: ItemPath) -> Int32 {
    let section = Int(section(at: path.section))
    let position = sections[section].position(of: path.item)
    return sections[section][position].first + Int32(position.offset)
  }

  /// The index of a section that is there.
  package func index(ofSection handle: Int32) -> Int {
    offset(of: handle, in: sizes.order, leaf: sectionHomes.leaves[Int(handle)])
  }

  /// The path of an item that is there.
  package func path(ofItem handle: Int32) -> ItemPath {
    let home = itemHomes.home(of: handle)
    return ItemPath(
      section: index(ofSection: home.section),
      item: offset(of: handle, in: sections[Int(home.section)], leaf: home.leaf))
  }

  private func offset(
    of handle: Int32, in sequence: CountedSequence<HandleRun>, leaf: Int32
  ) -> Int {
    let offset = sequence.offset(inLeaf: leaf) { run in
      run.contains(handle) ? Int(handle - run.first) : nil
    }
    guard let offset else { preconditionFailure("the handle is of nothing that is there") }
    return sequence.offset(ofLeaf: leaf) + offset
  }

  /// Calls a closure with the handles of a section's items, in order, run by run.
  ///
  /// - Parameters:
  ///   - handle: Of a section that is there.
  ///   - body: Takes the least handle and how many follow one another.
  package func forEachRun(inSection handle: Int32, _ body: (HandleRun) -> Void) {
    sections[Int(handle)].forEachRun(body)
  }

  /// Calls a closure with the handles of a range of a section's items, in order, run by run.
  ///
  /// - Parameters:
  ///   - range: Of items that are there.
  ///   - index: Of a section that is there.
  ///   - body: Takes the least handle and how many follow one another.
  package func forEachRun(
    of range: Range<Int>, inSection index: Int, _ body: (HandleRun) -> Void
  ) {
    sections[Int(section(at: index))].forEachRun(of: range, body)
  }
}

// MARK: - Finding many

extension ListOutline {
  /// The handles of items, found faster than one by one where paths that follow each other are near
  /// each other.
  ///
  /// - Parameter paths: In any order.
  /// - Returns: The handle at each; `nil` where there is no item.
  package func items(at paths: [ItemPath]) -> [Int32?] {
    var section = -1
    var items = CountedSequence<HandleRun>()
    var leaf: Int32 = 0
    // The offsets that are in the leaf.
    var offsets = 0..<0
    return paths.map { path in
      if path.section != section {
        guard path.section >= 0, path.section < sectionCount else { return nil }
        section = path.section
        items = sections[Int(self.section(at: section))]
        offsets = 0..<0
      }
      guard path.item >= 0, path.item < items.count else { return nil }
      if !offsets.contains(path.item) {
        let found = items.leaf(of: path.item)
        leaf = found.leaf
        offsets = path.item - found.offset..<path.item - found.offset + found.count
      }
      let position = items.position(of: path.item - offsets.lowerBound, inLeaf: leaf)
      return items[position].first + Int32(position.offset)
    }
  }
}

// MARK: - Changing

extension ListOutline {
  /// Inserts an empty section.
  ///
  /// - Parameter index: At most the count of sections.
  /// - Returns: Its handle.
  package mutating func insertSection(at index: Int) -> Int32 {
    let handle: Int32
    if let free = freeSections.popLast() {
      handle = free
      sections[Int(free)] = CountedSequence()
      sizes.byHandle[Int(free)] = 0
    } else {
      handle = Int32(sections.count)
      sections.append(CountedSequence())
      sizes.byHandle.append(0)
      sectionHomes.leaves.append(0)
    }
    sizes.order.insert(HandleRun(first: handle, length: 1), at: index, homes: &sectionHomes)
    return handle
  }

  /// Removes a section with its items, whose handles stay taken until ``release(_:)``.
  ///
  /// - Parameters:
  ///   - index: Less than the count of sections.
  ///   - body: Takes the handles of the items, run by run.
  /// - Returns: Its handle.
  package mutating func removeSection(at index: Int, _ body: (HandleRun) -> Void) -> Int32 {
    let handle = sizes.order.remove(at: index, homes: &sectionHomes).first
    sections[Int(handle)].forEachRun(body)
    itemCount -= sections[Int(handle)].count
    sections[Int(handle)] = CountedSequence()
    freeSections.append(handle)
    return handle
  }

  /// Moves a section with its items.
  ///
  /// - Parameters:
  ///   - from: Less than the count of sections.
  ///   - to: The index once it has left, less than the count.
  package mutating func moveSection(from: Int, to: Int) {
    let run = sizes.order.remove(at: from, homes: &sectionHomes)
    sizes.order.insert(run, at: to, homes: &sectionHomes)
  }

  /// Inserts an item.
  ///
  /// - Parameters:
  ///   - path: In a section that is there; the item is at most its count.
  ///   - removed: The handle of the item if it was removed and is not released.
  /// - Returns: Its handle.
  @discardableResult
  package mutating func insertItem(at path: ItemPath, returning removed: Int32? = nil) -> Int32 {
    let run = removed.map { HandleRun(first: $0, length: 1) } ?? unusedHandle()
    insert(run, at: path)
    itemCount += 1
    return run.first
  }

  /// Lets the handle of a removed item be given to another.
  package mutating func release(_ handle: Int32) {
    freeItems.append(handle)
  }

  /// Removes an item, whose handle stays taken until ``release(_:)``.
  ///
  /// - Parameter path: Of an item that is there.
  /// - Returns: Its handle.
  package mutating func removeItem(at path: ItemPath) -> Int32 {
    itemCount -= 1
    return take(at: path).first
  }

  /// Moves an item, which keeps its handle.
  ///
  /// - Parameters:
  ///   - from: Of an item that is there.
  ///   - to: The path once it has left.
  /// - Returns: Its handle.
  @discardableResult
  package mutating func moveItem(from: ItemPath, to: ItemPath) -> Int32 {
    let run = take(at: from)
    insert(run, at: to)
    return run.first
  }

  private mutating func take(at path: ItemPath) -> HandleRun {
    let section = section(at: path.section)
    itemHomes.section = section
    sizes.byHandle[Int(section)] -= 1
    return sections[Int(section)].remove(at: path.item, homes: &itemHomes)
  }

  private mutating func insert(_ run: HandleRun, at path: ItemPath) {
    let section = section(at: path.section)
    itemHomes.section = section
    sizes.byHandle[Int(section)] += 1
    sections[Int(section)].insert(run, at: path.item, homes: &itemHomes)
  }

  private mutating func unusedHandle() -> HandleRun {
    let handle = freeItems.popLast() ?? itemHomes.appendHandle()
    return HandleRun(first: handle, length: 1)
  }
}

// MARK: - Homes

extension ListOutline {
  /// Which leaf of the order each section is in.
  private struct SectionHomes: RunHomes {
    var leaves = PagedArray<Int32>()

    mutating func place(_ run: HandleRun, inLeaf leaf: Int32) {
      for handle in run.first..<run.first + run.length { leaves[Int(handle)] = leaf }
    }
  }

  private struct Home: Sendable {
    var section: Int32
    var leaf: Int32
  }

  /// Which leaf of which section each item is in: one home a block while its items are together,
  /// else one an item.
  private struct ItemHomes: RunHomes {
    /// The section whose items are placed.
    var section: Int32 = 0
    private var blocks = PagedArray<Block>()
    /// How many handles of the last block were given away.
    private var lastLength = ListOutline.blockSize

    private enum Block: Sendable {
      case together(Home, length: Int32)
      case apart(ContiguousArray<Home>)

      mutating func set(_ home: Home, _ offsets: Range<Int>) {
        guard case .apart(var homes) = self else { return }
        // Let go of the payload, or writing to it would copy it.
        self = .apart([])
        for offset in offsets { homes[offset] = home }
        self = .apart(homes)
      }
    }

    /// A block of handles whose items are placed together.
    ///
    /// - Returns: The first handle.
    mutating func appendBlock(holding length: Int) -> Int32 {
      blocks.append(.together(Home(section: section, leaf: 0), length: Int32(length)))
      lastLength = ListOutline.blockSize
      return Int32((blocks.count - 1) * ListOutline.blockSize)
    }

    /// A handle that was never used, for an item that is placed alone.
    mutating func appendHandle() -> Int32 {
      if lastLength == ListOutline.blockSize {
        blocks.append(
          .apart(.init(repeating: Home(section: -1, leaf: -1), count: ListOutline.blockSize)))
        lastLength = 0
      }
      lastLength += 1
      return Int32((blocks.count - 1) * ListOutline.blockSize + lastLength - 1)
    }

    func home(of handle: Int32) -> Home {
      switch blocks[Int(handle) / ListOutline.blockSize] {
      case .together(let home, _): home
      case .apart(let homes): homes[Int(handle) % ListOutline.blockSize]
      }
    }

    mutating func place(_ run: HandleRun, inLeaf leaf: Int32) {
      let block = Int(run.first) / ListOutline.blockSize
      let home = Home(section: section, leaf: leaf)
      if case .together(let old, let length) = blocks[block] {
        if old.section == section, old.leaf == leaf { return }
        if run.length == length {
          blocks[block] = .together(home, length: length)
          return
        }
        blocks[block] = .apart(.init(repeating: old, count: ListOutline.blockSize))
      }
      let first = Int(run.first) % ListOutline.blockSize
      blocks[block].set(home, first..<first + run.count)
    }
  }
}

extension ListOutline {
  /// Checks the sequences alone.
  func checkSequences() throws(BrokenInvariant) {
    try sizes.order.checkInvariants()
    for index in 0..<sectionCount {
      let items = sections[Int(section(at: index))]
      try items.checkInvariants()
      guard items.count == itemCount(inSection: index) else {
        throw BrokenInvariant(
          "section \(index) holds \(items.count) items, counts \(itemCount(inSection: index))")
      }
    }
  }
}
