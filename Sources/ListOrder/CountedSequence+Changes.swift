extension CountedSequence {
  /// Inserts a run before the element at an offset, or at the end.
  ///
  /// - Parameters:
  ///   - run: The elements.
  ///   - offset: At most the count.
  ///   - locator: Told where runs are.
  mutating func insert(_ run: Run, at offset: Int, locator: inout some RunLocator<Run>) {
    // At the border of two leaves the run goes to the end of the earlier one: that one more often
    // has been changed before.
    let found = descend(to: offset, adding: run.count, stopsAtEnds: true)
    let index = Int(found.leaf)
    if found.slot == leaves[index].runs.count {
      leaves[index].insert(run, at: found.slot)
    } else if found.offset == 0 {
      leaves[index].insert(run, at: found.slot)
    } else if found.offset == leaves[index].runs[found.slot].count {
      leaves[index].insert(run, at: found.slot + 1)
    } else {
      let (head, tail) = leaves[index].runs[found.slot].split(at: found.offset)
      leaves[index].runs[found.slot] = head
      leaves[index].insert(tail, at: found.slot + 1)
      leaves[index].insert(run, at: found.slot + 1)
    }
    locator.place(run, inLeaf: found.leaf)
    splitIfFull(leaf: found.leaf, &locator)
  }

  /// Removes one element.
  ///
  /// - Parameters:
  ///   - offset: Less than the count.
  ///   - locator: Told where runs are.
  /// - Returns: The element, as a run of 1.
  mutating func remove(at offset: Int, locator: inout some RunLocator<Run>) -> Run {
    let found = descend(to: offset, adding: -1, stopsAtEnds: false)
    let index = Int(found.leaf)
    let run = leaves[index].runs[found.slot]
    if run.count == 1 {
      leaves[index].runs.remove(at: found.slot)
      shrink(leaf: found.leaf, &locator)
      return run
    }
    let (element, rest) = Self.isolate(found.offset, in: run)
    leaves[index].runs[found.slot] = rest.0
    if let tail = rest.1 {
      leaves[index].insert(tail, at: found.slot + 1)
      splitIfFull(leaf: found.leaf, &locator)
    }
    return element
  }

  /// Makes one element a run of its own and replaces that run.
  ///
  /// - Parameters:
  ///   - offset: Less than the count.
  ///   - locator: Told where the replacement is.
  ///   - replacement: Takes the element as a run of 1 and returns the run of 1 that replaces it.
  mutating func replace(
    at offset: Int, locator: inout some RunLocator<Run>, with replacement: (Run) -> Run
  ) {
    let found = position(of: offset)
    let index = Int(found.leaf)
    let run = leaves[index].runs[found.slot]
    if run.count == 1 {
      let new = replacement(run)
      leaves[index].runs[found.slot] = new
      locator.place(new, inLeaf: found.leaf)
      return
    }
    let (element, rest) = Self.isolate(found.offset, in: run)
    let new = replacement(element)
    if found.offset == 0 {
      leaves[index].runs[found.slot] = rest.0
      leaves[index].insert(new, at: found.slot)
    } else {
      leaves[index].runs[found.slot] = rest.0
      leaves[index].insert(new, at: found.slot + 1)
      if let tail = rest.1 { leaves[index].insert(tail, at: found.slot + 2) }
    }
    locator.place(new, inLeaf: found.leaf)
    splitIfFull(leaf: found.leaf, &locator)
  }

  /// Cuts one element out of a run of several.
  ///
  /// - Returns: The element, and the one or two runs that are left.
  private static func isolate(_ offset: Int, in run: Run) -> (element: Run, rest: (Run, Run?)) {
    if offset == 0 {
      let (element, tail) = run.split(at: 1)
      return (element, (tail, nil))
    }
    let (head, rest) = run.split(at: offset)
    if rest.count == 1 { return (rest, (head, nil)) }
    let (element, tail) = rest.split(at: 1)
    return (element, (head, tail))
  }

  /// Finds a place and updates the counts on the way down.
  ///
  /// - Parameters:
  ///   - offset: Less than the count; if `stopsAtEnds`, also equal to it.
  ///   - change: How many elements the caller adds to the leaf.
  ///   - stopsAtEnds: Whether the place after an element counts as the place before the next one.
  /// - Returns: The place.
  private mutating func descend(
    to offset: Int, adding change: Int, stopsAtEnds: Bool
  ) -> Position {
    // 1: goes on to the next part when the offset is at the end of one.
    let beyond = stopsAtEnds ? 0 : 1
    var rest = offset
    var node = root
    count += change
    for _ in 0..<height {
      branches[Int(node)].children.withUnsafeMutableBufferPointer { children in
        var slot = 0
        while rest + beyond > children[slot].count {
          rest -= children[slot].count
          slot += 1
        }
        children[slot].count += change
        node = children[slot].node
      }
    }
    var slot = 0
    leaves[Int(node)].runs.withUnsafeBufferPointer { runs in
      while slot < runs.count, rest + beyond > runs[slot].count {
        rest -= runs[slot].count
        slot += 1
      }
    }
    return Position(leaf: node, slot: slot, offset: rest)
  }
}
