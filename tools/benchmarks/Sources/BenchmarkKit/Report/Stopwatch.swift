/// Takes times.
enum Stopwatch {
  /// How long something takes once, in nanoseconds.
  @inline(never)
  static func once(_ work: () throws -> Int) rethrows -> Double {
    let start = ContinuousClock.now
    let result = try work()
    let end = ContinuousClock.now
    Sink.take(result)
    return nanoseconds(end - start)
  }

  /// How long something takes that the clock alone can't resolve, in nanoseconds: repeated for a
  /// millisecond at least, the mean.
  @inline(never)
  static func repeated(_ work: () throws -> Int) rethrows -> Double {
    var times = 1
    while true {
      let start = ContinuousClock.now
      for _ in 0..<times { Sink.take(try work()) }
      let taken = nanoseconds(ContinuousClock.now - start)
      if taken >= 1e6 || times >= 1 << 20 { return taken / Double(times) }
      times *= 2
    }
  }

  private static func nanoseconds(_ duration: Duration) -> Double { duration / .nanoseconds(1) }
}

/// Takes results, so that none is found to be unused.
enum Sink {
  @inline(never) @_optimize(none)
  static func take(_ result: Int) {}
}

/// Times of several contestants, one of each a round.
struct Rounds {
  private var times: [[Double]]

  /// Runs rounds; every other one in reverse order.
  ///
  /// - Parameters:
  ///   - count: How many rounds.
  ///   - contestants: Each takes the number of the round and returns what it took.
  /// - Throws: What a contestant throws.
  init(_ count: Int, _ contestants: [(Int) throws -> Double]) throws {
    times = contestants.map { _ in [] }
    for round in 0..<count {
      let order = round % 2 == 0 ? Array(contestants.indices) : contestants.indices.reversed()
      for index in order { times[index].append(try contestants[index](round)) }
    }
  }

  /// The median of a contestant.
  subscript(contestant: Int) -> Double {
    let sorted = times[contestant].sorted()
    let middle = sorted.count / 2
    return sorted.count % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2
  }
}
