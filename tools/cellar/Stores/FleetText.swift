import Foundation
import ListInspection
import ListModel
import StoreSchema

/// What people read of many stores: a line each, the worst first, and a summary.
struct FleetText {
  /// A store that was handled.
  struct Handled: Sendable {
    var result: StoreResult
    var seconds: Double
    /// The size of its file; `nil` if it is not there.
    var byteCount: Int?
  }

  private let stores: [Handled]

  init(_ stores: [Handled]) {
    // Those that are equally bad stay in the order of the arguments.
    self.stores = stores.enumerated().sorted {
      ($0.element.result.rank, $0.offset) < ($1.element.result.rank, $1.offset)
    }.map(\.element)
  }

  /// The results, the worst first.
  var results: [StoreResult] { stores.map(\.result) }

  /// A line a store, or with details all that is known of each; then the summary.
  func lines(hasDetails: Bool) -> [String] {
    let width = (results.map(\.outcome.count).max() ?? 0) + 2
    return results.flatMap { result in
      let details = hasDetails ? result.plainText(of: result.file) : []
      return details.isEmpty || result.error != nil
        ? [result.outcome.padded(to: width) + result.line] + details : details
    } + summary
  }

  // MARK: Summary

  private var summary: [String] {
    var lines = ["\(Output.count(stores.count, "store")): " + Self.outcomes(of: results)]
    func add(_ heading: String, _ text: String) {
      if !text.isEmpty { lines.append("  \(heading.padded(to: 10))\(text)") }
    }
    let versions = Self.counts(results.compactMap(\.schemaVersion))
    add(
      "versions",
      versions.sorted { $0.value < $1.value }
        .map { "\($0.count) of version \($0.value)" }.joined(separator: ", "))
    let findings = results.flatMap { result in
      [result.findings, result.plan?.findings].compactMap(\.self).joined()
    }
    let codes = Self.counts(findings.filter { $0.severity > .notice }.map(\.code.rawValue))
    add(
      "findings",
      codes.sorted { $0.count == $1.count ? $0.value < $1.value : $0.count > $1.count }
        .map { "\($0.count) × \($0.value)" }.joined(separator: ", "))
    add("seconds", Self.spread(stores.map(\.planSeconds)) { String(format: "%.3f", $0) })
    add("bytes", Self.spread(stores.compactMap(\.byteCount)) { "\($0)" })
    return lines
  }

  /// "9 migrated, 3 failed".
  static func outcomes(of results: [StoreResult]) -> String {
    counts(results.map(\.outcome)).sorted { $0.value != "failed" && $1.value == "failed" }
      .map { "\($0.count) \($0.value)" }.joined(separator: ", ")
  }

  /// Each value with how often it is there, in the order in which they come first.
  private static func counts<Value: Hashable>(
    _ values: [Value]
  ) -> [(value: Value, count: Int)] {
    var counts: [Value: Int] = [:]
    var order: [Value] = []
    for value in values {
      if counts[value] == nil { order.append(value) }
      counts[value, default: 0] += 1
    }
    return order.map { ($0, counts[$0] ?? 0) }
  }

  private static func spread<Value: Comparable>(
    _ values: [Value], _ text: (Value) -> String
  ) -> String {
    let sorted = values.sorted()
    guard let most = sorted.last else { return "" }
    func percentile(_ percent: Int) -> Value { sorted[(sorted.count * percent - 1) / 100] }
    return "p50 \(text(percentile(50))), p99 \(text(percentile(99))), max \(text(most))"
  }
}

extension FleetText.Handled {
  /// The seconds that it took; of a plan, those of its migrations.
  fileprivate var planSeconds: Double {
    result.plan.map { $0.steps.reduce(0) { $0 + $1.seconds } } ?? seconds
  }
}

extension StoreResult {
  /// How bad it is, from 0.
  fileprivate var rank: Int {
    if error != nil { return 0 }
    switch exitCode {
    case 0: return outcome == "pending" ? 4 : 5
    case 2: return 1
    case 3: return 4
    default: return 2
    }
  }

  /// The file, and the most important of what is known of it.
  fileprivate var line: String {
    if let error {
      // It names the store by its whole path, or as it was given.
      let path = URL(fileURLWithPath: file).path
      let rest = [path, file].first { error.hasPrefix($0 + ": ") }.map {
        error.dropFirst($0.count + 2)
      }
      return "\(file): \(rest ?? error[...])"
    }
    var parts = [
      schemaVersion.map { version in
        "schema version \(version) of \(latestVersion)"
          + (plan.map { $0.toVersion == version ? "" : ", \($0.toVersion) then" } ?? "")
      }
    ]
    let counts = [renamedItems, renamedSections, changedItems].compactMap(\.self)
    if !counts.isEmpty {
      let count = counts.flatMap(\.values).reduce(0, +)
      parts = [dryRun == true ? "\(count) would change" : "\(count) changed"]
    }
    let found = ((findings ?? []) + (plan?.findings ?? [])).filter { $0.severity > .notice }
    if let worst = found.first {
      parts.append(worst.description + (found.count > 1 ? ", and \(found.count - 1) more" : ""))
    }
    if let difference = schemaDifferences?.first, found.isEmpty {
      let others = (schemaDifferences?.count ?? 1) - 1
      parts.append(
        "\(difference.kind) \(difference.name) is not as the version has it"
          + (others > 0 ? ", and \(others) more" : ""))
    }
    if let remaining, !remaining.isEmpty {
      parts.append("\(Output.count(remaining.count, "thing")) left to repair")
    }
    if let backups { parts.append(Output.count(backups.count, "backup")) }
    return "\(file): " + parts.compactMap(\.self).joined(separator: "; ")
  }
}
