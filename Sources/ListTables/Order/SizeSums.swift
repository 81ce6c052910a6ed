import GRDB
package import ListModel

/// Keeps the sums of sizes in the blocks of a list up to date, inside a transaction.
///
/// The sum of a block of level 0 is that of its items' sizes, exact or not; above level 0 it is the
/// sum of the children's sums. Lengths are in whole 1,024ths of a point, so that adding and
/// subtracting loses nothing to rounding.
package final class SizeSums {
  private let statements: Statements
  private let tree: BlockTree
  private var differences: [Int: [Int: Sum]] = [:]
  /// Items that are no more, whose sizes are still stored.
  private var forgotten: [Int] = []

  /// The number of sizes in a block, and their total length.
  package struct Sum: Equatable, Sendable {
    /// How many items have a size.
    package var measured = 0
    /// The length of all of them, in 1,024ths of a point.
    package var length = 0

    /// A sum of so many sizes.
    package init(measured: Int = 0, length: Int = 0) {
      self.measured = measured
      self.length = length
    }

    /// The sum of one size: its length along the axis of its key.
    package init(_ size: Size, isVertical: Bool) {
      measured = 1
      // A damaged file can hold any number.
      length = Int((min(max(isVertical ? size.height : size.width, 0), 1e6) * scale).rounded())
    }

    /// Adds the counts and lengths; a sum that overflows wraps, because a damaged file can hold any number.
    package static func += (sum: inout Sum, other: Sum) {
      sum.measured &+= other.measured
      sum.length &+= other.length
    }

    /// What takes a sum away again when it is added.
    package static prefix func - (sum: Sum) -> Sum {
      Sum(measured: 0 &- sum.measured, length: 0 &- sum.length)
    }
  }

  /// The units of a point.
  package static let scale = 1_024.0

  init(_ statements: Statements, _ tree: BlockTree) {
    self.statements = statements
    self.tree = tree
  }

  private func knownKeys() throws -> [Int: Bool] {
    if let keys = statements.memory.sizeKeys { return keys }
    var found: [Int: Bool] = [:]
    try statements("SELECT id, axis = 'vertical' FROM sizeKey WHERE usedAt >= 0").forEach { row in
      found[try row.integer(0)] = try row.integer(1) != 0
    }
    statements.memory.sizeKeys = found
    return found
  }

  private func forEachSize(
    ofItem item: Int, _ body: (_ key: Int, _ sum: Sum) throws -> Void
  ) throws {
    let keys = try knownKeys()
    if keys.isEmpty { return }
    try statements("SELECT sizeKey, width, height FROM measuredSize WHERE owner = ?")
      .forEach(item) { row in
        let key = try row.integer(0)
        guard let isVertical = keys[key] else { return }
        let size = Size(width: try row.real(1), height: try row.real(2))
        try body(key, Sum(size, isVertical: isVertical))
      }
  }

  /// Adds to the sum of a block of level 0.
  func add(_ sum: Sum, toBlock block: Int, key: Int) {
    differences[key, default: [:]][block, default: Sum()] += sum
  }

  /// Takes the sizes of an item out of the sums.
  ///
  /// `block`: The block that the item's row names.
  func removeItem(_ item: Int, storedIn block: Int) throws {
    try forEachSize(ofItem: item) { key, sum in add(-sum, toBlock: block, key: key) }
  }

  /// Adds the sizes of an item to the sums.
  func addItem(_ item: Int, toBlock block: Int) throws {
    try forEachSize(ofItem: item) { key, sum in add(sum, toBlock: block, key: key) }
  }

  /// Has the sizes of an item deleted that is no more, when all lists that have had it are done.
  func forget(_ item: Int) { forgotten.append(item) }

  /// Deletes the sizes of items that are no more.
  func deleteForgotten() throws {
    defer { forgotten = [] }
    if try forgotten.isEmpty || knownKeys().isEmpty { return }
    let delete = try statements("DELETE FROM measuredSize WHERE owner = ?")
    for item in forgotten {
      delete.bind(item, at: 1)
      try delete.run()
    }
  }

  // MARK: Writing

  /// Updates the stored sums to the tree, before the tree itself is written.
  package func save() throws {
    if try knownKeys().isEmpty { return }
    for (item, place) in tree.displacedItems {
      try forEachSize(ofItem: item) { key, sum in
        add(-sum, toBlock: place.from, key: key)
        add(sum, toBlock: place.to, key: key)
      }
    }
    let isRestructured = !tree.restructured.isEmpty || !tree.removedBlocks.isEmpty
    for key in try knownKeys().keys where isRestructured || differences[key] != nil {
      try save(key)
    }
    differences = [:]
  }

  private func save(_ key: Int) throws {
    for block in tree.removedBlocks {
      try statements("DELETE FROM blockExtent WHERE sizeKey = ? AND block = ?").run(key, block)
    }
    var level = 0
    var changed = differences[key] ?? [:]
    for block in tree.removedBlocks { changed[block] = nil }
    var restructured = try tree.restructured.map { try tree.block($0) }
    while !changed.isEmpty || !restructured.isEmpty {
      var above: [Int: Sum] = [:]
      for block in restructured where block.level == level { changed[block.id] = Sum() }
      // In the order of the rows, so that each page is written once.
      for (id, difference) in changed.sorted(by: { $0.key < $1.key }) {
        let head = try tree.head(of: id)
        guard head.level == level else {
          throw DatabaseError.corrupt("block \(id) is on a wrong level")
        }
        let difference =
          tree.restructured.contains(id)
          ? try sumAnew(id, key: key) : try add(difference, to: id, key: key)
        if let parent = head.parent { above[parent, default: Sum()] += difference }
      }
      restructured.removeAll { $0.level == level }
      changed = above
      level += 1
    }
  }

  /// Adds up the children of a block.
  ///
  /// - Returns: The difference from the sum before.
  private func sumAnew(_ id: Int, key: Int) throws -> Sum {
    let old = try sum(of: id, key: key)
    var new = Sum()
    for child in try tree.block(id).children { new += try sum(of: child.block, key: key) }
    try store(new, of: id, key: key)
    new += -old
    return new
  }

  /// Adds to the stored sum of a block.
  ///
  /// - Returns: The difference from the sum before.
  private func add(_ difference: Sum, to id: Int, key: Int) throws -> Sum {
    if difference.measured >= 0 {
      // One write, if the row can't become empty.
      let update = try statements(
        """
        UPDATE blockExtent SET measured = measured + ?, length = max(0, length + ?)
        WHERE sizeKey = ? AND block = ?
        """)
      update.bind(difference.measured, at: 1)
      update.bind(difference.length, at: 2)
      update.bind(key, at: 3)
      update.bind(id, at: 4)
      try update.run()
      if update.changeCount > 0 { return difference }
    }
    let old = try sum(of: id, key: key)
    var new = old
    new += difference
    try store(new, of: id, key: key)
    new += -old
    return new
  }

  private func sum(of block: Int, key: Int) throws -> Sum {
    try statements("SELECT measured, length FROM blockExtent WHERE sizeKey = ? AND block = ?")
      .first(key, block) { Sum(measured: try $0.integer(0), length: try $0.integer(1)) } ?? Sum()
  }

  private func store(_ sum: Sum, of block: Int, key: Int) throws {
    if sum.measured <= 0 {
      return try statements("DELETE FROM blockExtent WHERE sizeKey = ? AND block = ?")
        .run(key, block)
    }
    try statements(
      """
      INSERT INTO blockExtent (sizeKey, block, measured, length) VALUES (?, ?, ?, ?)
      ON CONFLICT DO UPDATE SET measured = excluded.measured, length = excluded.length
      """
    ).run(key, block, sum.measured, max(0, sum.length))
  }
}
