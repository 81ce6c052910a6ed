/// Suggestions for a misspelled name.
package enum NearestNames {
  /// A hint in parentheses for an error message about an unknown name.
  ///
  /// - Parameters:
  ///   - name: The unknown name.
  ///   - candidates: Known names.
  ///   - place: The thing that has the names, such as "the list".
  /// - Returns: `(near it: "emma")`, `(there are "a", "b", …)` or `(the list has none)`.
  package static func hint(
    for name: String, among candidates: [String], in place: String
  ) -> String {
    let near = nearest(to: name, among: candidates)
    if !near.isEmpty { return "(near it: \(quoted(near)))" }
    guard let first = candidates.first else { return "(\(place) has none)" }
    if candidates.count == 1 { return "(there is \(quoted([first])))" }
    let rest = candidates.count > 5 ? ", …" : ""
    return "(there are \(quoted(Array(candidates.prefix(5))))\(rest))"
  }

  private static func quoted(_ names: [String]) -> String {
    names.map(ShownText.quoted).joined(separator: ", ")
  }

  /// Up to three candidates that are similar to a name, the most similar first.
  ///
  /// A candidate is similar if few edits make it equal to the name: at most a third of its letters,
  /// regardless of case. It is also similar if both begin with the same half.
  ///
  /// - Complexity: O(*c* · *l*), *c* candidates of *l* letters.
  package static func nearest(to name: String, among candidates: [String]) -> [String] {
    let wanted = letters(name)
    var ranked: [(rank: Int, name: String)] = []
    for candidate in candidates where !candidate.hasSameBytes(as: name) {
      let found = letters(candidate)
      let limit = min(4, max(wanted.count, found.count) / 3)
      if let distance = distance(wanted, found, atMost: limit) {
        ranked.append((distance, candidate))
      } else {
        let shared = zip(wanted, found).prefix { $0 == $1 }.count
        guard shared >= 3, shared * 2 >= wanted.count else { continue }
        ranked.append((1_000 - shared, candidate))
      }
    }
    // Ties are sorted by bytes, so that the answer is always the same.
    ranked.sort { ($0.rank, $0.name) < ($1.rank, $1.name) }
    return ranked.prefix(3).map(\.name)
  }

  /// Names that one typing error makes of a name.
  ///
  /// Look them up where there are too many known names to compare with all.
  ///
  /// - Returns: The name with a letter less, a letter twice, two letters exchanged, a hyphen or an
  ///   underscore more, and in upper and lower case; at most 322.
  package static func slips(of name: String) -> [String] {
    let letters = Array(name.unicodeScalars)
    guard letters.count <= 64 else { return [] }
    var slips = [name.lowercased(), name.uppercased()].map { Array($0.unicodeScalars) }
    for index in letters.indices {
      var changed = letters
      changed.remove(at: index)
      slips.append(changed)
      changed = letters
      changed.insert(letters[index], at: index)
      slips.append(changed)
      for joint in ["-", "_"] as [Unicode.Scalar] {
        changed = letters
        changed.insert(joint, at: index)
        slips.append(changed)
      }
      if index > 0, letters[index] != letters[index - 1] {
        changed = letters
        changed.swapAt(index, index - 1)
        slips.append(changed)
      }
    }
    return slips.map { String(String.UnicodeScalarView($0)) }
  }

  private static func letters(_ name: String) -> [Unicode.Scalar] {
    Array(name.lowercased().unicodeScalars.prefix(256))
  }

  /// How many letters to insert, delete, replace or exchange with their neighbour.
  ///
  /// - Returns: `nil` if it is more than `limit`.
  private static func distance(
    _ lhs: [Unicode.Scalar], _ rhs: [Unicode.Scalar], atMost limit: Int
  ) -> Int? {
    guard abs(lhs.count - rhs.count) <= limit else { return nil }
    var before: [Int] = []
    var last = Array(0...rhs.count)
    for row in 0..<lhs.count {
      var next = [row + 1]
      next.reserveCapacity(rhs.count + 1)
      for column in 0..<rhs.count {
        var cost = min(
          last[column + 1] + 1, next[column] + 1, last[column] + (lhs[row] == rhs[column] ? 0 : 1))
        if row > 0, column > 0, lhs[row] == rhs[column - 1], lhs[row - 1] == rhs[column] {
          cost = min(cost, before[column - 1] + 1)
        }
        next.append(cost)
      }
      guard let least = next.min(), least <= limit else { return nil }
      (before, last) = (last, next)
    }
    return last[rhs.count] <= limit ? last[rhs.count] : nil
  }
}
