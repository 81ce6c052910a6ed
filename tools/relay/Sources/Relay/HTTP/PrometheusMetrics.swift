package import CoreMetrics
import NIOConcurrencyHelpers

/// Metrics as Prometheus reads them, in its text format: counters, gauges, and summaries of what is
/// recorded.
package final class PrometheusMetrics: MetricsFactory {
  private let values = NIOLockedValueBox<[Series: Value]>([:])

  fileprivate struct Series: Hashable {
    let name: String
    let labels: String

    init(_ name: String, _ dimensions: [(String, String)]) {
      self.name = name
      labels = dimensions.map { "\($0)=\"\(Self.escaped($1))\"" }.joined(separator: ",")
    }

    private static func escaped(_ text: String) -> String {
      text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"").replacing("\n", with: "\\n")
    }
  }

  fileprivate enum Value {
    case counter(Double)
    case gauge(Double)
    /// Cumulative counts for the bounds, the sum, and the count.
    case histogram(counts: [Int], sum: Double, count: Int)
  }

  private static let bounds = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 5, 30]

  /// No metrics yet.
  package init() {}

  /// All of them as text.
  package var page: String {
    let values = values.withLockedValue { $0 }
    var text = ""
    var lastName = ""
    for (series, value) in values.sorted(by: {
      ($0.key.name, $0.key.labels) < ($1.key.name, $1.key.labels)
    }) {
      if series.name != lastName {
        lastName = series.name
        text += "# TYPE \(series.name) \(value.type)\n"
      }
      let labels = series.labels.isEmpty ? "" : "{\(series.labels)}"
      switch value {
      case .counter(let number), .gauge(let number): text += "\(series.name)\(labels) \(number)\n"
      case .histogram(let counts, let sum, let count):
        let before = series.labels.isEmpty ? "" : series.labels + ","
        for (bound, count) in zip(Self.bounds, counts) {
          text += "\(series.name)_bucket{\(before)le=\"\(bound)\"} \(count)\n"
        }
        text += "\(series.name)_bucket{\(before)le=\"+Inf\"} \(count)\n"
        text += "\(series.name)_sum\(labels) \(sum)\n\(series.name)_count\(labels) \(count)\n"
      }
    }
    return text
  }

  fileprivate func count(_ series: Series, _ amount: Double) {
    values.withLockedValue { values in
      guard case .counter(let number) = values[series, default: .counter(0)] else { return }
      values[series] = .counter(number + amount)
    }
  }

  fileprivate func set(_ series: Series, _ value: Value) {
    values.withLockedValue { $0[series] = value }
  }

  fileprivate func observe(_ series: Series, _ number: Double) {
    values.withLockedValue { values in
      var (counts, sum, count) = (Array(repeating: 0, count: Self.bounds.count), 0.0, 0)
      if case .histogram(let counted, let total, let number) = values[series] {
        (counts, sum, count) = (counted, total, number)
      }
      for (index, bound) in Self.bounds.enumerated() where number <= bound { counts[index] += 1 }
      values[series] = .histogram(counts: counts, sum: sum + number, count: count + 1)
    }
  }

  // MARK: MetricsFactory

  /// A counter.
  package func makeCounter(
    label: String, dimensions: [(String, String)]
  ) -> any CounterHandler { Handler(self, Series(label, dimensions)) }

  /// A histogram; without aggregation, a gauge.
  package func makeRecorder(
    label: String, dimensions: [(String, String)], aggregate: Bool
  ) -> any RecorderHandler {
    aggregate
      ? Handler(self, Series(label, dimensions)) : GaugeHandler(self, Series(label, dimensions))
  }

  /// A histogram of seconds.
  package func makeTimer(label: String, dimensions: [(String, String)]) -> any TimerHandler {
    Handler(self, Series(label, dimensions))
  }

  /// Nothing: what was counted stays.
  package func destroyCounter(_ handler: any CounterHandler) {}
  /// Nothing: what was recorded stays.
  package func destroyRecorder(_ handler: any RecorderHandler) {}
  /// Nothing: what was timed stays.
  package func destroyTimer(_ handler: any TimerHandler) {}

  private final class Handler: CounterHandler, RecorderHandler, TimerHandler {
    private let metrics: PrometheusMetrics
    private let series: Series

    init(_ metrics: PrometheusMetrics, _ series: Series) {
      self.metrics = metrics
      self.series = series
    }

    func increment(by amount: Int64) { metrics.count(series, Double(amount)) }
    func reset() { metrics.set(series, .counter(0)) }
    func record(_ value: Int64) { metrics.observe(series, Double(value)) }
    func record(_ value: Double) { metrics.observe(series, value) }
    func recordNanoseconds(_ duration: Int64) { metrics.observe(series, Double(duration) / 1e9) }
  }

  private final class GaugeHandler: RecorderHandler {
    private let metrics: PrometheusMetrics
    private let series: Series

    init(_ metrics: PrometheusMetrics, _ series: Series) {
      self.metrics = metrics
      self.series = series
    }

    func record(_ value: Int64) { metrics.set(series, .gauge(Double(value))) }
    func record(_ value: Double) { metrics.set(series, .gauge(value)) }
  }
}

extension PrometheusMetrics.Value {
  fileprivate var type: String {
    switch self {
    case .counter: "counter"
    case .gauge: "gauge"
    case .histogram: "histogram"
    }
  }
}
