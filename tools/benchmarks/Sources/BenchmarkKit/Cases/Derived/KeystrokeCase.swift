import BatchUpdates
import Foundation
internal import GRDB
import ListModel
import ListStore
import ListSync
import Providers

/// A word typed letter by letter in a list with a full-text index: for each letter, the time until
/// a screen of what is found can be read, and until the proven update of a list that shows what was
/// found before; beside SQLite's full-text search for the same, with the ids of all and the contents
/// of a screen.
///
/// *k* is how many messages are found.
enum KeystrokeCase {
  static func run(_ settings: Settings, _ lists: StoredLists, _ report: inout Report) throws {
    let mail = MailStore(lists, seed: settings.seed)
    for size in settings.sizes where size >= 1_000 {
      try keystrokes(size, mail.store(size), lists, settings, &report)
    }
  }

  private static func keystrokes(
    _ size: Int, _ original: URL, _ lists: StoredLists, _ settings: Settings, _ report: inout Report
  ) throws {
    let file = try lists.copy(of: original)
    defer { lists.remove(file) }
    let repository = try Repository(existing: file)
    let list = repository.liveList(MailStore.list, items: [PassingCase.Message.self])
    try list.keepSearchIndex(of: PassingCase.Message.self, over: \.title)
    let passing = try list.passing(of: PassingCase.Message.self)
    func show(_ text: Substring) throws {
      try passing.show { $0.where { $0.matches(String(text), in: $0.title) } }
    }
    let rowFile = lists.newFile()
    defer { lists.remove(rowFile) }
    let pool = try searchedRows(of: size, in: rowFile)
    let word = MailStore.title(size / 2)
    for count in 1...5 {
      let text = word.prefix(count)
      try show(text)
      let found = try passing.provider().numberOfItems
      let rounds = try Rounds(
        settings.rounds, warmUp: true,
        [
          { _ in
            try show(word.prefix(count - 1))
            let before = try passing.provider()
            let taken = try Stopwatch.once {
              try show(text)
              return try JumpCase.screen(of: passing.provider(), from: 0)
            }
            return withExtendedLifetime(before) { taken }
          },
          { _ in
            try show(word.prefix(count - 1))
            var provider = try passing.provider()
            return try Stopwatch.once {
              try show(text)
              return try passing.shown.advance(&provider).stages.count
            }
          },
          { _ in
            try Stopwatch.once {
              try pool.read { db in
                let ids = try String.fetchAll(
                  db,
                  sql: """
                    SELECT id FROM messageText JOIN message ON number = messageText.rowid
                    WHERE messageText MATCH ?
                    """, arguments: ["\"\(text)\" *"])
                guard ids.count == found else { throw BenchmarkError("SQLite finds others") }
                return try ids.prefix(20).reduce(0) { sum, id in
                  try sum
                    + (String.fetchOne(
                      db, sql: "SELECT content FROM message WHERE id = ?", arguments: [id])?
                      .utf8.count ?? 0)
                }
              }
            }
          },
        ])
      let limit = found > 2_000 ? 60e6 : 16e6
      for (name, ours, limit) in [
        ("derived keystroke, screen", rounds[0], 16e6),
        ("derived keystroke, update", rounds[1], limit),
      ] {
        report.add(
          Measurement(
            name: name, items: size, changes: found, ours: ours,
            references: [.init(name: "SQLite", median: rounds[2])],
            targets: size > 100_000 ? [] : [.within(limit)]))
      }
    }
  }

  /// The messages as an app without Cellar has them, with an index over the words of their titles.
  private static func searchedRows(of size: Int, in file: URL) throws -> DatabasePool {
    let pool = try DatabasePool(path: file.path)
    try pool.write { db in
      try db.execute(
        sql: """
          CREATE TABLE message (number INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, content TEXT);
          CREATE VIRTUAL TABLE messageText USING fts5 (
            title, content = '', columnsize = 0, tokenize = "unicode61 remove_diacritics 2");
          """)
      for number in 0..<size {
        try db.execute(
          sql: "INSERT INTO message VALUES (?, ?, ?)",
          arguments: [
            number, StoredLists.key(number), try MailStore.content(number, version: 0).text,
          ])
        try db.execute(
          sql: "INSERT INTO messageText (rowid, title) VALUES (?, ?)",
          arguments: [number, MailStore.title(number)])
      }
      try db.execute(sql: "INSERT INTO messageText (messageText) VALUES ('optimize')")
    }
    return pool
  }
}
