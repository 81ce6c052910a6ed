import ArgumentParser

/// Measures what `COSTS.md` states; `tools/relay/bench` runs all of it.
@main
struct RelayBench: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "relay-bench", abstract: "Measure engines, nodes and devices.",
    subcommands: [
      EngineBench.self, LatencyBench.self, AnswersBench.self, WaitingBench.self, DevicesBench.self,
    ])
}

extension [Double] {
  /// The value below which a part of them is.
  func quantile(_ part: Double) -> Double {
    let sorted = self.sorted()
    return sorted.isEmpty ? .nan : sorted[Swift.min(Int(part * Double(count)), count - 1)]
  }
}

extension Double {
  /// With so many digits after the point.
  func shown(_ digits: Int = 0) -> String {
    let factor = (0..<digits).reduce(1.0) { factor, _ in factor * 10 }
    let rounded = (self * factor).rounded() / factor
    return digits == 0 ? String(Int(rounded)) : String(rounded)
  }
}
