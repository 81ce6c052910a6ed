import NIOConcurrencyHelpers
import RelayEngine

/// How many lists there are under the prefixes that tokens grant.
///
/// An engine is asked once a minute for each prefix under which lists are made, and in between the node
/// counts what it makes itself. At the limit the engine is asked again, since lists may have been
/// deleted. What other nodes make meanwhile, and requests at the same moment, may come on top.
final class ListCounts: Sendable {
  private let engine: any Engine
  private let counts = NIOLockedValueBox<[TextKey: Count]>([:])

  private struct Count {
    var number: Int
    let time: Int
  }

  private static let longest = 60_000
  private static let pageLength = 1_000
  private static let mostPrefixes = 10_000

  init(_ engine: any Engine) { self.engine = engine }

  /// Counts lists that are to be made under a prefix.
  ///
  /// - Returns: `false` if there would be more than `most`.
  func add(_ added: Int, under prefix: String, most: Int, at now: Int) async throws -> Bool {
    if let known = take(added, prefix, most, at: now) { return known }
    let number = try await count(prefix, upTo: most)
    counts.withLockedValue { counts in
      if counts.count >= Self.mostPrefixes { counts = [:] }
      counts[TextKey(prefix)] = Count(number: number, time: now)
    }
    return take(added, prefix, most, at: now) ?? false
  }

  /// Counts lists no more that were not made.
  func remove(_ count: Int, under prefix: String) {
    counts.withLockedValue { $0[TextKey(prefix)]?.number -= count }
  }

  /// Has the engine asked anew, since a list was deleted.
  func forget(_ prefix: String) { counts.withLockedValue { $0[TextKey(prefix)] = nil } }

  /// - Returns: `nil` if the engine must be asked.
  private func take(_ added: Int, _ prefix: String, _ most: Int, at now: Int) -> Bool? {
    counts.withLockedValue { counts in
      guard let count = counts[TextKey(prefix)] else { return nil }
      let age = now - count.time
      if count.number + added > most { return age < 1_000 ? false : nil }
      guard age < Self.longest else { return nil }
      counts[TextKey(prefix)]?.number += added
      return true
    }
  }

  private func count(_ prefix: String, upTo most: Int) async throws -> Int {
    var number = 0
    // Ids that begin with the prefix are longer, and follow it in the order of bytes.
    var last = prefix
    while number < most {
      let page = try await engine.lists(after: last, limit: Self.pageLength)
      let under = page.prefix { $0.list.utf8.starts(with: prefix.utf8) }
      number += under.count
      guard under.count == Self.pageLength, let end = under.last else { break }
      last = end.list
    }
    return number
  }
}
