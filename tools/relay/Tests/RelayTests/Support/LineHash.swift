import FeedServing

enum LineHash {
  /// The position that a client has after it took a line.
  static func position(of line: String, sequence: Int) throws -> String? {
    try ServedLine(parsing: Array(line.utf8))?.position.description
  }
}
