import FeedServing
import Foundation
import ListModel

/// What a client asks of a feed: the query of its request, read without any leniency.
///
/// Whatever stands between client and relay must not understand a request differently: each parameter
/// that counts is there once, and the path is exactly the feed's.
struct FeedQuestion: Sendable {
  /// The one list that is asked for.
  var list: ListID?
  /// The lists of a feed that is about several: `of`, which a feed's address may have.
  var lists: [ListID] = []
  /// The positions in the query, in their order, with their lists' ids if they have them.
  var positions: [(list: ListID?, position: AskedPosition, text: String)] = []
  /// The last line of a range.
  var end: Int?
  var wantsSnapshot = false
  /// How many seconds an answer may wait.
  var wait = 0

  private static let names: Set<String> = ["list", "of", "after", "to", "snapshot", "wait"]
  private static let mostWait = 60
  private static let mostLists = 1_000

  /// Reads a query.
  ///
  /// - Throws: ``RelayFailure`` with ``RelayFailure/Kind/wrongRequest``.
  init(query: Substring) throws {
    var seen: Set<String> = []
    for part in query.split(separator: "&", omittingEmptySubsequences: true) {
      let pair = part.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      let name = try Self.decoded(pair[0])
      let value = pair.count > 1 ? try Self.decoded(pair[1]) : ""
      // A proxy may take them for the same.
      if name != name.lowercased(), Self.names.contains(name.lowercased()) {
        throw RelayFailure(.wrongRequest, "parameters are written in lower case")
      }
      if ["list", "to", "snapshot", "wait"].contains(name), !seen.insert(name).inserted {
        throw RelayFailure(.wrongRequest, "the parameter \(name) is there twice")
      }
      switch name {
      case "list": list = try Self.id(value)
      case "of":
        let id = try Self.id(value)
        guard !lists.contains(id) else {
          throw RelayFailure(.wrongRequest, "the parameter of names a list twice")
        }
        lists.append(id)
      case "after": positions.append(try Self.position(value))
      case "to":
        guard let number = Int(value), number > 0 else {
          throw RelayFailure(.wrongRequest, "to is a number from 1")
        }
        end = number
      case "snapshot": wantsSnapshot = value == "1"
      case "wait":
        guard let seconds = Int(value), seconds >= 0 else {
          throw RelayFailure(.wrongRequest, "wait is a number of seconds")
        }
        wait = min(seconds, Self.mostWait)
      default: break
      }
      guard positions.count <= Self.mostLists, lists.count <= Self.mostLists else {
        throw RelayFailure(.wrongRequest, "at most \(Self.mostLists) lists at once")
      }
    }
    if list != nil {
      guard positions.count <= 1, positions.first?.list == nil, lists.isEmpty else {
        throw RelayFailure(.wrongRequest, "of one list there is one position, without an id")
      }
    } else {
      guard end == nil else {
        throw RelayFailure(.wrongRequest, "a range, with to, is of one list: list=")
      }
      let named = positions.compactMap(\.list)
      guard named.count == positions.count, Set(named).count == named.count else {
        throw RelayFailure(.wrongRequest, "each position of several lists names another one")
      }
    }
  }

  /// Whether it says of which lists it is: otherwise that depends on the token.
  var namesLists: Bool { list != nil || !lists.isEmpty }

  /// The value of the header field `Feed-After`.
  var echo: String { positions.map(\.text).joined(separator: ", ") }

  /// Where a client says that a list is.
  func position(of list: ListID) -> AskedPosition {
    let found = self.list == nil ? positions.first { $0.list == list } : positions.first
    return found?.position ?? .beginning
  }

  // MARK: Values

  private static func id(_ text: String) throws -> ListID {
    do { return try ListID(text) } catch {
      throw RelayFailure(.wrongRequest, "\(error)")
    }
  }

  private static func position(
    _ text: String
  ) throws -> (list: ListID?, position: AskedPosition, text: String) {
    let parts = text.split(separator: ":", maxSplits: 2, omittingEmptySubsequences: false)
    guard let number = Int(parts[0]), number >= 0, String(number) == parts[0] else {
      throw RelayFailure(.wrongRequest, "a position is seq:hash")
    }
    // Without a hash, as of a store that forgot it, the list may follow a colon.
    let hasHash = parts.count > 1 && parts[1].utf8.count == 2 * LinePosition.hashByteCount
    let shown = parts.prefix(hasHash ? 2 : 1).joined(separator: ":")
    let rest = parts.dropFirst(hasHash ? 2 : 1).joined(separator: ":")
    let list = rest.isEmpty ? nil : try id(rest)
    let position: AskedPosition =
      number == 0 ? .reset : LinePosition(shown).map(AskedPosition.line) ?? .unknown
    return (list, position, shown)
  }

  /// Takes percent escapes out.
  static func decoded(_ text: Substring) throws -> String {
    guard let decoded = text.removingPercentEncoding else {
      throw RelayFailure(.wrongRequest, "the query is no percent-encoded UTF-8")
    }
    return decoded
  }
}
