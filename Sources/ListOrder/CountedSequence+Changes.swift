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
    let runCount = leaves[Int(found.leaf)].insert(run, at: found.offset)
    locator.place(run, inLeaf: found.leaf)
    if runCount > Self.leafCapacity { split(leaf: found.leaf, &locator) }
  }

  /// Removes one element.
  ///
  /// - Parameters:
  ///   - offset: Less than the count.
  ///   - locator: Told where runs are.
  /// - Returns: The element, as a run of 1.
  mutating func remove(at offset: Int, locator: inout some RunLocator<Run>) -> Run {
    let found = descend(to: offset, adding: -1, stopsAtEnds: false)
    let (element, runCount) = leaves[Int(found.leaf)].remove(at: found.offset)
    if runCount < Self.leafCapacity / 4 {
      shrink(leaf: found.leaf, &locator)
    } else if runCount > Self.leafCapacity {
      split(leaf: found.leaf, &locator)
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
    let found = leaf(of: offset)
    let (new, runCount) = leaves[Int(found.leaf)].replace(at: found.offset, with: replacement)
    locator.place(new, inLeaf: found.leaf)
    if runCount > Self.leafCapacity { split(leaf: found.leaf, &locator) }
  }

  /// Finds the leaf of a place and updates the counts on the way down.
  ///
  /// - Parameters:
  ///   - offset: Less than the count; if `stopsAtEnds`, also equal to it.
  ///   - change: How many elements the caller adds to the leaf.
  ///   - stopsAtEnds: Whether the place after an element counts as the place before the next one.
  /// - Returns: The leaf and the offset in it.
  private mutating func descend(
    to offset: Int, adding change: Int, stopsAtEnds: Bool
  ) -> (leaf: Int32, offset: Int) {
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
    return (node, rest)
  }
}

// Each change of a leaf is one access to it: each access checks that nobody shares the leaf.
extension CountedSequence.Leaf {
  /// Inserts a run before the element at an offset, or at the end.
  ///
  /// - Returns: How many runs the leaf has now.
  fileprivate mutating func insert(_ run: Run, at offset: Int) -> Int {
    let (slot, rest) = slot(of: offset, beyond: 0)
    if rest == 0 {
      insert(run, atSlot: slot)
    } else if rest == runs[slot].count {
      insert(run, atSlot: slot + 1)
    } else {
      let (head, tail) = runs[slot].split(at: rest)
      runs[slot] = head
      insert(tail, atSlot: slot + 1)
      insert(run, atSlot: slot + 1)
    }
    return runs.count
  }

  /// Removes the element at an offset.
  ///
  /// - Returns: The element, and how many runs the leaf has now.
  fileprivate mutating func remove(at offset: Int) -> (element: Run, runCount: Int) {
    let (slot, rest) = slot(of: offset, beyond: 1)
    let run = runs[slot]
    if run.count == 1 {
      runs.remove(at: slot)
      return (run, runs.count)
    }
    let (element, parts) = Self.isolate(rest, in: run)
    runs[slot] = parts.0
    if let tail = parts.1 { insert(tail, atSlot: slot + 1) }
    return (element, runs.count)
  }

  /// Replaces the element at an offset.
  ///
  /// - Returns: The replacement, and how many runs the leaf has now.
  fileprivate mutating func replace(
    at offset: Int, with replacement: (Run) -> Run
  ) -> (new: Run, runCount: Int) {
    let (slot, rest) = slot(of: offset, beyond: 1)
    let run = runs[slot]
    if run.count == 1 {
      let new = replacement(run)
      runs[slot] = new
      return (new, runs.count)
    }
    let (element, parts) = Self.isolate(rest, in: run)
    let new = replacement(element)
    runs[slot] = parts.0
    insert(new, atSlot: rest == 0 ? slot : slot + 1)
    if let tail = parts.1 { insert(tail, atSlot: slot + 2) }
    return (new, runs.count)
  }

  /// The slot of a place, and the offset in its run.
  ///
  /// `beyond`: 1 if the place at the end of a run is in the next one, else 0.
  private func slot(of offset: Int, beyond: Int) -> (slot: Int, offset: Int) {
    var rest = offset
    var slot = 0
    runs.withUnsafeBufferPointer { runs in
      while slot < runs.count, rest + beyond > runs[slot].count {
        rest -= runs[slot].count
        slot += 1
      }
    }
    return (slot, rest)
  }

  private mutating func insert(_ run: Run, atSlot slot: Int) {
    // An array doubles its capacity by itself, which would leave half of the leaf unused.
    if runs.count == runs.capacity { runs.reserveCapacity(runs.count + 8) }
    runs.append(run)
    runs.withUnsafeMutableBufferPointer { runs in
      guard let start = runs.baseAddress, slot < runs.count - 1 else { return }
      (start + slot + 1).update(from: start + slot, count: runs.count - 1 - slot)
      start[slot] = run
    }
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
}
