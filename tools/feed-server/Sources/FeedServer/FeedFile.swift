import Crypto
import Foundation

/// A feed in a file, which another program appends lines to.
struct FeedFile {
  struct Line: Decodable {
    let t: String
    let list: String?
    let seq: String?
    /// The id of the edit that the line answers.
    let edit: String?
    /// The line itself, and its position in a query: `seq`, and the beginning of its hash.
    var text = ""
    var position = ""

    private enum CodingKeys: String, CodingKey { case t, list, seq, edit }

    /// `text`: As JSON without white space between its parts, or the hash is another one.
    init(_ text: Substring) throws {
      self = try JSONDecoder().decode(Line.self, from: Data(text.utf8))
      let hash = SHA256.hash(data: Data(text.utf8)).prefix(16)
      self.text = String(text)
      position = "\(seq ?? "0"):" + hash.map { String(format: "%02x", $0) }.joined()
    }
  }

  let lines: [Line]
  /// The bytes of the whole lines.
  let byteCount: Int

  /// Reads the whole lines of a file.
  init(_ file: URL) throws {
    let data = try Data(contentsOf: file)
    // The last one may still be being written.
    byteCount = data.lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? 0
    lines = try String(decoding: data.prefix(byteCount), as: UTF8.self).split(separator: "\n")
      .map(Line.init).filter { $0.list != nil }
  }

  /// The lines that answer a question.
  ///
  /// A list whose position is not in the file begins anew, with a reset.
  func answer(to query: FeedQuery) throws -> [Line] {
    var starts: [String: Int] = [:]
    var answer: [Line] = []
    for (list, position) in query.positions {
      // Resets are all alike: the last one is as good as the one that is meant.
      let known =
        position.hasPrefix("0:")
        ? lines.lastIndex { $0.list == list && $0.position == position }
        : lines.firstIndex { $0.list == list && $0.position == position }
      starts[list] = known.map { $0 + 1 }
      guard known == nil || query.wantsSnapshot else { continue }
      let start = lines.lastIndex { $0.list == list && $0.t != "commit" } ?? 0
      starts[list] = start
      if lines.dropFirst(start).first?.t != "reset" { answer.append(try reset(list)) }
    }
    for (index, line) in lines.enumerated() {
      guard query.list == nil || query.list == line.list,
        index >= starts[line.list ?? ""] ?? 0
      else { continue }
      if let end = query.end, line.t == "reset" || Int(line.seq ?? "") ?? 0 > end { break }
      answer.append(line)
    }
    return answer
  }

  private func reset(_ list: String) throws -> Line {
    let name = String(decoding: try JSONEncoder().encode(list), as: UTF8.self)
    return try Line("{\"t\":\"reset\",\"list\":\(name)}")
  }
}

/// What a client asks for: the query of its request.
struct FeedQuery {
  var list: String?
  var positions: [(list: String, position: String)] = []
  var end: Int?
  var wantsSnapshot = false
  var wait = 0

  init(_ items: some Sequence<(key: Substring, value: Substring)>) {
    for item in items {
      let value = item.value.removingPercentEncoding ?? ""
      switch item.key {
      case "list": list = value
      case "after":
        let parts = value.split(separator: ":", maxSplits: 2).map(String.init)
        let list = parts.count > 2 ? parts[2] : self.list ?? ""
        positions.append((list, parts.prefix(2).joined(separator: ":")))
      case "to": end = Int(value)
      case "snapshot": wantsSnapshot = value == "1"
      case "wait": wait = min(Int(value) ?? 0, 60)
      default: break
      }
    }
  }

  /// Asks for the lines after those that were sent.
  mutating func move(behind lines: [FeedFile.Line]) {
    wantsSnapshot = false
    for line in lines {
      let list = line.list ?? ""
      positions.removeAll { $0.list == list }
      positions.append((list, line.position))
    }
  }
}
