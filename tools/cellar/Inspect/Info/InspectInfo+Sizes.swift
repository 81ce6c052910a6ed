import ArgumentParser
import Foundation
import ListInspection
import ListModel

extension Inspect.Info {
  /// How the measured sizes are spread.
  func sizes(_ inspection: Inspection) -> InspectAnswer {
    var sizes = inspection.sizes(of: list)
    if stale {
      for index in sizes.lists.indices {
        sizes.lists[index].groups.removeAll(where: \.staleCounts.isEmpty)
      }
    }
    return InspectAnswer(
      sizes, isSound: sizes.findings.hasNoError, lines: sizes.lines(stale: stale))
  }
}

extension StoreSizes {
  fileprivate func lines(stale: Bool) -> [String] {
    let sizes = self
    var lines = [
      "\(sizes.file): \(Output.count(sizes.keys.count, "key")) of sizes"
    ]
    for list in sizes.lists {
      lines.append(
        "list \"\(list.list)\""
          + (list.estimatedError > 0
            ? ": may jump by \(Self.points(list.estimatedError)) while it is scrolled" : ""))
      var key: Int?
      for group in list.groups {
        if group.key != key { lines.append("  " + Self.line(sizes.keys[group.key])) }
        key = group.key
        lines.append("    " + Self.line(group))
        if stale { lines.append("      " + Self.staleLine(group)) }
      }
    }
    return lines + sizes.findings.filter { $0.code != .olderSchema }.flatMap(\.lines)
  }

  private static func line(_ key: StoreSizes.Key) -> String {
    let environment = key.environment
    let parts = [
      "\(key.axis), fitting \(key.fittingPixels) pixels at scale "
        + number(environment.displayScale),
      key.variant, environment.contentSizeCategory, environment.legibilityWeight,
      environment.layoutDirection, environment.locale, environment.system,
      "used \(Output.date(key.usedAt))", key.isNewest ? "" : "an earlier key",
    ]
    return parts.filter { !$0.isEmpty }.joined(separator: ", ")
  }

  private static func line(_ group: StoreSizes.Group) -> String {
    let lengths = [group.least, group.median, group.percentile95, group.greatest]
    return
      "\(group.kind.map { $0 + " " } ?? "")\(group.cell): \(Output.count(group.count, "size")), \(group.distinctCount) different, "
      + lengths.map(number).joined(separator: " / ") + "  \(bars(group.histogram))  sum "
      + points(group.sum)
  }

  private static func staleLine(_ group: StoreSizes.Group) -> String {
    let reasons = StoreSizes.Reason.allCases.compactMap { reason in
      group.staleCounts[reason].map { "\($0) \(words[reason] ?? reason.rawValue)" }
    }
    return "stale: " + reasons.joined(separator: ", ")
  }

  private static let words: [StoreSizes.Reason: String] = [
    .content: "of other content", .cell: "of items with another cell now",
    .layout: "of another layout", .key: "for an earlier key",
  ]

  /// The histogram as a line of bars.
  private static func bars(_ counts: [Int]) -> String {
    let most = max(1, counts.max() ?? 1)
    let bars = Array("▁▂▃▄▅▆▇█")
    return String(counts.map { $0 == 0 ? " " : bars[($0 * 7 + most - 1) / most] })
  }

  private static func points(_ value: Double) -> String { number(value) + " points" }

  private static func number(_ value: Double) -> String {
    guard value.magnitude < 1e12 else { return "\(value)" }
    let rounded = (value * 100).rounded() / 100
    return rounded == rounded.rounded() ? "\(Int(rounded))" : "\(rounded)"
  }
}
