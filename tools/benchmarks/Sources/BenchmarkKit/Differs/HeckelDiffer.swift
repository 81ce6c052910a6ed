/// A differ after Heckel: one dictionary over all ids, three passes, O(*n*) whatever changed.
///
/// What most diffing libraries do. Its moves are right, but not the fewest.
///
/// - SeeAlso: P. Heckel, "A technique for isolating differences between files", CACM 21 (4), 1978.
struct HeckelDiffer: Differ {
  let name = "Heckel"

  func changes(from before: [Row], to after: [Row]) -> Int {
    let script = script(from: before, to: after)
    return script.deletions.count + script.insertions.count + script.moves.count
      + script.updates.count
  }

  /// What changed; offsets before of deletions, offsets after of all others.
  struct Script {
    var deletions: [Int] = []
    var insertions: [Int] = []
    var moves: [(from: Int, to: Int)] = []
    var updates: [Int] = []
  }

  func script(from before: [Row], to after: [Row]) -> Script {
    var oldOffsets: [String: Int32] = [:]
    oldOffsets.reserveCapacity(before.count)
    for offset in before.indices { oldOffsets[before[offset].id] = Int32(offset) }

    var sources: [Int32] = []
    sources.reserveCapacity(after.count)
    var isSettled = [Bool](repeating: true, count: before.count)
    for row in after {
      let source = oldOffsets[row.id] ?? -1
      if source >= 0 { isSettled[Int(source)] = false }
      sources.append(source)
    }

    var script = Script()
    for offset in before.indices where isSettled[offset] { script.deletions.append(offset) }
    // The first row before that was neither deleted nor met: the one that comes if nothing moved.
    var expected = 0
    for (offset, source) in sources.enumerated() {
      guard source >= 0 else {
        script.insertions.append(offset)
        continue
      }
      while expected < before.count, isSettled[expected] { expected += 1 }
      let old = Int(source)
      if old != expected { script.moves.append((from: old, to: offset)) }
      isSettled[old] = true
      if before[old].content != after[offset].content { script.updates.append(offset) }
    }
    return script
  }
}

extension HeckelDiffer.Script {
  /// What the script makes of a list of ids, to check it; `nil` if it does not fit.
  ///
  /// - Parameters:
  ///   - before: The ids that the script starts from.
  ///   - after: Where it takes inserted ids from.
  /// - Returns: The ids after.
  func applied(to before: [String], inserting after: [String]) -> [String]? {
    var result = [String?](
      repeating: nil, count: before.count - deletions.count + insertions.count)
    var leaves = Set(deletions)
    for offset in insertions { result[offset] = after[offset] }
    for move in moves {
      leaves.insert(move.from)
      result[move.to] = before[move.from]
    }
    var stayers = before.indices.lazy.filter { !leaves.contains($0) }.makeIterator()
    for offset in result.indices where result[offset] == nil {
      guard let stayer = stayers.next() else { return nil }
      result[offset] = before[stayer]
    }
    return stayers.next() == nil ? result.compactMap { $0 } : nil
  }
}
