import Foundation
import TestSupport
import Testing

/// An article that describes a format, taken apart: its code blocks and its tables by their
/// headings.
struct FormatArticle {
  /// A block of code.
  struct Block {
    /// The heading that it stands under.
    let heading: String
    let language: String
    var lines: [String] = []

    var text: String { lines.joined(separator: "\n") + "\n" }

    /// The lines with the indented ones after each, which say what it leads to.
    var outcomes: [(line: String, outcome: String)] {
      var outcomes: [(line: String, outcome: String)] = []
      for line in lines {
        if line.hasPrefix("  "), let last = outcomes.indices.last {
          outcomes[last].outcome += outcomes[last].outcome.isEmpty ? "" : " "
          outcomes[last].outcome += line.trimmingCharacters(in: .whitespaces)
        } else {
          outcomes.append((line, ""))
        }
      }
      return outcomes
    }
  }

  static let feed = "Sources/ListSync/ListSync.docc/FeedFormat.md"
  static let tree = "Sources/ListModel/ListModel.docc/TreeFormat.md"
  static let batch = "Sources/BatchUpdates/BatchUpdates.docc/BatchFormat.md"
  static let command = "Sources/ListInspection/ListInspection.docc/CommandOutput.md"

  let text: String
  private(set) var blocks: [Block] = []
  /// The tables' rows without their heads, by the heading that they stand under.
  private(set) var tables: [String: [[String]]] = [:]

  init(_ path: String) throws {
    text = try String(
      contentsOf: PackageFiles.root.appendingPathComponent(path), encoding: .utf8)
    var heading = ""
    var block: Block?
    for line in text.components(separatedBy: "\n") {
      if line.hasPrefix("```"), let done = block {
        blocks.append(done)
        block = nil
      } else if block != nil {
        block?.lines.append(line)
      } else if line.hasPrefix("```") {
        block = Block(heading: heading, language: String(line.dropFirst(3)))
      } else if line.hasPrefix("#") {
        heading = line.drop { $0 == "#" }.trimmingCharacters(in: .whitespaces)
      } else if line.hasPrefix("| ") {
        let cells = line.dropFirst().dropLast().split(
          separator: "|", omittingEmptySubsequences: false)
        tables[heading, default: []].append(cells.map { $0.trimmingCharacters(in: .whitespaces) })
      }
    }
    // The first row of a table is its head.
    tables = tables.mapValues { Array($0.dropFirst()) }
  }

  /// The blocks of a language under a heading.
  func blocks(_ heading: String, _ language: String) -> [Block] {
    blocks.filter { $0.heading == heading && $0.language == language }
  }

  /// The only block of a language under a heading.
  func block(
    _ heading: String, _ language: String, sourceLocation: SourceLocation = #_sourceLocation
  ) throws -> Block {
    let found = blocks(heading, language)
    try #require(found.count == 1, "\(heading)", sourceLocation: sourceLocation)
    return found[0]
  }

  /// The texts in a table's cell that are set as code.
  static func codes(in cell: String) -> [String] {
    cell.components(separatedBy: "`").enumerated().filter { $0.offset % 2 == 1 }.map(\.element)
  }

  /// The text between two lines of the article, for what two articles say alike.
  func text(from begin: String, upTo end: String?) throws -> String {
    let start = try #require(text.range(of: "\n\(begin)\n")).lowerBound
    guard let end else { return String(text[start...]) }
    let stop = try #require(text.range(of: "\n\(end)\n", range: start..<text.endIndex)).lowerBound
    return String(text[start..<stop])
  }
}
