/// A bucket that fills up by the second, to what one second brings.
struct Bucket: Sendable {
  private(set) var level: Double
  private var time: Int

  /// A full one.
  init(of rate: Double, at now: Int) {
    level = rate
    time = now
  }

  /// Takes an amount, if it is there.
  ///
  /// - Returns: The seconds until it is there; 0 if it was taken.
  mutating func take(_ amount: Double, of rate: Double, at now: Int) -> Double {
    let pause = pause(for: amount, of: rate, at: now)
    if pause == 0 { spend(amount) }
    return pause
  }

  /// Takes an amount, whether it is there or not: the rest is owed.
  mutating func spend(_ amount: Double) { level -= amount }

  /// The seconds until an amount is there, 0 if it is; for 0, until nothing is owed.
  mutating func pause(for amount: Double, of rate: Double, at now: Int) -> Double {
    level = min(rate, level + Double(max(0, now - time)) / 1_000 * rate)
    time = now
    // What is larger than the bucket is taken when it is full.
    return max(0, (min(amount, rate) - level) / max(rate, 1e-9))
  }
}
