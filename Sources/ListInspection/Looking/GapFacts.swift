import ListModel

extension Inspection {
  /// What a gap says: items that the list has not loaded.
  ///
  /// Its JSON is an output format: names and meanings stay.
  public struct GapFacts: Codable, Hashable, Sendable {
    /// How many items are missing; absent if nobody knows.
    public var count: Int?
    /// The position of the first missing one in the server's list; absent if it is not known.
    public var offset: Int?
    /// The cursor for the page at its upper edge; absent if there is none, or contents are not told.
    public var after: ContentFacts?
    /// The cursor for the page at its lower edge; absent likewise.
    public var before: ContentFacts?

    /// What the content of an item says; of a damaged one nothing is known.
    ///
    /// - Returns: `nil` for an item that is no gap.
    init?(cell: String, content: String, _ detail: ContentDetail) {
      guard cell == Gap.cell.rawValue else { return nil }
      let gap = (try? JSON(parsing: content)).flatMap { try? Gap($0) } ?? Gap()
      (count, offset) = (gap.count, gap.offset)
      after = gap.after.flatMap { ContentFacts($0, detail) }
      before = gap.before.flatMap { ContentFacts($0, detail) }
    }
  }
}
