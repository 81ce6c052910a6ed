import GRDB

// Orders whose members are sorted: those of derived lists.
extension BlockTree {
  /// The index before which something belongs in a sorted order.
  ///
  /// It is found by the first members of blocks, which are kept, and in one block. To halve the order as
  /// one sequence would read a block for most of its steps.
  ///
  /// `precedes`: Whether it stands before a member; `nil` for one that is not in its place.
  /// - Returns: `nil` if a block begins with a member that is not in its place.
  func placement(
    root: Int, _ precedes: (Block.Member) throws -> Bool?
  ) throws -> Int? {
    var block = try block(root)
    var index = 0
    while block.level > 0 {
      let children = block.children
      var (low, high) = (0, children.count)
      while high - low > 1 {
        let middle = (low + high) / 2
        guard let answer = try precedes(first(ofChild: children[middle].block, of: block)) else {
          return nil
        }
        if answer { high = middle } else { low = middle }
      }
      guard low < children.count else {
        throw DatabaseError.corrupt("block \(block.id) has no children")
      }
      index += children[..<low].reduce(0) { $0 + $1.count }
      block = try child(children[low].block, of: block)
    }
    let members = block.members
    return index + (try SettledOrder.placement(among: members.count) { try precedes(members[$0]) })
  }

  /// The first member of a block and of those below it.
  private func first(ofChild id: Int, of parent: Block) throws -> Block.Member {
    if parent.level > 1 {
      let block = try child(id, of: parent)
      guard let first = block.children.first else {
        throw DatabaseError.corrupt("block \(id) has no children")
      }
      return try self.first(ofChild: first.block, of: block)
    }
    guard let member = try firstMember(ofLeaf: id) else {
      throw DatabaseError.corrupt("block \(id) is empty")
    }
    return member
  }
}
