import TestSupport
import Testing

/// Runs `body` with a generator for each seed.
///
/// An error becomes an issue that names the seed, and ends the run.
func forEachSeed(
  _ seeds: Range<UInt64>, _ body: (inout SeededGenerator) throws -> Void
) {
  for seed in seeds {
    var generator = SeededGenerator(seed: seed)
    do {
      try body(&generator)
    } catch {
      Issue.record("seed \(seed): \(error)")
      return
    }
  }
}

/// What a random run showed to be wrong.
struct RandomFailure: Error, CustomStringConvertible {
  let description: String

  init(_ description: String) { self.description = description }
}
