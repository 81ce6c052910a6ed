import Foundation
import ListModel
import ListStore
import ListSync
import TestSupport
import Testing
import ListTables

/// Feeds made at random, with resets, snapshots, repeated lines and several lists, applied in every
/// way that a feed is applied again; compared with a model of plain arrays.
///
/// `CELLAR_FEEDS` says how many; each prints its seed where it fails.
@Suite struct RandomFeedTests {
  private static let count =
    ProcessInfo.processInfo.environment["CELLAR_FEEDS"].flatMap { Int($0) } ?? 12

  /// A store, opened anew now and then.
  private final class Bench {
    let folder: TemporaryFolder
    private var options = Repository.Options()
    private(set) var repository: Repository
    private var feeds = 0

    init(maximumFeedLineCount: Int = 100_000) throws {
      folder = try TemporaryFolder()
      options.maximumFeedLineCount = maximumFeedLineCount
      repository = try Repository(at: folder.file("store.sqlite"), options: options)
    }

    func reopen() throws {
      repository = try Repository(existing: folder.file("store.sqlite"), options: options)
    }

    /// Applies a text as one feed; what was applied is in the report, also where it fails.
    func apply(text: String) -> (report: FeedReport, error: (any Error)?) {
      feeds += 1
      var report = FeedReport()
      do {
        let reader = try FeedReader(file: try folder.write(text, to: "feed\(feeds)"))
        report = try repository.apply(reader) { report = $0 }
        return (report, nil)
      } catch { return (report, error) }
    }

    @discardableResult
    func apply(_ lines: some Sequence<RandomFeed.Line>) throws -> Int {
      let (report, error) = apply(text: lines.map { $0.text + "\n" }.joined())
      if let error { throw error }
      return report.applied
    }

    func truncate() throws {
      for list in try repository.lists() {
        try repository.truncateLog(of: list, keeping: LogRetention(changes: 2))
      }
    }

    /// What the store has that is not as the model says.
    func difference(from models: [String: RandomFeed.Model]) throws -> String? {
      for (name, model) in models {
        let list = try ListID(name)
        guard try repository.lists().contains(list) else {
          if model == RandomFeed.Model() { continue }
          return "there is no list \(list)"
        }
        let tree = try repository.tree(of: list)
        if (tree.meta ?? .null).text != model.meta {
          return "\(list) has meta \(tree.meta as Any), not \(model.meta)"
        }
        let found = tree.sections.map { $0.items.map(\.id.rawValue) }
        let wanted = model.hasSection ? [model.items] : []
        if found != wanted { return "\(list) is \(found), not \(wanted)" }
      }
      return nil
    }
  }

  /// One feed, applied in one way.
  private struct Failure: Error, CustomStringConvertible {
    var description: String
  }

  private func check(
    _ bench: Bench, _ lines: some Sequence<RandomFeed.Line>, _ what: String
  ) throws {
    if let difference = try bench.difference(from: RandomFeed.models(after: lines)) {
      throw Failure(description: "\(what): \(difference)")
    }
  }

  private func checkNothing(
    _ bench: Bench, _ part: some Sequence<RandomFeed.Line>, of lines: [RandomFeed.Line],
    _ what: String
  ) throws {
    let applied = try bench.apply(part)
    if applied > 0 { throw Failure(description: "\(what): \(applied) applied again") }
    try check(bench, lines, what)
  }

  @Test func aFeedLeadsToItsListHoweverItIsApplied() throws {
    for seed in 0..<Self.count {
      var generator = SeededGenerator(seed: UInt64(seed) &* 2_654_435_761)
      // Where commits are alike, only a feed's start tells where a file belongs.
      let repeats = generator.percent(30)
      let feed = RandomFeed(
        count: generator.number(2..<26), lists: generator.number(1..<4),
        pool: repeats ? 1 : nil, hasSnapshots: generator.percent(50), using: &generator)
      // Where each line would have been refused.
      if feed.lines.isEmpty { continue }
      do {
        try applyAgain(feed, isShort: generator.percent(30), &generator)
        try applyAfterKill(feed, &generator)
        if !repeats {
          try applyParts(feed, &generator)
          try applyAnother(feed, &generator)
        }
      } catch {
        Issue.record("seed \(seed): \(error)\n\(feed.lines.map(\.text).joined(separator: "\n"))")
        return
      }
    }
  }

  /// Twice, with a truncated log, with commits of an app, and continued.
  private func applyAgain(
    _ feed: RandomFeed, isShort: Bool, _ generator: inout SeededGenerator
  ) throws {
    let bench = try Bench(maximumFeedLineCount: isShort ? 2 : 100_000)
    let applied = try bench.apply(feed.lines)
    if applied != RandomFeed.newCount(of: feed.lines) {
      throw Failure(description: "\(applied) applied at first")
    }
    try check(bench, feed.lines, "at first")
    try checkNothing(bench, feed.lines, of: feed.lines, "again")
    for list in try bench.repository.lists() { try bench.repository.commit([], to: list) }
    try bench.truncate()
    if isShort {
      // What the store has forgotten may come again, but it leads to the same list.
      try bench.apply(feed.lines)
      try check(bench, feed.lines, "with forgotten lines")
    } else {
      try checkNothing(bench, feed.lines, of: feed.lines, "with a truncated log")
    }
    var longer = feed
    longer.append(6, using: &generator)
    try bench.apply(longer.lines)
    try check(bench, longer.lines, "continued")
    if isShort {
      try bench.apply(longer.lines)
      try check(bench, longer.lines, "continued, with forgotten lines")
    } else {
      try checkNothing(bench, longer.lines, of: longer.lines, "continued, again")
    }
    let problems = try bench.repository.checkInvariants()
    if !problems.isEmpty { throw Failure(description: "\(problems)") }
  }

  /// A part, with or without a torn line, another process, the whole.
  private func applyAfterKill(_ feed: RandomFeed, _ generator: inout SeededGenerator) throws {
    let bench = try Bench()
    let cut = generator.number(0..<feed.lines.count)
    let torn = generator.percent(50) ? String(feed.lines[cut].text.dropLast(3)) : ""
    _ = bench.apply(text: feed.lines.prefix(cut).map { $0.text + "\n" }.joined() + torn)
    try bench.reopen()
    try bench.apply(feed.lines)
    try check(bench, feed.lines, "after a kill at \(cut)")
    try checkNothing(bench, feed.lines, of: feed.lines, "after a kill at \(cut), again")
  }

  /// In files, each read again, and from anywhere in the middle.
  private func applyParts(_ feed: RandomFeed, _ generator: inout SeededGenerator) throws {
    let bench = try Bench()
    let cuts =
      ([0, feed.lines.count] + (0..<2).map { _ in generator.number(0..<feed.lines.count) })
      .sorted()
    let parts = zip(cuts, cuts.dropFirst()).map { feed.lines[$0..<$1] }
    // A file that has a reset alone of a list may be an earlier one again.
    for part in parts {
      for list in Set(part.map(\.list))
      where part.allSatisfy({ $0.list != list || $0.kind == .reset }) { return }
    }
    for part in parts { try bench.apply(part) }
    try check(bench, feed.lines, "in parts \(cuts)")
    for isTruncated in [false, true] {
      if isTruncated { try bench.truncate() }
      try bench.reopen()
      for part in parts {
        try checkNothing(bench, part, of: feed.lines, "in parts \(cuts), again")
      }
      let start = generator.number(0..<feed.lines.count)
      try checkNothing(bench, feed.lines[start...], of: feed.lines, "from \(start)")
      try checkNothing(bench, feed.lines, of: feed.lines, "whole after parts")
    }
  }

  /// A feed with one other commit in it: refused, or applied as what it is.
  private func applyAnother(_ feed: RandomFeed, _ generator: inout SeededGenerator) throws {
    // In place of lines that a snapshot stands for, any are skipped.
    if feed.lines.contains(where: { if case .snapshot = $0.kind { true } else { false } }) {
      return
    }
    let bench = try Bench()
    try bench.apply(feed.lines)
    var other = feed.lines
    let index = generator.number(0..<other.count)
    guard case .commit = other[index].kind else { return }
    other[index].kind = .commit([.insert("other", 0)])
    let text = other[...index].map { $0.text + "\n" }.joined()
    let (_, error) = bench.apply(text: text)
    guard let error else {
      return try check(bench, other[...index], "another feed from \(index)", besides: feed.lines)
    }
    guard let error = error as? StoreError, error.code == .anotherFeed, error.line == index + 1
    else { throw Failure(description: "another feed from \(index): \(error)") }
    try check(bench, feed.lines, "another feed from \(index), refused")
    try checkNothing(bench, feed.lines, of: feed.lines, "after another feed from \(index)")
  }

  /// The list of the last line is as the lines make it; the others are as they make it or as
  /// before.
  private func check(
    _ bench: Bench, _ lines: some BidirectionalCollection<RandomFeed.Line>, _ what: String,
    besides before: [RandomFeed.Line]
  ) throws {
    guard let list = lines.last?.list else { return }
    let (now, then) = (RandomFeed.models(after: lines), RandomFeed.models(after: before))
    for name in Set(now.keys).union(then.keys) {
      let models = (name == list ? [now] : [now, then]).map { [name: $0[name] ?? .init()] }
      let differences = try models.compactMap { try bench.difference(from: $0) }
      if differences.count == models.count {
        throw Failure(description: "\(what): \(differences)")
      }
    }
  }

  // MARK: Broken lines

  @Test func aBrokenLineIsRefusedAndTheMendedFeedGoesOn() throws {
    for seed in 0..<Self.count * 2 {
      var generator = SeededGenerator(seed: UInt64(seed) &+ 77)
      let feed = RandomFeed(
        count: generator.number(2..<14), lists: 2, pool: nil, hasSnapshots: true,
        using: &generator)
      guard !feed.lines.isEmpty else { continue }
      let bench = try Bench()
      let broken = generator.number(0..<feed.lines.count)
      var texts = feed.lines.map { Array($0.text.utf8) }
      mutate(&texts[broken], &generator)
      let text = String(decoding: texts.joined(separator: [0x0A]) + [0x0A], as: UTF8.self)
      let (_, error) = bench.apply(text: text)
      let hint = "seed \(seed), line \(broken + 1): \(error.map { "\($0)" } ?? "applied")\n\(text)"
      #expect(try bench.repository.checkInvariants().isEmpty, "\(hint)")
      if let error {
        #expect((error as? StoreError)?.line != nil, "\(hint)")
      }
      let again = bench.apply(text: feed.lines.map { $0.text + "\n" }.joined())
      if (error as? StoreError)?.line == broken + 1 {
        #expect(again.error == nil, "\(hint): \(String(describing: again.error))")
        #expect(try bench.difference(from: RandomFeed.models(after: feed.lines)) == nil, "\(hint)")
      } else if let error = again.error {
        #expect((error as? StoreError)?.line != nil, "\(hint)")
      }
      #expect(try bench.repository.checkInvariants().isEmpty, "\(hint)")
    }
  }

  /// Other bytes, parts left out or there twice, other numbers and words.
  private func mutate(_ line: inout [UInt8], _ generator: inout SeededGenerator) {
    for _ in 0...generator.number(0..<3) where line.count > 4 {
      let place = generator.number(0..<line.count - 3)
      switch generator.number(0..<6) {
      case 0: line[place] = UInt8(generator.number(32..<127))
      case 1: line.remove(at: place)
      case 2: line.insert(UInt8(generator.number(32..<127)), at: place)
      case 3:
        let end = min(line.count, place + generator.number(1..<30))
        line.removeSubrange(place..<end)
      case 4:
        let end = min(line.count, place + generator.number(1..<30))
        line.insert(contentsOf: line[place..<end], at: place)
      default:
        guard let digit = line[place...].firstIndex(where: { (48..<58).contains($0) }) else {
          continue
        }
        line[digit] = UInt8(48 + generator.number(0..<10))
      }
    }
  }
}
