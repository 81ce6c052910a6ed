import Foundation
import ListModel
import ListStore
import ListSync

/// What a client asks a server for: the lines after those that the store has.
struct FeedQuestion {
  /// The one list of interest, by the feed's name.
  var list: ListID?
  /// The last lines that the lists took.
  var heads: [FeedHead]
  /// The last line of a range; `nil` for all lines.
  var end: Int?
  /// Whether the lists themselves are wanted rather than the lines since.
  var wantsSnapshot = false
  /// How long the server may wait for a new line.
  var wait: Duration?

  /// About how many bytes of positions a query holds; the server sends the lines of further lists
  /// from their beginning.
  private static let mostPositionBytes = 6_000

  /// The address, and the heads whose positions are in it.
  func address(_ base: URL) -> (url: URL, heads: [FeedHead]) {
    var parts: [String] = []
    var asked: [FeedHead] = []
    var count = 0
    if let list { parts.append("list=" + Self.escaped(list.rawValue)) }
    for head in heads {
      let suffix = list == nil ? ":" + Self.escaped(head.list.rawValue) : ""
      let part = "after=" + head.positionText + suffix
      count += part.utf8.count
      if count > Self.mostPositionBytes, !asked.isEmpty { break }
      parts.append(part)
      asked.append(head)
    }
    if let end { parts.append("to=\(end)") }
    if wantsSnapshot { parts.append("snapshot=1") }
    if let wait { parts.append("wait=\(Int(wait.seconds.rounded(.up)))") }
    guard var address = URLComponents(url: base, resolvingAgainstBaseURL: true) else {
      return (base, [])
    }
    let own = address.percentEncodedQuery.map { [$0] } ?? []
    let query = (own + parts).joined(separator: "&")
    address.percentEncodedQuery = query.isEmpty ? nil : query
    return (address.url ?? base, asked)
  }

  private static let plain = CharacterSet(
    charactersIn: "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~")

  private static func escaped(_ text: String) -> String {
    text.addingPercentEncoding(withAllowedCharacters: plain) ?? ""
  }
}

extension FeedHead {
  /// The position in a query and in the header field `Feed-After`: the number of the line, and the
  /// beginning of its hash if it is known.
  var positionText: String {
    guard let digest else { return "\(sequence)" }
    let hash = digest.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    return "\(sequence):\(hash)"
  }
}
