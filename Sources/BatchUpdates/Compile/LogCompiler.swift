import ListModel
import ListOrder

/// Finds the net change of log entries by replaying them on an outline of the list.
///
/// The outline has details only where an entry changes something. It holds runs of untouched
/// sections, and the touched sections; a touched section holds runs of untouched items, and nodes.
/// A node is an item that an entry names. It remembers the item's place before, so several moves
/// become one, and an item that returns to its place is recognised.
///
/// Of the list before, the compiler reads only how many items the touched sections held. So the
/// work depends on the number of entries, not on the length of the list.
///
/// - Complexity: O(*k* log *k*), *k* entries.
struct LogCompiler {
  let before: SectionCounts
  /// The sections in their order now: an untouched one is its index before, a touched one the
  /// complement of its number.
  private(set) var sections: IntegerSequence
  var touched: ContiguousArray<TouchedSection> = []
  var nodes: ContiguousArray<Node> = []
  /// Indexes before of deleted sections.
  private(set) var deletedSections: [Int] = []
  private(set) var chunks: [(start: Int, entries: [LogEntry])] = []
  private var entryCount = 0
  /// The touched section that the last entry named; `nil` after an entry that changed the order of
  /// sections.
  private var latest: (index: Int, section: Int)?

  /// An entry does not fit the list.
  struct Mismatch: Error {
    var message: String
  }

  /// A section that an entry names.
  struct TouchedSection {
    /// The index before; -1 if it was inserted.
    var old: Int
    /// The items in their order now: an untouched one is its index before in this section, a node
    /// the complement of its number.
    var items: IntegerSequence
    /// The number of the entry that inserted it; -1 if none did.
    var insertion = -1
    var isAlive = true
    /// The numbers of the first and the last entry that set its attributes; -1 if none did.
    var firstUpdate = -1
    var lastUpdate = -1
    /// The index after; -1 until it is known.
    var new = -1
    /// The indexes before of items that are deleted from it.
    var deletions: [Int] = []
    var hasInsertionsOrMoves = false
  }

  /// An item that an entry names.
  struct Node {
    /// The number of the touched section that it came from; -1 if it was inserted.
    var origin: Int
    /// The index before in that section; of an inserted item, the number of the entry.
    var old: Int
    var isAlive = true
    var isTouched = false
    /// Whether the last entry that set its state changed the content and kept the cell.
    var hasNewContent = false
    /// The number of the entry that deleted it, or its section; -1 if none did.
    var deletion = -1
    /// Its index in the section that it was deleted with.
    var deletedIndex = -1
    /// The numbers of the first and the last entry that set its state; -1 if none did.
    var firstUpdate = -1
    var lastUpdate = -1
  }

  /// A compiler that has replayed nothing yet.
  ///
  /// - Parameters:
  ///   - before: How many items each section held before the first entry.
  ///   - count: How many entries will follow.
  init(before: SectionCounts, expecting count: Int) {
    self.before = before
    nodes.reserveCapacity(count)
    sections = IntegerSequence(0..<before.count)
  }

  /// Replays the next entries.
  ///
  /// - Throws: ``Mismatch``. Drop the compiler then.
  mutating func replay(_ entries: [LogEntry]) throws(Mismatch) {
    chunks.append((entryCount, entries))
    // All at once first: in a loop that only loads, the processor waits for many entries at a time.
    for step in entries.map({ Step($0) }) {
      try replay(step, number: entryCount)
      entryCount += 1
    }
  }

  /// The entry of a number.
  func entry(_ number: Int) -> LogEntry {
    let chunk = chunks.partitioningIndex { $0.start > number } - 1
    return chunks[chunk].entries[number - chunks[chunk].start]
  }
}

// MARK: - Entries

extension LogCompiler {
  private mutating func replay(_ step: Step, number: Int) throws(Mismatch) {
    switch step {
    case .updateList: break
    case .insertSection(let index): try insertSection(at: index, number)
    case .deleteSection(let index): try deleteSection(at: index, number)
    case .moveSection(let from, let to): try moveSection(from: from, to: to)
    case .updateSection(let index):
      let section = try touch(section: index)
      if touched[section].firstUpdate < 0 { touched[section].firstUpdate = number }
      touched[section].lastUpdate = number
    case .insertItem(let path):
      nodes.append(Node(origin: -1, old: number))
      try put(nodes.count - 1, at: path)
    case .deleteItem(let path):
      let node = try take(at: path)
      nodes[node].isAlive = false
      nodes[node].deletion = number
    case .moveItem(let from, let to): try put(try take(at: from), at: to)
    case .updateItem(let path, let hasNewContent):
      let node = try node(at: path)
      nodes[node].hasNewContent = hasNewContent
      if nodes[node].firstUpdate < 0 { nodes[node].firstUpdate = number }
      nodes[node].lastUpdate = number
    case .touchItem(let path):
      let node = try node(at: path)
      nodes[node].isTouched = true
    }
  }

  private mutating func insertSection(at index: Int, _ number: Int) throws(Mismatch) {
    guard index >= 0, index <= sections.count else {
      throw Mismatch(message: "section inserted at \(index) of \(sections.count)")
    }
    latest = nil
    touched.append(TouchedSection(old: -1, items: IntegerSequence(), insertion: number))
    sections.insert(~(touched.count - 1), at: index)
  }

  private mutating func deleteSection(at index: Int, _ number: Int) throws(Mismatch) {
    try check(section: index)
    latest = nil
    let removed = sections.remove(at: index)
    guard removed < 0 else {
      deletedSections.append(removed)
      return
    }
    let section = ~removed
    touched[section].isAlive = false
    if touched[section].old >= 0 { deletedSections.append(touched[section].old) }
    var offset = 0
    for run in touched[section].items.runs {
      if run.first < 0 {
        nodes[~run.first].isAlive = false
        nodes[~run.first].deletion = number
        nodes[~run.first].deletedIndex = offset
      }
      offset += run.count
    }
    touched[section].items = IntegerSequence()
  }

  private mutating func moveSection(from: Int, to: Int) throws(Mismatch) {
    try check(section: from)
    try check(section: to)
    latest = nil
    sections.insert(sections.remove(at: from), at: to)
  }

  // MARK: Places

  private func check(section: Int) throws(Mismatch) {
    guard section >= 0, section < sections.count else {
      throw Mismatch(message: "section \(section) is named, of \(sections.count)")
    }
  }

  /// Marks the section at an index as touched and returns its number.
  private mutating func touch(section index: Int) throws(Mismatch) -> Int {
    if let latest, latest.index == index { return latest.section }
    try check(section: index)
    let old = sections[index]
    var number = ~old
    if old >= 0 {
      number = touched.count
      touched.append(TouchedSection(old: old, items: IntegerSequence(0..<max(0, before[old]))))
      sections.replace(at: index) { _ in ~number }
    }
    latest = (index, number)
    return number
  }

  private func check(item path: ItemPath, in section: Int) throws(Mismatch) {
    guard path.item >= 0, path.item < touched[section].items.count else {
      throw Mismatch(message: "item \(path) is named, of \(touched[section].items.count)")
    }
  }

  private mutating func take(at path: ItemPath) throws(Mismatch) -> Int {
    let section = try touch(section: path.section)
    try check(item: path, in: section)
    let removed = touched[section].items.remove(at: path.item)
    if removed < 0 { return ~removed }
    nodes.append(Node(origin: section, old: removed))
    return nodes.count - 1
  }

  private mutating func put(_ node: Int, at path: ItemPath) throws(Mismatch) {
    let section = try touch(section: path.section)
    guard path.item >= 0, path.item <= touched[section].items.count else {
      throw Mismatch(message: "item put at \(path), of \(touched[section].items.count)")
    }
    touched[section].items.insert(~node, at: path.item)
  }

  /// Makes the item at a path a node, if it is none, and returns the number of the node.
  private mutating func node(at path: ItemPath) throws(Mismatch) -> Int {
    let section = try touch(section: path.section)
    try check(item: path, in: section)
    let new = nodes.count
    var found = new
    var old = 0
    touched[section].items.replace(at: path.item) { item in
      if item < 0 {
        found = ~item
        return item
      }
      old = item
      return ~new
    }
    if found == new { nodes.append(Node(origin: section, old: old)) }
    return found
  }
}
