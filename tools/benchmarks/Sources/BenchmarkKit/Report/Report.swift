import Foundation

/// Prints what is measured: a line at once, or one JSON object in the end.
struct Report {
  private let isJSON: Bool
  private var measurements: [Measurement] = []

  init(json: Bool) {
    isJSON = json
    if !json {
      Self.print(
        Self.line(
          ["case", "n", "k", "ours", "per change", "best reference", "ratio", "target", "met"]))
    }
  }

  mutating func add(_ measurement: Measurement) {
    measurements.append(measurement)
    if !isJSON { Self.print(Self.line(Self.cells(measurement))) }
  }

  private static func cells(_ measurement: Measurement) -> [String] {
    let unit = measurement.unit
    return [
      measurement.name, Quantity.count(measurement.items), Quantity.count(measurement.changes),
      Quantity.text(measurement.ours, unit),
      unit == .nanoseconds ? Quantity.text(measurement.perChange, unit) : "",
      measurement.best.map { "\($0.name) \(Quantity.text($0.median, unit))" } ?? "",
      measurement.ratio.map { "\(Quantity.number($0))×" } ?? "",
      measurement.targets.map(measurement.text).joined(separator: ", "),
      measurement.isMet.map { $0 ? "yes" : "NO" } ?? "",
    ]
  }

  private static let widths = [22, 5, 6, 12, 12, 26, 9, 26, 3]

  private static func line(_ cells: [String]) -> String {
    zip(cells, widths).map { cell, width in
      cell + String(repeating: " ", count: max(1, width - cell.count))
    }.joined(separator: " ").trimmingCharacters(in: .whitespaces)
  }

  /// Prints the JSON object, if that is what was asked for.
  func finish(settings: Settings) throws {
    guard isJSON else { return }
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
    let document = Document(
      seed: settings.seed, rounds: settings.rounds, cases: measurements)
    Self.print(String(decoding: try encoder.encode(document), as: UTF8.self))
  }

  private struct Document: Encodable {
    let formatVersion = 1
    let seed: UInt64
    let rounds: Int
    let cases: [Measurement]

    private enum CodingKeys: String, CodingKey { case formatVersion, seed, rounds, cases }
  }

  /// Writes at once, also into a pipe.
  private static func print(_ line: String) {
    FileHandle.standardOutput.write(Data((line + "\n").utf8))
  }
}
