/// A sequence of integers, which keeps ascending neighbours as one run: `0..<1_000_000` takes the
/// memory of one integer.
///
/// Other modules use this type instead of ``CountedSequence``: Swift specialises a generic type
/// only in the module that declares it, and unspecialised a log of 100 changes takes 4 to 5 times
/// as long to compile.
///
/// - Complexity: O(log *r*) for each operation, *r* runs.
package struct IntegerSequence: Sendable {
  private var tree = CountedSequence<Run>()
  /// How many integers there are.
  // Stored, so that other modules read it without a call: the log compiler does so for each entry.
  package private(set) var count = 0

  /// Integers that follow one another: `first`, `first + 1`, ….
  package struct Run: CountedRun {
    /// The least integer.
    package var first: Int
    /// How many integers there are, at least 1.
    package var count: Int

    func split(at offset: Int) -> (Run, Run) {
      (Run(first: first, count: offset), Run(first: first + offset, count: count - offset))
    }
  }

  /// An empty sequence.
  package init() {}

  /// The integers of a range, in order.
  package init(_ integers: Range<Int>) {
    if integers.isEmpty { return }
    count = integers.count
    var locator = NoLocator<Run>()
    tree.insert(
      Run(first: integers.lowerBound, count: integers.count), at: 0, locator: &locator)
  }

  /// The integer at an offset, which must be less than the count.
  package subscript(offset: Int) -> Int {
    let position = tree.position(of: offset)
    return tree[position].first + position.offset
  }

  /// Inserts an integer before the one at an offset, or at the end.
  package mutating func insert(_ integer: Int, at offset: Int) {
    count += 1
    var locator = NoLocator<Run>()
    tree.insert(Run(first: integer, count: 1), at: offset, locator: &locator)
  }

  /// Removes the integer at an offset, which must be less than the count.
  ///
  /// - Returns: The integer.
  package mutating func remove(at offset: Int) -> Int {
    count -= 1
    var locator = NoLocator<Run>()
    return tree.remove(at: offset, locator: &locator).first
  }

  /// Replaces the integer at an offset, which must be less than the count.
  ///
  /// - Parameters:
  ///   - offset: Where the integer is.
  ///   - replacement: Takes the integer and returns the one that replaces it.
  package mutating func replace(at offset: Int, with replacement: (Int) -> Int) {
    var locator = NoLocator<Run>()
    tree.replace(at: offset, locator: &locator) { run in
      Run(first: replacement(run.first), count: 1)
    }
  }

  /// The runs, in order.
  ///
  /// - Complexity: O(*r*), *r* runs.
  package var runs: ContiguousArray<Run> {
    var runs: ContiguousArray<Run> = []
    tree.forEachRun { runs.append($0) }
    return runs
  }

  /// Checks the count and the tree that holds the runs.
  ///
  /// - Throws: ``BrokenInvariant``.
  /// - Complexity: O(*r*), *r* runs.
  package func checkInvariants() throws(BrokenInvariant) {
    guard tree.count == count else {
      throw BrokenInvariant("holds \(tree.count) integers, counts \(count)")
    }
    try tree.checkInvariants()
  }
}
