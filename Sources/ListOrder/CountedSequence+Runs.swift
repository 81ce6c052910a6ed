// Iterating over runs.
extension CountedSequence {
  /// Calls a closure with each run, in order.
  func forEachRun(_ body: (Run) -> Void) { forEachRun(below: root, level: height, body) }

  /// Calls a closure with the runs of a range of elements, in order.
  ///
  /// Runs that reach beyond the range are cut. The range lies in `0..<count`.
  func forEachRun(of range: Range<Int>, _ body: (Run) -> Void) {
    var next = range.lowerBound
    while next < range.upperBound {
      let found = leaf(of: next)
      var start = next - found.offset
      for run in leaves[Int(found.leaf)].runs where start < range.upperBound {
        let end = start + run.count
        if end > next {
          var part = run
          if end > range.upperBound { part = part.split(at: range.upperBound - start).0 }
          if start < next { part = part.split(at: next - start).1 }
          body(part)
        }
        start = end
      }
      next = start
    }
  }

  private func forEachRun(below node: Int32, level: Int, _ body: (Run) -> Void) {
    if level == 0 {
      for run in leaves[Int(node)].runs { body(run) }
    } else {
      for child in branches[Int(node)].children {
        forEachRun(below: child.node, level: level - 1, body)
      }
    }
  }
}
