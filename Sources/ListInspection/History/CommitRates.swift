/// Counts the commits and changes of each author.
struct CommitRates {
  private var counts: [String: (commits: Int, changes: Int)] = [:]
  private var earliest: Int?
  private var latest: Int?
  private var timedCount = 0

  mutating func count(_ author: String, changes: Int, time: Int?) {
    counts[author, default: (0, 0)].commits += 1
    counts[author, default: (0, 0)].changes += changes
    guard let time else { return }
    timedCount += 1
    earliest = min(earliest ?? time, time)
    latest = max(latest ?? time, time)
  }

  /// The rates by author, over the time from the first to the last commit of any.
  ///
  /// A shorter time counts as one hour, and as one day.
  var rates: [Inspection.Timeline.Rate] {
    var hours: Double?
    if timedCount > 1, let earliest, let latest {
      hours = (Double(latest) - Double(earliest)) / 3_600_000
    }
    return counts.sorted { ($1.value.commits, $0.key) < ($0.value.commits, $1.key) }
      .map { author, count in
        func rate(_ number: Int, in unit: Double) -> Double? {
          hours.map { Double(number) / max(1, $0 / unit) }
        }
        return Inspection.Timeline.Rate(
          author: author, commitCount: count.commits, changeCount: count.changes,
          commitsPerHour: rate(count.commits, in: 1), changesPerHour: rate(count.changes, in: 1),
          commitsPerDay: rate(count.commits, in: 24), changesPerDay: rate(count.changes, in: 24))
      }
  }
}
