public import ArgumentParser
import Foundation
public import ListInspection
import ListModel

// Facts as lines for people.

extension Inspection.ContentDetail: ExpressibleByArgument {}

/// How much of contents a command prints.
struct ContentOption: ParsableArguments {
  @Option(
    help: "What is shown of contents and actions: length and hash, the text itself, or nothing.")
  var content = Inspection.ContentDetail.hash
}

extension Inspect {
  /// The id of a list, also as it is printed: that of a nested list begins with a control
  /// character.
  static func listID(_ text: String) throws -> ListID {
    let shown = ShownText.line("\u{1F}")
    let isNested = text.hasPrefix(shown + "nested ")
    return try ListID(isNested ? "\u{1F}" + text.dropFirst(shown.count) : text)
  }
}

extension Inspection.ContentFacts {
  /// "16 bytes 3f2a9c10", or the text.
  var shown: String { text ?? "\(Output.count(byteCount, "byte")) \(hash)" }
}

extension Inspection.GapFacts {
  /// "gap: 950 items not loaded, from position 50, after c50".
  var shown: String { "gap: " + words }

  /// The same without the first word.
  var words: String {
    [
      (count.map { Output.count($0, "item") } ?? "items") + " not loaded",
      offset.map { "from position \($0)" }, after.map { "cursor after \($0.shown)" },
      before.map { "cursor before \($0.shown)" },
    ].compactMap(\.self).joined(separator: ", ")
  }
}

extension Inspection.StateFacts {
  var shown: String {
    if let gap { return gap.shown }
    return [
      cell, type.map { "type \($0)" },
      contentRevision == 0 ? nil : "content revision \(contentRevision)",
      content.map { "content \($0.shown)" }, action.map { "action \($0.shown)" },
    ].compactMap(\.self).joined(separator: ", ")
  }

  /// What differs in another state: "BookCell → CardCell, content 5 bytes … → 7 bytes …".
  func shown(changedTo other: Self) -> String {
    func change(_ what: String, _ before: String?, _ after: String?) -> String? {
      before == after ? nil : "\(what) \(before ?? "none") → \(after ?? "none")"
    }
    if let gap, let after = other.gap { return "\(gap.shown) → \(after.words)" }
    return [
      change("cell", cell, other.cell), change("type", type, other.type),
      change("content", content?.shown, other.content?.shown),
      change("action", action?.shown, other.action?.shown),
    ].compactMap(\.self).joined(separator: ", ")
  }
}

extension Inspection.Timeline.Place {
  /// `[0, 2] in "new"`, or the index of a section.
  var shown: String {
    guard path.count > 1 else { return path.map(String.init).joined() }
    return "\(path)" + (section.map { " in \"\($0)\"" } ?? "")
  }
}

extension Inspection.LayoutFacts {
  var shown: String {
    [
      kind ?? "default", columns.map { Output.count($0, "column") },
      lineSpacing.map { "line spacing \($0)" }, interitemSpacing.map { "item spacing \($0)" },
      insets.map { "insets \($0)" },
    ].compactMap(\.self).joined(separator: ", ")
  }
}

extension Inspection.SizeFacts {
  /// The size with what it holds for, and why it holds or not.
  var lines: [String] {
    let across = axis == "vertical" ? "width" : "height"
    let settings =
      [
        "text size \(environment.contentSizeCategory)", "weight \(environment.legibilityWeight)",
        environment.layoutDirection, "locale \(environment.locale)",
        environment.system.isEmpty ? nil : environment.system,
        variant.map { "variant \"\($0)\"" },
      ].compactMap(\.self).joined(separator: ", ")
    let measured =
      [
        cell, contentRevision.map { "content revision \($0)" },
        "measurer version \(measurerVersion)",
      ].compactMap(\.self).joined(separator: ", ")
    return [
      "size \(width) × \(height) points: "
        + (isExact ? "exact" : "an estimate, " + reasons.map(\.shown).joined(separator: ", ")),
      "  for a \(across) of \(fittingPixels) pixels at \(environment.displayScale) pixels a point, "
        + settings,
      "  measured with \(measured); last used " + Output.time(usedAt),
    ]
  }
}

extension Inspection.SizeFacts.Reason {
  var shown: String {
    let reason: SizeAnswer.EstimateReason =
      switch self {
      case .cell: .otherCell
      case .content: .otherContent
      case .layout: .otherLayout
      case .measurer: .otherMeasurer
      }
    return reason.description
  }
}

extension Inspection.DerivedFacts {
  /// That it may lack items, and why; `nil` if it is whole.
  var incompleteness: String? { Derive.incompleteness(gapCount: gapCount) }
}
