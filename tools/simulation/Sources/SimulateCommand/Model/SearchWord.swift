/// What is looked for in a search field, and the words in titles that it finds: known beforehand, so
/// that nothing of a search has to be made again.
enum SearchWord: String, CaseIterable {
  case plum, pear, bre

  /// Words of titles, some of which JSON, SQL and Unicode have their difficulties with.
  private static let words = [
    "plum", "Pl\u{FC}m", "plums", "pear", "\"pear\"", "a \\ pear's", "\u{1F350} bread",
    "line\nbreak", "no",
  ]

  /// A title with one of the words.
  static func title(_ number: Int, _ name: String) -> String {
    "\(words[number % words.count]) t\(name)"
  }

  /// Whether a title has a word that begins so, with or without its accents and capitals.
  func isFound(in title: String) -> Bool {
    switch self {
    case .plum: ["plum", "Pl\u{FC}m", "plums"].contains { title.hasPrefix($0) }
    case .pear: title.contains("pear")
    case .bre: title.contains("bre")
    }
  }
}
