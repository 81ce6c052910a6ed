import BatchUpdates
import Foundation
internal import GRDB
import ListModel
import ListStore
import ListSync
import Providers

/// Lists that are derived from one of messages: what they add to a commit, to the file, and to the first
/// screen; how long one takes to make, and to bring to a screen.
enum DerivedCase {
  private static let commits = 100

  /// Makes one, for its time, its bytes and its locks.
  static func runBuild(
    _ settings: Settings, _ lists: StoredLists, _ report: inout Report
  ) throws {
    let mail = MailStore(lists, seed: settings.seed)
    for size in settings.sizes where size >= 1_000 {
      let original = try mail.store(size)
      try build(size, original, lists, settings, &report)
      try addLocks(size, original, lists, settings, &report)
    }
  }

  /// Commits to the source.
  static func runCommit(
    _ settings: Settings, _ lists: StoredLists, _ report: inout Report
  ) throws {
    let mail = MailStore(lists, seed: settings.seed)
    var ofTenThousand: Double?
    for size in settings.sizes where size >= 1_000 {
      let added = try commit(size, mail.store(size), lists, settings, &report)
      if size == 10_000 { ofTenThousand = added }
      if size == 1_000_000, let ofTenThousand {
        report.add(
          Measurement(
            name: "derived commit, added", items: size, changes: commits, ours: added,
            references: [.init(name: "n = 10k", median: ofTenThousand)], targets: [.atMost(2)]))
      }
    }
  }

  /// Brings a screen up to date.
  static func runUpdate(
    _ settings: Settings, _ lists: StoredLists, _ report: inout Report
  ) throws {
    let mail = MailStore(lists, seed: settings.seed)
    for size in settings.sizes where size >= 1_000 {
      try update(size, mail.store(size), lists, settings, &report)
    }
  }

  // MARK: Commits

  /// Commits that change one item each, which moves in the derived list, beside the same without one.
  ///
  /// - Returns: What a derived list adds.
  private static func commit(
    _ size: Int, _ original: URL, _ lists: StoredLists, _ settings: Settings,
    _ report: inout Report
  ) throws -> Double {
    let kinds: [(name: String, definitions: [JSON], limit: Double)] = [
      ("", [], 0),
      ("derived commit, title", [try MailStore.byTitle("byTitle")], 0.2e6),
      ("derived commit, sections", [try MailStore.byDay("byDay")], 0.2e6),
      ("derived commit, 50 others", try (0..<50).map { try MailStore.ofNobody($0) }, 0.5e6),
    ]
    var version = 0
    var generator = SeededGenerator(seed: settings.seed)
    let contestants = try kinds.map { kind -> ((Int) throws -> Double) in
      let file = try lists.copy(of: original)
      let repository = try Repository(existing: file)
      let list = repository.liveList(MailStore.list)
      for definition in kind.definitions { try list.derived(by: definition) }
      return { _ in
        version += 1
        let changes = try (0..<commits).map { _ in
          let number = Int.random(in: 0..<size, using: &generator)
          return Change.updateItem(
            try ItemID(StoredLists.key(number)),
            ItemUpdate(content: .set(try MailStore.content(number, version: version))))
        }
        return try Stopwatch.once {
          for change in changes { try list.commit([change]) }
          return commits
        }
      }
    }
    let rounds = try Rounds(settings.rounds, warmUp: true, contestants)
    for (index, kind) in kinds.enumerated().dropFirst() {
      report.add(
        Measurement(
          name: kind.name, items: size, changes: commits, ours: rounds[index],
          references: [.init(name: "without", median: rounds[0])],
          targets: [.beyond(kind.limit * Double(commits))]))
    }
    return rounds[1] - rounds[0]
  }

  // MARK: Building

  /// A list of all items in a section for each day, beside an index over the same values and its groups.
  private static func build(
    _ size: Int, _ original: URL, _ lists: StoredLists, _ settings: Settings,
    _ report: inout Report
  ) throws {
    var bytes = 0
    let rounds = try Rounds(
      min(settings.rounds, 3),
      [
        { _ in
          let file = try lists.copy(of: original)
          defer { lists.remove(file) }
          let repository = try Repository(existing: file)
          let list = repository.liveList(MailStore.list)
          let before = try usedBytes(of: file)
          let taken = try Stopwatch.once(on: .wall) {
            try list.derived(by: MailStore.byDay("byDay")).count()
          }
          bytes = try usedBytes(of: file) - before
          return taken
        },
        { _ in
          let file = lists.newFile()
          defer { lists.remove(file) }
          let queue = try rows(of: size, in: file)
          return try Stopwatch.once(on: .wall) {
            try queue.write { db in
              try db.execute(
                sql: """
                  CREATE INDEX byDay ON message
                    (json_extract(content, '$.day'), json_extract(content, '$.title'))
                  """)
              return try GRDB.Row.fetchAll(
                db,
                sql: """
                  SELECT json_extract(content, '$.day') AS day, count(*) FROM message GROUP BY day
                  """
              ).count
            }
          }
        },
      ])
    report.add(
      Measurement(
        name: "derived build", items: size, changes: 1, ours: rounds[0],
        references: [.init(name: "an index", median: rounds[1])], targets: [.atMost(1.5)]))
    report.add(
      Measurement(
        name: "derived bytes", items: size, changes: 1, unit: .bytes,
        ours: Double(bytes) / Double(size), targets: [.within(60)]))
  }

  /// Adds the longest transaction while a list is made, and made another one, and the longest commit of
  /// another writer; `below`: also of a list that is derived from it; `search`: of a list of what has a word,
  /// of texts without an index.
  private static func addLocks(
    _ size: Int, _ original: URL, _ lists: StoredLists, _ settings: Settings,
    _ report: inout Report
  ) throws {
    let byDay = try MailStore.byDay("list")
    let byTitle = try MailStore.byTitle("list")
    let kinds: [(name: String, definitions: [(of: ListID, JSON)])] = [
      ("", [(MailStore.list, byDay), (MailStore.list, byTitle)]),
      (
        ", below",
        [
          (MailStore.list, byDay), ("list", try MailStore.below("below", of: "list")),
          (MailStore.list, byTitle),
        ]
      ),
      (", search", [(MailStore.list, try MailStore.found("list", "M1"))]),
    ]
    for kind in kinds {
      try LockTime.begin()
      var (lock, wait) = (0.0, 0.0)
      for _ in 0..<min(settings.rounds, 3) {
        let file = try lists.copy(of: original)
        defer { lists.remove(file) }
        let repository = try Repository(existing: file)
        let other = try OtherWriter(file)
        _ = LockTime.takeLongest()
        for (source, definition) in kind.definitions {
          try repository.liveList(source).derived(by: definition)
        }
        // What the list was is deleted in slices, too.
        try repository.close()
        lock = max(lock, LockTime.takeLongest())
        wait = max(wait, try other.stop())
      }
      for (part, time) in [("lock", lock), ("others wait", wait)] {
        report.add(
          Measurement(
            name: "derived build\(kind.name), \(part)", items: size, changes: 1, ours: time,
            targets: [.within(50e6)]))
      }
    }
  }

  /// The bytes of the pages that are in use.
  private static func usedBytes(of file: URL) throws -> Int {
    try DatabaseQueue(path: file.path).read { db in
      func number(_ pragma: String) throws -> Int {
        try Int.fetchOne(db, sql: "PRAGMA \(pragma)") ?? 0
      }
      return try (number("page_count") - number("freelist_count")) * number("page_size")
    }
  }

  /// The messages as an app without Cellar has them.
  private static func rows(of size: Int, in file: URL) throws -> DatabasePool {
    let pool = try DatabasePool(path: file.path)
    try pool.write { db in
      try db.execute(
        sql: "CREATE TABLE message (id TEXT PRIMARY KEY, content TEXT NOT NULL) WITHOUT ROWID")
      for number in 0..<size {
        try db.execute(
          sql: "INSERT INTO message VALUES (?, ?)",
          arguments: [
            StoredLists.key(number), try MailStore.content(number, version: 0).text,
          ])
      }
    }
    return pool
  }

  // MARK: Updates

  /// From a commit to the proven update of the derived list; beside a query that is fetched again and
  /// compared, as GRDB's observation of a query and a differ do, of the same change.
  private static func update(
    _ size: Int, _ original: URL, _ lists: StoredLists, _ settings: Settings,
    _ report: inout Report
  ) throws {
    let file = try lists.copy(of: original)
    defer { lists.remove(file) }
    let repository = try Repository(existing: file)
    let list = repository.liveList(MailStore.list)
    let derived = try list.derived(by: MailStore.byTitle("byTitle"))
    var provider = try derived.provider()
    let rowFile = lists.newFile()
    defer { lists.remove(rowFile) }
    let pool = try rows(of: size, in: rowFile)
    try pool.write { db in
      try db.execute(
        sql: "CREATE INDEX byTitle ON message (json_extract(content, '$.title'), id)")
    }
    func fetch() throws -> [BenchmarkKit.Row] {
      try pool.read { db in
        var rows: [BenchmarkKit.Row] = []
        let cursor = try GRDB.Row.fetchCursor(
          db,
          sql: "SELECT id, content FROM message ORDER BY json_extract(content, '$.title'), id")
        while let row = try cursor.next() {
          let content: String = row[1]
          rows.append(BenchmarkKit.Row(id: row[0], content: content.hashValue))
        }
        return rows
      }
    }
    var shown = try fetch()
    var version = 1_000
    let differs = settings.differs.filter { $0.handles(items: size, changes: 1) }
    var contestants: [(Int) throws -> Double] = [
      { round in
        version += 1
        try list.commit([
          .updateItem(
            try ItemID(StoredLists.key(round * 7 % size)),
            ItemUpdate(content: .set(try MailStore.content(round * 7 % size, version: version))))
        ])
        return try Stopwatch.once(on: .wall) {
          try derived.advance(&provider).stages.count
        }
      }
    ]
    for differ in differs {
      contestants.append { round in
        version += 1
        try pool.write { db in
          try db.execute(
            sql: "UPDATE message SET content = ? WHERE id = ?",
            arguments: [
              try MailStore.content(round * 7 % size, version: version).text,
              StoredLists.key(round * 7 % size),
            ])
        }
        return try Stopwatch.once(on: .wall) {
          let rows = try fetch()
          defer { shown = rows }
          return differ.changes(from: shown, to: rows)
        }
      }
    }
    let rounds = try Rounds(settings.rounds, warmUp: true, contestants)
    report.add(
      Measurement(
        name: "derived update", items: size, changes: 1, ours: rounds[0],
        references: differs.enumerated().map {
          .init(name: "GRDB, \($1.name)", median: rounds[$0 + 1])
        }, targets: size < 100_000 ? [] : [.faster(100)]))
  }

  // MARK: Screens

  /// The first screen of 80,000 items in 1,000 sections, from disk.
  static func runScreen(
    _ settings: Settings, _ lists: StoredLists, _ report: inout Report
  ) throws {
    guard settings.sizes.contains(where: { $0 >= 100_000 }) else { return }
    let mail = MailStore(lists, seed: settings.seed)
    let size = 80_000
    let file = try lists.copy(of: mail.store(size))
    defer { lists.remove(file) }
    let repository = try Repository(existing: file)
    try repository.liveList(MailStore.list).derived(by: MailStore.byDay("byDay"))
    try repository.close()
    let rounds = try Rounds(
      settings.rounds * 3, warmUp: true,
      [
        OpenCase.opening(file) {
          try $0.liveList(MailStore.list).derived(by: MailStore.byDay("byDay")).provider()
        }, OpenCase.openingByGRDB(file),
      ])
    report.add(
      Measurement(
        name: "derived screen, first", items: size, changes: 1, ours: rounds[0],
        references: [.init(name: "GRDB", median: rounds[1])], targets: [.beyond(5e6)]))
  }
}
