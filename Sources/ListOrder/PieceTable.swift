/// The order of a list's sections, or of a section's items, in which changes are made: a piece
/// table, as text editors have.
///
/// An element is either a *place* of the order that the table begins with, or a *node*: something
/// that a change names, known by a number. Places that follow one another are one piece. They
/// ascend, because nothing that moves stays a place. So a table takes memory for what changes,
/// however long the order is.
///
/// - Complexity: O(log *r*) for each operation, *r* pieces; ``offset(ofPlace:)`` takes
///   O(log *n* · log *r*), *n* elements.
package struct PieceTable: Sendable {
  /// What stands at an offset.
  package enum Element: Sendable {
    case place(Int)
    case node(Int)
  }

  /// Elements that follow one another.
  package enum Piece: Sendable {
    case places(Range<Int>)
    case node(Int)
  }

  /// Places from its first integer on, or the complement of a node.
  private typealias Run = IntegerSequence.Run

  private var tree = CountedSequence<Run>()
  private var nodes = Nodes()

  private struct Nodes: RunLocator {
    /// The leaves that hold the nodes.
    var leaves: [Int: Int32] = [:]
    /// For each node the greatest place before it; -1 if there is none.
    ///
    /// Places neither come nor move. So all places before the node stay at most this one, and all
    /// behind it are greater, whatever changes.
    var places: [Int: Int] = [:]

    mutating func place(_ run: Run, inLeaf leaf: Int32) {
      if run.first < 0 { leaves[~run.first] = leaf }
    }
  }

  /// The places of an order, none of them changed.
  package init(count: Int) {
    if count > 0 { tree.insert(Run(first: 0, count: count), at: 0, locator: &nodes) }
  }

  /// How many elements there are.
  package var count: Int { tree.count }

  /// The pieces, in order.
  ///
  /// - Complexity: O(*r*), *r* pieces.
  package var pieces: [Piece] {
    var pieces: [Piece] = []
    tree.forEachRun { run in
      pieces.append(
        run.first < 0 ? .node(~run.first) : .places(run.first..<run.first + run.count))
    }
    return pieces
  }

  /// The element at an offset, which must be less than the count.
  package subscript(offset: Int) -> Element {
    let position = tree.position(of: offset)
    let first = tree[position].first
    return first < 0 ? .node(~first) : .place(first + position.offset)
  }

  /// The offset of a node that the table has.
  package func offset(ofNode node: Int) -> Int {
    guard let leaf = nodes.leaves[node],
      let offset = tree.offset(inLeaf: leaf, of: { $0.first == ~node ? 0 : nil })
    else { preconditionFailure("the table does not have the node \(node)") }
    return tree.offset(ofLeaf: leaf) + offset
  }

  /// The offset of a place that was neither removed nor replaced.
  package func offset(ofPlace place: Int) -> Int {
    (0..<count).partitioningIndex { lastPlace(to: $0) >= place }
  }

  /// The greatest place up to an offset; it ascends with the offset.
  private func lastPlace(to offset: Int) -> Int {
    switch self[offset] {
    case .place(let place): place
    case .node(let node): nodes.places[node] ?? -1
    }
  }

  /// Inserts a node, which the table does not have, before the element at an offset, or at the end.
  package mutating func insert(_ node: Int, at offset: Int) {
    nodes.places[node] = offset == 0 ? -1 : lastPlace(to: offset - 1)
    tree.insert(Run(first: ~node, count: 1), at: offset, locator: &nodes)
  }

  /// Removes the element at an offset, which must be less than the count.
  package mutating func remove(at offset: Int) { _ = tree.remove(at: offset, locator: &nodes) }

  /// Makes the place at an offset a node, which the table does not have.
  package mutating func replace(at offset: Int, with node: Int) {
    nodes.places[node] = lastPlace(to: offset)
    tree.replace(at: offset, locator: &nodes) { _ in Run(first: ~node, count: 1) }
  }

  /// Checks the tree that holds the pieces, and that places ascend.
  ///
  /// - Throws: ``BrokenInvariant``.
  /// - Complexity: O(*n* log *r*), *n* elements, *r* pieces.
  package func checkInvariants() throws(BrokenInvariant) {
    try tree.checkInvariants()
    var last = -1
    for offset in 0..<count {
      let next = lastPlace(to: offset)
      guard next >= last else { throw BrokenInvariant("place \(next) stands behind \(last)") }
      last = next
    }
  }
}
