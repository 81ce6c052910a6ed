import Foundation

/// A mention of a file, a folder or an article in a comment or a text of the repository.
struct Citation: Equatable, CustomStringConvertible {
  /// What a mention names.
  enum Kind: Equatable {
    /// The name of a file, whatever its folder: `LiveLists.md`.
    case name
    /// A path from the repository's root or from a folder around the citing file, outside of a link.
    case path
    /// A Markdown link to a file, with the anchor in it: `../README.md#see-it`.
    case link
    /// An article of the citing file's module, as DocC links it.
    case article
  }

  let kind: Kind
  let target: String
  /// The line that it stands in, from 1.
  let line: Int

  var description: String { "line \(line): \(target)" }
}

extension Citation {
  /// The citations in a file's text.
  ///
  /// - Parameters:
  ///   - text: All of the file.
  ///   - path: The file's path: its ending says where prose stands in it.
  /// - Returns: Line by line.
  static func all(in text: String, of path: String) -> [Citation] {
    let patterns = compiledPatterns
    return prose(in: text, of: path).flatMap { line, words in
      patterns.flatMap { kind, pattern in
        find(pattern, in: words).compactMap { target in
          switch kind {
          case .path: return Citation(kind: kind, target: trimmed(target), line: line)
          // CONTRIBUTING calls any type so.
          case .name where target.hasPrefix("Type.") || target.hasPrefix("Type+"): return nil
          // Addresses lead out of the repository.
          case .link where !isMarkdown(path) || target.contains(":"): return nil
          case .name, .link, .article: return Citation(kind: kind, target: target, line: line)
          }
        }
      }
    }
  }

  /// The headings of a Markdown text as GitHub names their anchors.
  static func anchors(in text: String) -> Set<String> {
    let headings = prose(in: text, of: "text.md").map(\.words).filter { $0.hasPrefix("#") }
    return Set(
      headings.map { heading in
        let title = heading.drop { $0 == "#" }.trimmingCharacters(in: .whitespaces).lowercased()
        return title.filter { $0.isLetter || $0.isNumber || " -_".contains($0) }
          .replacingOccurrences(of: " ", with: "-")
      })
  }

  /// The lines of a Markdown text outside its code blocks, or the comments of a source file.
  private static func prose(in text: String, of path: String) -> [(line: Int, words: String)] {
    let lines = text.components(separatedBy: "\n").enumerated().map { ($0 + 1, $1) }
    if isMarkdown(path) {
      var isCode = false
      return lines.filter { _, line in
        let isFence = line.drop { $0 == " " }.hasPrefix("```")
        if isFence { isCode.toggle() }
        return !isCode && !isFence
      }
    }
    let mark =
      switch (path as NSString).pathExtension {
      case "swift", "c", "h": "//"
      case "sql": "--"
      default: "#"
      }
    return lines.compactMap { line, words in
      guard let start = words.range(of: mark) else { return nil }
      // The slashes of an address begin no comment.
      if mark == "//", words[..<start.lowerBound].hasSuffix(":") { return nil }
      return (line, String(words[start.lowerBound...]))
    }
  }

  private static func isMarkdown(_ path: String) -> Bool { path.hasSuffix(".md") }

  private static func trimmed(_ path: String) -> String {
    var path = path
    while let last = path.last, "./-".contains(last) { path.removeLast() }
    return path
  }

  private static var compiledPatterns: [(Kind, NSRegularExpression)] {
    let path =
      #"(?<![\w./-])(?<!\]\()((?:\.\./)*(?:Sources|Tests|tools|migrations|docs|shared|research|data"#
      + #"|\.ci)/[\w./+-]*\w)"#
    let patterns: [(Kind, String)] = [
      (.path, path), (.name, #"(?<![\w./+*-])(\w[\w+-]*\.(?:md|swift))\b(?![(/])"#),
      (.link, #"\]\(([^)\s]+)\)"#), (.article, #"<doc:([^>]+)>"#),
    ]
    return patterns.compactMap { kind, pattern in
      (try? NSRegularExpression(pattern: pattern)).map { (kind, $0) }
    }
  }

  private static func find(_ pattern: NSRegularExpression, in words: String) -> [String] {
    pattern.matches(in: words, range: NSRange(words.startIndex..., in: words)).compactMap { match in
      Range(match.range(at: 1), in: words).map { String(words[$0]) }
    }
  }
}
