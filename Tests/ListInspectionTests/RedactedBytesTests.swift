import Foundation
import GRDB
import ListInspection
import ListItems
import ListModel
import ListStore
import ListSync
import SchemaSupport
import StoreSchema
import TestSupport
import Testing

/// No byte of a redacted store tells of its original: all pages are read, free ones, too.
@Suite struct RedactedBytesTests {
  private let bench: InspectionBench
  private var newFile: URL { bench.folder.file("redacted.sqlite") }

  init() throws { bench = try InspectionBench() }

  @Test(
    .enabled(
      if: PackageFiles.shared("repository-history.ndjson") != nil,
      "needs ../shared/data/repository-history.ndjson"))
  func nothingOfARepositoryHistoryIsLeft() throws {
    let feed = try #require(PackageFiles.shared("repository-history.ndjson"))
    try expectNothingLeft(ofFeed: feed, listCount: 1)
  }

  @Test(
    .enabled(
      if: PackageFiles.shared("releases.ndjson") != nil, "needs ../shared/data/releases.ndjson"))
  func nothingOfAReleaseCalendarIsLeft() throws {
    let feed = try #require(PackageFiles.shared("releases.ndjson"))
    try expectNothingLeft(ofFeed: feed, listCount: 2)
  }

  /// A thousand texts of English words, of words of SQL, and of words that nearly are those.
  @Test func nothingOfEnglishTextsIsLeft() throws {
    var texts = EnglishTexts(seed: 11)
    var lines = [
      #"{"t":"commit","list":"a stable horse","seq":"1","at":1712345678901,"by":"sarah","#
        + #""ops":[{"op":"insertSection","section":"a stable horse"}]}"#
    ]
    for number in 2...1_001 {
      let text = number == 2 ? "a stable horse" : texts.next()
      let note = texts.next()
      lines.append(
        #"{"t":"commit","list":"a stable horse","seq":"\#(number)","at":1712345678901,"#
          + #""by":"sarah","ops":[{"op":"insertItem","item":"\#(number) \#(text)","#
          + #""section":"a stable horse","cell":"NoteCell","content":{"text":"\#(text)","#
          + #""note":["\#(note)"]},"action":{"url":"https://example.org/\#(note)"}}]}"#)
    }
    let feed = try bench.folder.write(lines.map { $0 + "\n" }.joined(), to: "feed.ndjson")
    try expectNothingLeft(ofFeed: feed, listCount: 1)
  }

  /// Each text by itself, as the search of an earlier version refused some of them.
  @Test(arguments: [
    "a stable horse", "CREATE TABLE trigger supplementaries", "gvxkjzqfwgvxkjzqfw",
    "{\"name\":true,null}", "section", "BookCell", "SQLite format 3", "nested sha256:",
    "1234567890", "      ------ ......", "decorationCREATE", "listCommit", "header", "naïve 漢字 🦊",
  ])
  func anyTextCanBeRedacted(_ text: String) throws {
    do {
      let repository = try Repository(at: bench.file)
      try repository.edit(ListID(text), by: Author(text)) { list in
        try list.insertSection(SectionID(text))
        let content = try JSON(encoding: ["a": text, text: "b"])
        try list.insert(
          Item(id: ItemID(text), cell: CellName(text), content: content, type: TypeName(text)),
          in: SectionID(text))
      }
    }
    #expect(try Inspection(of: bench.file).redact(to: newFile, options: Self.all).recovery == nil)
    let repository = try Repository(existing: newFile)
    let list = try #require(try repository.lists().first)
    let item = try repository.tree(of: list).sections[0].items[0]
    for name in [
      list.rawValue, item.id.rawValue, item.state.cell.rawValue, item.state.type?.rawValue ?? text,
    ] {
      #expect(name != text && name.utf8.count == text.utf8.count)
      #expect(name.utf8.allSatisfy("gvxkjzqfw".utf8.contains))
    }
  }

  /// An app's own tables, indexes, triggers and views, and texts in columns of the library's own.
  @Test func nothingThatCellarDoesNotKnowIsThere() throws {
    try bench.makeSecretStore("Wuthering Heights")
    let queue = try DatabaseQueue(path: bench.file.path)
    try queue.write { db in
      try db.execute(
        sql: """
          CREATE TABLE patient (id INTEGER PRIMARY KEY, name TEXT);
          INSERT INTO patient (name) VALUES ('Heathcliff'), ('Catherine Earnshaw');
          CREATE INDEX index_patient_on_heathcliff ON patient (name) WHERE name = 'Heathcliff';
          CREATE INDEX earnshaw ON item (list) WHERE name > 'Earnshaw';
          CREATE VIEW catherine AS SELECT * FROM patient WHERE name LIKE 'Catherine%';
          CREATE TRIGGER hindley AFTER INSERT ON patient
            BEGIN UPDATE patient SET name = 'Hindley'; END;
          CREATE VIRTUAL TABLE nelly USING fts5(dean);
          INSERT INTO nelly VALUES ('Lockwood of Thrushcross Grange');
          UPDATE store SET importedEdits = '["Linton"]';
          UPDATE schemaMigration SET libraryVersion = 'Isabella';
          UPDATE layoutEnvironment SET locale = 'Hareton', system = 'Joseph 18',
            contentSizeCategory = 'Zillah', legibilityWeight = 'Frances',
            layoutDirection = 'Gimmerton';
          UPDATE sizeKey SET variant = 'Penistone'
          """)
    }
    try queue.close()
    let words = try OriginalWords(of: bench.file)
    #expect(words.count > 30)
    let redaction = try Inspection(of: bench.file).redact(to: newFile, options: Self.all)
    #expect(redaction.recovery == nil)
    let found = try words.found(in: newFile)
    #expect(found == [])
    let names = try DatabaseQueue(path: newFile.path).read { db in
      try String.fetchSet(db, sql: "SELECT name FROM sqlite_schema WHERE sql IS NOT NULL")
    }
    let own = try DatabaseQueue(path: OriginalWords.emptyStore().path).read { db in
      try String.fetchSet(db, sql: "SELECT name FROM sqlite_schema WHERE sql IS NOT NULL")
    }
    #expect(names == own)
  }

  @Test(arguments: Migration.latestVersion...TestMigrations.all.latestVersion)
  func nothingOfAnEarlierVersionIsLeft(version: Int) throws {
    try TestMigrations.makeStore(at: bench.file, version: version)
    let words = try OriginalWords(of: bench.file, TestMigrations.all)
    #expect(words.count > 5)
    _ = try Inspection(of: bench.file, migrations: TestMigrations.all).redact(
      to: newFile, options: Self.all)
    let found = try words.found(in: newFile)
    #expect(found == [])
  }

  /// The comparison itself: it finds what is there.
  @Test func aCopyIsFullOfItsOriginal() throws {
    try bench.makeSecretStore("Wuthering Heights")
    let words = try OriginalWords(of: bench.file)
    #expect(try words.found(in: bench.file).count == words.count)
  }

  // MARK: Parts

  /// Everything that can be replaced is.
  private static let all = {
    var options = StoreRedaction.Options()
    (options.keepsNames, options.keepsMembers, options.keepsTimes) = (false, false, false)
    options.seed = 1
    return options
  }()

  private func expectNothingLeft(ofFeed feed: URL, listCount: Int) throws {
    _ = try Repository(at: bench.file).apply(FeedReader(file: feed))
    let words = try OriginalWords(of: bench.file)
    #expect(words.count > 80)
    let redaction = try Inspection(of: bench.file).redact(to: newFile, options: Self.all)
    #expect(redaction.recovery == nil)
    #expect(redaction.listCount == listCount)
    let found = try words.found(in: newFile)
    #expect(found == [])
    let files = try FileManager.default.contentsOfDirectory(atPath: bench.folder.url.path)
    let redacted = files.filter { $0.contains("redacted") }
    #expect(redacted == ["redacted.sqlite"])
    let (old, new) = (try Repository(existing: bench.file), try Repository(existing: newFile))
    #expect(try new.checkInvariants() == [])
    let revisions = try old.lists().map { try old.revision(of: $0) }
    #expect(try new.lists().map { try new.revision(of: $0) }.sorted() == revisions.sorted())
  }
}

/// The words of four letters and more in all texts of a store, without those that every store has.
struct OriginalWords {
  private var words: Set<[UInt8]> = []
  private var beginnings: Set<[UInt8]> = []
  private static let length = 4
  /// What the formats of the log, of edits and of ids have, besides the schema's own words.
  private static let formatWords = [
    "true", "false", "null", "insets", "supplementaries", "decorations", "nested", "recovered",
  ]
  /// What filler has for characters of two bytes and more.
  private static let filler = Set("é字🙂".utf8)

  var count: Int { words.count }

  /// `migrations`: Those of the new store.
  init(of file: URL, _ migrations: [Migration] = Migration.all) throws {
    let known =
      try Self.folded(Data(contentsOf: Self.emptyStore(migrations)))
      + Self.formatWords.flatMap { Self.folded(Data($0.utf8)) + [0] }
    let knownWords = Data(known)
    for text in try Self.texts(of: file) {
      for word in Self.folded(Data(text.utf8)).split(whereSeparator: { !Self.isLetter($0) })
      where word.count >= Self.length {
        let word = Array(word)
        guard !words.contains(word), knownWords.range(of: Data(word)) == nil,
          !word.allSatisfy(Self.filler.contains)
        else { continue }
        words.insert(word)
        beginnings.insert(Array(word.prefix(Self.length)))
      }
    }
  }

  /// Those that the bytes of a file have, in upper or lower case.
  func found(in file: URL) throws -> [String] {
    let bytes = Self.folded(try Data(contentsOf: file))
    var found: Set<[UInt8]> = []
    for run in bytes.split(whereSeparator: { !Self.isLetter($0) }) where run.count >= Self.length {
      for start in run.startIndex...run.endIndex - Self.length
      where beginnings.contains(Array(run[start..<start + Self.length])) {
        for end in start + Self.length...run.endIndex {
          let part = Array(run[start..<end])
          if words.contains(part) { found.insert(part) }
        }
      }
    }
    return found.map { String(decoding: $0, as: UTF8.self) }.sorted()
  }

  /// An empty store.
  static func emptyStore(_ migrations: [Migration] = Migration.all) throws -> URL {
    try emptyStores.file(migrations)
  }

  private static let emptyStores = EmptyStores()

  private struct EmptyStores {
    let folder = Result { try TemporaryFolder() }

    func file(_ migrations: [Migration]) throws -> URL {
      let file = try folder.get().file("\(migrations.count).sqlite")
      _ = try StoreFile.createIfAbsent(file, migrations: migrations)
      return file
    }
  }

  private static func isLetter(_ byte: UInt8) -> Bool { 0x61...0x7A ~= byte || byte >= 0x80 }

  private static func folded(_ data: Data) -> [UInt8] {
    data.map { 0x41...0x5A ~= $0 ? $0 | 0x20 : $0 }
  }

  /// The texts and SQL of a database, in any table.
  private static func texts(of file: URL) throws -> [String] {
    let queue = try DatabaseQueue(path: file.path)
    defer { try? queue.close() }
    return try queue.read { db in
      var texts = try String.fetchAll(
        db, sql: "SELECT name || ' ' || sql FROM sqlite_schema WHERE sql <> ''")
      for table in try String.fetchAll(
        db, sql: "SELECT name FROM sqlite_schema WHERE type = 'table' AND rootpage")
      {
        for row in try Row.fetchAll(db, sql: "SELECT * FROM \(table.quotedDatabaseIdentifier)") {
          for value in row.databaseValues {
            if case .string(let text) = value.storage { texts.append(text) }
          }
        }
      }
      return texts
    }
  }
}

/// Random texts of English words and of words of SQL.
struct EnglishTexts {
  private var generator: SeededGenerator
  private static let words = """
    able about above across action address advice after again agent agree airport almost animal \
    answer apple argue artist aunt autumn baby balance basket beach beauty because bedroom before \
    begin behind believe beside between bicycle blanket board borrow bottle bread breakfast bridge \
    bright brother budget butter button camera candle captain careful castle cattle century \
    certain chair chance cheese chicken children choose church circle citizen clean clever clinic \
    clothes coffee collect comfort common company concert cottage country cousin credit cricket \
    cruel culture curtain damage danger daughter decide defend degree dentist desert diary dinner \
    doctor dragon dream drink during early earth editor eight electric elephant empty energy \
    engine enough evening every exact except excuse family famous farmer father feather fellow \
    fever field figure finger finish flight flower foreign forest forget fortune fountain freedom \
    friend garden gentle ghost giant glass golden grammar grandmother grass great grocery guest \
    guitar hammer happy harbour harvest health heart heavy height history holiday honest horse \
    hospital hotel hungry husband island jacket jealous journey judge kitchen knife lamp language \
    laugh lawyer leather lemon letter library lightning liquid little lonely lunch machine magic \
    market marriage matter meadow medicine memory metal middle minute mirror money month morning \
    mother mountain mouse museum music narrow nature needle neighbour nephew nervous night noise \
    novel number nurse ocean office onion opera orange orchard oxygen packet painter palace paper \
    parent patient peace pencil pepper person picnic pillow pilot planet plastic pocket poison \
    police popular potato prayer pretty prince prison private promise pupil puzzle quarrel queen \
    quick quiet rabbit railway rather ready recipe relative restaurant ribbon river rocket roof \
    rubber sailor salad sandwich scissors season secret seldom servant seven shadow sheep shelter \
    shoulder silence silver simple singer sister sleeve smooth soldier soup spider spring squirrel \
    stable station stomach stone storm stranger street student sugar summer surgeon sweater \
    teacher theatre thirsty thought thunder ticket tiger tobacco tomorrow tongue tooth towel \
    traffic travel treasure trouble tunnel turkey uncle upstairs usual valley vegetable village \
    violin visitor voyage waiter wallet warm weather wedding whisper widow window winter wisdom \
    wooden worry yellow yesterday young SELECT INSERT UPDATE DELETE CREATE TABLE TRIGGER INDEX \
    PRIMARY UNIQUE CHECK STRICT ROWID BEGIN VALUES WHERE HAVING VACUUM PRAGMA PRIMARYKEY notable \
    constable timetable vegetables tables stables untriggered decorationcreate
    """.split(separator: " ").map(String.init)

  init(seed: UInt64) { generator = SeededGenerator(seed: seed) }

  mutating func next() -> String {
    (0..<generator.number(2..<9)).map { _ in
      let word = generator.element(of: Self.words) ?? ""
      return generator.percent(20) ? word.capitalized : word
    }.joined(separator: " ")
  }
}
