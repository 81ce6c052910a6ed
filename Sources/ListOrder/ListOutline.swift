package import ListModel

/// The order of a list's sections and items, which it knows by handles.
///
/// A handle is a small number that stands for one section or one item and stays the same when that
/// section or item moves. The contents are elsewhere; callers find them by handle.
///
/// Items are stored as runs of consecutive handles. A loaded list has one run a block of 64 items;
/// a change splits the runs that it touches and no others. A copy shares the parts that neither
/// side changes, so the lists before and after a batch update take little more memory than one.
///
/// - Complexity: Each operation is O(log *r*), *r* runs, at most as many as items. Copying is O(1);
///   the first change after it copies a table of pages.
package struct ListOutline: Sendable {
  /// How many items each section holds.
  ///
  /// A copy of it shares nothing with the order of the items. So keeping that copy makes no later
  /// change to the items copy anything.
  package private(set) var sizes = SectionSizes()
  private var sectionLocator = SectionLocator()
  /// The items of sections, by section handle.
  private var sections: PagedArray<CountedSequence<HandleRun>>
  private var itemLocator = ItemLocator()
  private var freeSections: ContiguousArray<Int32> = []
  private var freeItems: ContiguousArray<Int32> = []
  /// How many items all sections hold.
  package private(set) var itemCount = 0

  /// How many handles a block has.
  ///
  /// Each section of a loaded list begins with a new block.
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

  /// Loads a list from the number of items of each section.
  ///
  /// The sections get the handles 0, 1, …. The items of each section get consecutive handles, from
  /// the beginning of a new block on.
  ///
  /// - Complexity: O(*s* + *n* / block size), *s* sections, *n* items.
  package init(counts: [Int] = []) {
    sections = PagedArray()
    for (section, count) in counts.enumerated() {
      itemLocator.section = Int32(section)
      let runs = stride(from: 0, to: count, by: Self.blockSize).map { offset in
        let length = min(Self.blockSize, count - offset)
        return HandleRun(first: itemLocator.appendBlock(holding: length), length: Int32(length))
      }
      sections.append(CountedSequence(runs, locator: &itemLocator))
      sizes.byHandle.append(count)
      sectionLocator.leaves.append(0)
      itemCount += count
    }
    let handles = (0..<Int32(counts.count)).map { HandleRun(first: $0, length: 1) }
    sizes.order = CountedSequence(handles, locator: &sectionLocator)
  }
}

/// The order of a list's sections, by handle, and how many items each holds.
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

  /// The handle of the item at a path; there must be an item.
  package func item(at path: ItemPath) -> Int32 {
    let section = Int(section(at: path.section))
    let position = sections[section].position(of: path.item)
    return sections[section][position].first + Int32(position.offset)
  }

  /// The index of the section with a handle; the list must have it.
  package func index(ofSection handle: Int32) -> Int {
    offset(of: handle, in: sizes.order, leaf: sectionLocator.leaves[Int(handle)])
  }

  /// The path of the item with a handle; the list must have it.
  package func path(ofItem handle: Int32) -> ItemPath {
    let location = itemLocator.location(of: handle)
    return ItemPath(
      section: index(ofSection: location.section),
      item: offset(of: handle, in: sections[Int(location.section)], leaf: location.leaf))
  }

  private func offset(
    of handle: Int32, in sequence: CountedSequence<HandleRun>, leaf: Int32
  ) -> Int {
    let offset = sequence.offset(inLeaf: leaf) { run in
      run.contains(handle) ? Int(handle - run.first) : nil
    }
    guard let offset else {
      preconditionFailure("the list has no item or section with this handle")
    }
    return sequence.offset(ofLeaf: leaf) + offset
  }

  /// Calls a closure with the handles of a section's items, in order, run by run.
  ///
  /// - Parameters:
  ///   - handle: The section's handle.
  ///   - body: Receives each run of consecutive handles.
  package func forEachRun(inSection handle: Int32, _ body: (HandleRun) -> Void) {
    sections[Int(handle)].forEachRun(body)
  }

  /// Calls a closure with the handles of a range of a section's items, in order, run by run.
  ///
  /// - Parameters:
  ///   - range: Indexes of items that the section has.
  ///   - index: The section's index.
  ///   - body: Receives each run of consecutive handles.
  package func forEachRun(
    of range: Range<Int>, inSection index: Int, _ body: (HandleRun) -> Void
  ) {
    sections[Int(section(at: index))].forEachRun(of: range, body)
  }
}

// MARK: - Finding many

extension ListOutline {
  /// The handles of the items at several paths.
  ///
  /// Faster than asking for each, if paths that follow one another are near each other.
  ///
  /// - Parameter paths: In any order.
  /// - Returns: One handle for each path; `nil` if there is no item.
  package func items(at paths: [ItemPath]) -> [Int32?] {
    var section = -1
    var items = CountedSequence<HandleRun>()
    var leaf: Int32 = 0
    // The offsets of the elements that `leaf` holds.
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
      sectionLocator.leaves.append(0)
    }
    sizes.order.insert(HandleRun(first: handle, length: 1), at: index, locator: &sectionLocator)
    return handle
  }

  /// Removes a section with its items.
  ///
  /// The handles of the items are not given to new items until ``release(_:)``.
  ///
  /// - Parameters:
  ///   - index: Less than the count of sections.
  ///   - body: Receives the handles of the items, run by run.
  /// - Returns: Its handle.
  package mutating func removeSection(at index: Int, _ body: (HandleRun) -> Void) -> Int32 {
    let handle = sizes.order.remove(at: index, locator: &sectionLocator).first
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
  ///   - to: The index after the removal, less than the count.
  package mutating func moveSection(from: Int, to: Int) {
    let run = sizes.order.remove(at: from, locator: &sectionLocator)
    sizes.order.insert(run, at: to, locator: &sectionLocator)
  }

  /// Inserts an item.
  ///
  /// - Parameters:
  ///   - path: Where the item goes: in `0...count` of a section that the list has.
  ///   - removed: The handle of an item that was removed and not released, to insert that one
  ///     again.
  /// - Returns: Its handle.
  @discardableResult
  package mutating func insertItem(at path: ItemPath, returning removed: Int32? = nil) -> Int32 {
    let run = removed.map { HandleRun(first: $0, length: 1) } ?? unusedHandle()
    insert(run, at: path)
    itemCount += 1
    return run.first
  }

  /// Lets a later item get the handle of a removed one.
  package mutating func release(_ handle: Int32) {
    freeItems.append(handle)
  }

  /// Removes an item.
  ///
  /// Its handle is not given to a new item until ``release(_:)``.
  ///
  /// - Parameter path: The path of an item.
  /// - Returns: Its handle.
  package mutating func removeItem(at path: ItemPath) -> Int32 {
    itemCount -= 1
    return take(at: path).first
  }

  /// Moves an item; it keeps its handle.
  ///
  /// - Parameters:
  ///   - from: The item's path.
  ///   - to: The path after the removal.
  /// - Returns: Its handle.
  @discardableResult
  package mutating func moveItem(from: ItemPath, to: ItemPath) -> Int32 {
    let run = take(at: from)
    insert(run, at: to)
    return run.first
  }

  private mutating func take(at path: ItemPath) -> HandleRun {
    let section = section(at: path.section)
    itemLocator.section = section
    sizes.byHandle[Int(section)] -= 1
    return sections[Int(section)].remove(at: path.item, locator: &itemLocator)
  }

  private mutating func insert(_ run: HandleRun, at path: ItemPath) {
    let section = section(at: path.section)
    itemLocator.section = section
    sizes.byHandle[Int(section)] += 1
    sections[Int(section)].insert(run, at: path.item, locator: &itemLocator)
  }

  private mutating func unusedHandle() -> HandleRun {
    let handle = freeItems.popLast() ?? itemLocator.appendHandle()
    return HandleRun(first: handle, length: 1)
  }
}

extension ListOutline {
  /// Checks the sequences below, and that their counts are those of the sections.
  ///
  /// - Complexity: O(*n*), *n* items.
  package func checkSequences() throws(BrokenInvariant) {
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
