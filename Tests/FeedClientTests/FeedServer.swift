import Foundation
import StoreFiles

/// A server of feeds as the article says that one must be, without a network.
struct FeedServer {
  struct Line {
    var list: String
    /// 0 for a reset.
    var sequence: Int
    var text: String

    var position: String {
      let hash = Digest.sha256(Array(text.utf8)).prefix(16).map { byte in
        (byte < 16 ? "0" : "") + String(byte, radix: 16)
      }
      return "\(sequence):\(hash.joined())"
    }
  }

  /// What it has.
  var lines: [Line] = []
  /// The list as one line, for a client that asks for it; `nil` if it can't.
  var snapshot: ((_ list: String) -> Line)?

  struct Query {
    var list: String?
    /// By the list, or `""` for the one list of the query.
    var positions: [(list: String, position: String)] = []
    var end: Int?
    var wantsSnapshot = false
    var wait: Int?

    init(_ url: URL) {
      for item in URLComponents(url: url, resolvingAgainstBaseURL: true)?.queryItems ?? [] {
        let value = item.value ?? ""
        switch item.name {
        case "list": list = value
        case "after":
          let parts = value.split(separator: ":", maxSplits: 2).map(String.init)
          positions.append(
            (parts.count > 2 ? parts[2] : "", parts.prefix(2).joined(separator: ":")))
        case "to": end = Int(value)
        case "snapshot": wantsSnapshot = value == "1"
        case "wait": wait = Int(value)
        default: break
        }
      }
    }

    /// What the server says about the beginning of its answer.
    var feedAfter: String { positions.map(\.position).joined(separator: ", ") }
  }

  /// The lines that answer a question.
  func answer(to query: Query) -> [Line] {
    if query.wantsSnapshot, let list = query.list, let snapshot { return [snapshot(list)] }
    var starts: [String: Int] = [:]
    for (list, position) in query.positions {
      let list = query.list ?? list
      let isSame = { (line: Line) in line.list == list && line.position == position }
      starts[list] =
        position.hasPrefix("0:") ? lines.lastIndex(where: isSame) : lines.firstIndex(where: isSame)
    }
    let later = lines.indices.filter { index in
      let line = lines[index]
      return (query.list ?? line.list) == line.list && index > starts[line.list] ?? -1
    }.map { lines[$0] }
    guard let end = query.end else { return later }
    return Array(later.prefix { (1...end).contains($0.sequence) })
  }
}

extension FeedServer.Line {
  static func commit(_ sequence: Int, _ operations: String..., list: String = "l") -> Self {
    Self(
      list: list, sequence: sequence,
      text: "{\"t\":\"commit\",\"list\":\"\(list)\",\"seq\":\"\(sequence)\",\"at\":\(sequence),"
        + "\"ops\":[\(operations.joined(separator: ","))]}")
  }

  static func reset(_ number: Int = 1, list: String = "l") -> Self {
    Self(
      list: list, sequence: 0,
      text: "{\"t\":\"reset\",\"list\":\"\(list)\",\"why\":\(number)}")
  }

  static func snapshot(
    _ sequence: Int, _ items: [String], time: Int = 1, list: String = "l"
  ) -> Self {
    let items = items.map { "{\"id\":\"\($0)\",\"cell\":\"C\",\"content\":1}" }
    return Self(
      list: list, sequence: sequence,
      text: "{\"t\":\"snapshot\",\"list\":\"\(list)\",\"seq\":\"\(sequence)\","
        + "\"at\":\(time),\"sections\":"
        + "[{\"id\":\"s\",\"items\":[\(items.joined(separator: ","))]}]}")
  }
}

func section(_ id: String = "s") -> String { "{\"op\":\"insertSection\",\"section\":\"\(id)\"}" }

func item(_ id: String, at index: Int? = nil) -> String {
  "{\"op\":\"insertItem\",\"item\":\"\(id)\",\"section\":\"s\",\"cell\":\"C\",\"content\":1"
    + (index.map { ",\"index\":\($0)" } ?? "") + "}"
}
