/// The places that errors of a build are about.
struct BuildErrors {
  private var lines: [(file: String, line: Int)] = []

  init(_ log: String) {
    for text in log.split(separator: "\n") {
      guard let match = text.firstMatch(of: #/Sources/([^:]*):(\d+):\d+: error: /#),
        let line = Int(match.2)
      else { continue }
      lines.append((String(match.1), line))
    }
  }

  /// The mutations of those lines; where a line has none, the nearest of its file.
  func mutations(of chosen: [Mutation]) -> [Mutation] {
    var found: [String: Mutation] = [:]
    for (file, line) in lines {
      let near = chosen.filter { $0.file == file }
      guard let distance = near.map({ abs($0.line - line) }).min() else { continue }
      for mutation in near where abs(mutation.line - line) == distance {
        found[mutation.id] = mutation
      }
    }
    return Array(found.values)
  }
}
