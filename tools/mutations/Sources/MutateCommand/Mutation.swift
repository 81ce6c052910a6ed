/// One change at one place of a source file.
///
/// The text around the place is inserted, not replaced, so places may lie in one another: at most
/// one mutant is switched on.
struct Mutation {
  /// A path below `Sources`.
  var file: String
  var line: Int
  var column: Int
  /// UTF-8 offsets of the text that is changed.
  var range: Range<Int>
  /// The texts before and after it; `§` is the number of the mutant.
  var before: String
  var after: String
  /// The change, for people: one line.
  var change: String

  var module: Substring { file.prefix { $0 != "/" } }

  /// The same as long as the file and what is found in it stay the same.
  var id: String { "\(file):\(line):\(column)\t\(change)" }
}

extension Mutation {
  /// The text of a file with its mutations, each with its number.
  static func text(
    _ source: [UInt8], with mutations: [(number: Int, mutation: Mutation)]
  ) -> [UInt8] {
    // Of places that begin together, the longer is around the other one.
    let outermostFirst = mutations.sorted {
      let (one, other) = ($0.mutation.range, $1.mutation.range)
      return one.lowerBound == other.lowerBound
        ? one.upperBound > other.upperBound : one.lowerBound < other.lowerBound
    }
    var insertions: [Int: (closing: String, opening: String)] = [:]
    for (number, mutation) in outermostFirst {
      let (start, end) = (mutation.range.lowerBound, mutation.range.upperBound)
      insertions[start, default: ("", "")].opening += mutation.before.with(number)
      insertions[end, default: ("", "")].closing =
        mutation.after.with(number) + insertions[end, default: ("", "")].closing
    }
    var text: [UInt8] = []
    var written = 0
    for (offset, insertion) in insertions.sorted(by: { $0.key < $1.key }) {
      text += source[written..<offset]
      text += insertion.closing.utf8
      text += insertion.opening.utf8
      written = offset
    }
    return text + source[written...]
  }
}

extension String {
  fileprivate func with(_ number: Int) -> String {
    split(separator: "§", omittingEmptySubsequences: false).joined(separator: "\(number)")
  }
}
