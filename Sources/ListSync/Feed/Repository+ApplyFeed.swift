import ListModel
public import ListStore

extension Repository {
  /// Applies a feed: each line is one transaction and one revision of its list.
  ///
  /// Lines that were applied before are skipped, so a feed can be applied again, also after an error
  /// or a kill. The first line that does not fit ends the replay; all before it stay applied.
  ///
  /// - Parameters:
  ///   - reader: The feed.
  ///   - updates: Takes batch updates, if they are wanted.
  ///   - report: Counts along, so that what was done is known also where this throws.
  ///   - progress: Called after each line.
  /// - Throws: ``/ListModel/StoreError`` with the feed's name and line, or what `updates` throws.
  public func apply(
    _ reader: inout FeedReader, updates: FeedUpdates? = nil, report: inout FeedReport,
    progress: (FeedReport) -> Void = { _ in }
  ) throws {
    var session = FeedSession(repository: self, updates: updates, report: report)
    defer { report = session.report }
    do {
      while let (message, line, mark) = try reader.next() {
        session.report.lines += 1
        do throws(StoreError) {
          try session.apply(message, mark: mark)
        } catch {
          throw error.placed(in: reader.name, line: line)
        }
        try session.handOutUpdates()
        progress(session.report)
      }
      try session.finish()
    } catch {
      // What was stored is told, whatever came after it.
      try session.handOutUpdates(all: true)
      throw error
    }
    try session.handOutUpdates(all: true)
  }
}
