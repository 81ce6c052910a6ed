package import ListModel
package import ListTables

/// The last line of a feed that a list took.
package struct FeedHead: Hashable, Sendable {
  package let list: ListID
  /// The line's sequence number; 0 for a reset.
  package let sequence: Int
  /// The first 16 bytes of the line's SHA-256; `nil` if the store does not know them.
  package let digest: [UInt8]?
  let place: FeedPlace

  /// The position of a run whose first line follows this one.
  package var position: FeedPosition { FeedPosition(after: place) }
}

extension Repository {
  /// The last feed lines that lists took.
  ///
  /// - Parameters:
  ///   - list: The list; `nil` for all lists of the store that a feed may change.
  ///   - source: The feed.
  /// - Returns: A line for each list that took one, in the order of the lists' ids.
  /// - Throws: ``/ListModel/StoreError``.
  package func feedHeads(
    of list: ListID? = nil, for source: FeedSource
  ) throws(StoreError) -> [FeedHead] {
    let lists = if let list { [list] } else { try lists().filter(source.reads) }
    return try read("read the feed positions") { db in
      try lists.sorted().compactMap { list in
        guard let feed = try ListRows(db, list)?.feed, let head = try feed.lastLine(),
          head.sequence > 0 || head.epoch > 0, try source.mayChange(feed)
        else { return nil }
        return FeedHead(
          list: list, sequence: head.sequence,
          digest: try feed.record(head.epoch, head.sequence)?.digest, place: head)
      }
    }
  }
}
