import Foundation

/// Takes times: those that the thread ran, so that a busy machine disturbs less.
///
/// All that is measured here runs on one thread.
enum Stopwatch {
  /// How long something takes once, in nanoseconds.
  @inline(never)
  static func once(on clock: Clock = .thread, _ work: () throws -> Int) rethrows -> Double {
    let start = now(clock)
    let result = try work()
    let end = now(clock)
    Sink.take(result)
    return end - start
  }

  /// How long something takes that can be repeated, in nanoseconds: once if that is long, else the
  /// mean of as many times as fill 5 milliseconds, after one that does not count.
  ///
  /// Contestants of a line are all timed like this: none is warmer than another.
  static func repeated(_ work: () throws -> Int) rethrows -> Double {
    let first = try once(work)
    if first >= 2e7 { return first }
    var times = 1
    while true {
      let taken = try once {
        var sum = 0
        for _ in 0..<times { sum &+= try work() }
        return sum
      }
      if taken >= 5e6 || times >= 1 << 20 { return taken / Double(times) }
      times *= 2
    }
  }

  enum Clock {
    /// The time that the thread ran.
    case thread
    /// The time that passed, where other threads may do a part.
    case wall
    /// The time that all threads of the process ran.
    case process
  }

  /// Nanoseconds; those of ``Clock/wall`` are the same in all processes.
  static func now(_ clock: Clock) -> Double {
    var time = timespec()
    switch clock {
    case .thread: clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    case .wall: clock_gettime(CLOCK_MONOTONIC, &time)
    case .process: clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
    }
    return Double(time.tv_sec) * 1e9 + Double(time.tv_nsec)
  }
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
  ///   - warmUp: Whether a round that does not count goes first, of number `count`.
  ///   - contestants: Each takes the number of the round and returns what it took.
  /// - Throws: What a contestant throws.
  init(
    _ count: Int, warmUp: Bool = false, _ contestants: [(Int) throws -> Double]
  ) throws {
    times = contestants.map { _ in [] }
    if warmUp { for contestant in contestants { _ = try contestant(count) } }
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
