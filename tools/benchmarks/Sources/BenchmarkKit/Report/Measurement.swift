/// One line of the report.
struct Measurement: Encodable {
  /// What was measured.
  var name: String
  /// Items in the list.
  var items: Int
  /// Changes, or calls.
  var changes: Int
  var unit: Unit = .nanoseconds
  /// The median of ours, for all changes.
  var ours: Double
  /// Medians of what ours is measured beside, in the same rounds.
  var references: [Reference] = []
  /// What it should reach.
  var targets: [Target] = []

  enum Unit: String, Encodable {
    case nanoseconds
    case bytes
    case wholeBytes
    case changes
    case updates
    case percent
  }

  struct Reference: Encodable {
    var name: String
    var median: Double
  }

  enum Target {
    /// At most so many nanoseconds a change.
    case perChange(Double)
    /// At least so many times as fast as the best reference.
    case faster(Double)
    /// At most so many times the best reference.
    case atMost(Double)
    /// At most so much, in the unit of the line.
    case within(Double)
    /// At most so many nanoseconds more than the best reference.
    case beyond(Double)
  }

  /// Nanoseconds a change.
  var perChange: Double { ours / Double(max(1, changes)) }
  /// The reference that is hardest to beat.
  var best: Reference? { references.min { $0.median < $1.median } }
  /// The best reference divided by ours.
  var ratio: Double? { best.map { $0.median / ours } }
  /// Whether all targets are met; `nil` if there are none.
  var isMet: Bool? { targets.isEmpty ? nil : targets.allSatisfy(meets) }

  private func meets(_ target: Target) -> Bool {
    switch target {
    case .perChange(let limit): perChange <= limit
    case .faster(let factor): ratio.map { $0 >= factor } ?? false
    case .atMost(let factor): ratio.map { $0 * factor >= 1 } ?? false
    case .within(let limit): ours <= limit
    case .beyond(let limit): best.map { ours <= $0.median + limit } ?? false
    }
  }

  private enum CodingKeys: String, CodingKey {
    case name, items, changes, unit, ours, perChange, references, best, ratio, targets, isMet
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(name, forKey: .name)
    try container.encode(items, forKey: .items)
    try container.encode(changes, forKey: .changes)
    try container.encode(unit, forKey: .unit)
    try container.encode(ours, forKey: .ours)
    if unit == .nanoseconds { try container.encode(perChange, forKey: .perChange) }
    try container.encode(references, forKey: .references)
    try container.encodeIfPresent(best?.name, forKey: .best)
    try container.encodeIfPresent(ratio, forKey: .ratio)
    try container.encode(targets.map(text), forKey: .targets)
    try container.encodeIfPresent(isMet, forKey: .isMet)
  }

  /// A target as people read it.
  func text(_ target: Target) -> String {
    switch target {
    case .perChange(let limit): "≤ \(Quantity.text(limit, .nanoseconds))/change"
    case .faster(let factor): "≥ \(Quantity.number(factor))×"
    case .atMost(let factor): "≤ \(Quantity.number(factor))× as long"
    case .within(let limit): "≤ \(Quantity.text(limit, unit))"
    case .beyond(let limit): "≤ \(Quantity.text(limit, .nanoseconds)) more"
    }
  }
}

/// Writes numbers with their units.
enum Quantity {
  static func text(_ value: Double, _ unit: Measurement.Unit) -> String {
    switch unit {
    case .bytes: "\(number(value)) B/item"
    case .wholeBytes: "\(number(value / 1e6)) MB"
    case .changes: "\(number(value)) changes"
    case .updates: "\(number(value)) updates"
    case .percent: "\(number(value)) %"
    case .nanoseconds:
      switch value {
      case ..<1e3: "\(number(value)) ns"
      case ..<1e6: "\(number(value / 1e3)) µs"
      case ..<1e9: "\(number(value / 1e6)) ms"
      default: "\(number(value / 1e9)) s"
      }
    }
  }

  /// Three digits, or all before the point; fewer of what is less than one.
  static func number(_ value: Double) -> String {
    let scale: Double =
      switch value {
      case ..<0.1: 10_000
      case ..<10: 100
      case ..<100: 10
      default: 1
      }
    let rounded = (value * scale).rounded() / scale
    return rounded == rounded.rounded() && abs(rounded) < 1e15
      ? "\(Int(rounded))" : "\(rounded)"
  }

  /// `1k`, `100k`, `1M` where that is exact.
  static func count(_ value: Int) -> String {
    if value >= 1_000_000, value % 1_000_000 == 0 { return "\(value / 1_000_000)M" }
    if value >= 1_000, value % 1_000 == 0 { return "\(value / 1_000)k" }
    return "\(value)"
  }
}
