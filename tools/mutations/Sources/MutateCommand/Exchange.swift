/// What is exchanged for what.
enum Exchange {
  static let equalities: Set = ["==", "!=", "===", "!=="]
  /// Functions that end the process; their texts are read by nobody.
  static let ends: Set = ["precondition", "assert", "preconditionFailure", "fatalError"]

  static let operators = [
    "<": "<=", "<=": "<", ">": ">=", ">=": ">", "==": "!=", "!=": "==", "===": "!==", "!==": "===",
    "+": "-", "-": "+", "*": "/", "/": "*", "&+": "&-", "&-": "&+", "+=": "-=", "-=": "+=",
    "&&": "||", "||": "&&",
  ]

  static let names = both([
    "min": "max", "first": "last", "firstIndex": "lastIndex", "prefix": "suffix",
    "dropFirst": "dropLast", "removeFirst": "removeLast", "lowerBound": "upperBound",
    "startIndex": "endIndex", "union": "intersection", "formUnion": "formIntersection",
    "isSubset": "isSuperset",
  ])

  private static func both(_ pairs: [String: String]) -> [String: String] {
    pairs.merging(pairs.map { ($1, $0) }) { one, _ in one }
  }
}
