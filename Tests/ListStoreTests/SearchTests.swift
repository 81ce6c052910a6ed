import DerivedLists
import Foundation
import ListModel
import ListStore
import Providers
import TestSupport
import Testing

/// What a full-text search finds, and in what order; with an index and without one.
@Suite struct SearchTests {
  private let folder: TemporaryFolder
  private let repository: Repository

  init() throws {
    folder = try TemporaryFolder()
    repository = try Repository(at: folder.file("store.sqlite"))
  }

  private func fill(_ contents: [String]) throws {
    try repository.commit(
      [.insertSection("s")]
        + contents.enumerated().map { index, content in
          .insertItem(
            Item(
              id: ItemID(stringLiteral: "\(index)"), cell: "Cell",
              content: try JSON(parsing: content)), in: "s")
        }, to: "l")
  }

  /// The ids of what is found by reading the items, by an index, and by a stored list: all the same.
  private func found(
    _ text: String, at paths: [String] = ["/t"], isRanked: Bool = false
  ) throws -> String {
    let quoted = paths.map { JSONWriter.quoted($0) }.joined(separator: ",")
    let sort = isRanked ? ##","sort":[{"path":"#rank"}]"## : ""
    let line =
      #"{"derived":"d","of":"l","where":[{"paths":[\#(quoted)],"matches":\#(JSONWriter.quoted(text))}]"#
      + sort + "}"
    let definition = try DerivedDefinition(parsing: Array(line.utf8))
    let read = try ids(repository.provider(for: definition, number: 1).tree)
    try repository.define([(definition, 1)])
    #expect(try repository.searchIndexes().count == (paths.contains { $0.hasPrefix("#") } ? 0 : 1))
    let asked = try ids(repository.provider(for: definition, number: 1).tree)
    #expect(asked == read, "with an index")
    #expect(try ids(repository.tree(of: "d")) == read, "as a derived list")
    #expect(try repository.checkInvariants().isEmpty)
    try repository.dropDerived("d")
    #expect(try repository.searchIndexes().isEmpty)
    return read
  }

  private func ids(_ tree: ListTree) -> String {
    tree.sections.flatMap(\.items).map(\.id.rawValue).joined(separator: " ")
  }

  private static let texts = [
    #""Emma""#, #""The Emmas of Crème brûlée""#, #""creme, brulee: \"Emma\"""#, #""O'Neil""#,
    #""naïve 漢字かな 2001""#, #"2001"#, #"20.5"#, #"true"#, #"null"#, #""""#, #""Straße ΣΑΣ""#,
    #""a b""#, #""b a""#, #""ab""#, #""E\u0301MMA\u0000x""#, #""\ud800 emma""#, #""sie\u241ewir""#,
  ]

  private static let questions: [(text: String, answer: String)] = [
    // A word as it is, in any case, with or without accents; the last one may go on.
    ("emma ", "0 2 14"), ("EMMA ", "0 2 14"), ("émmà ", "0 2 14"), ("emm ", ""),
    ("emm", "0 1 2 14"), ("emma", "0 1 2 14"), ("emm* ", "0 1 2 14"), ("mma", ""), ("emm* of", "1"),
    ("emm of", ""), ("creme", "1 2"), ("CRÈME ", "1 2"), ("brûle", "1 2"),
    // All words, in any order.
    ("brulee emma", "1 2"), ("emma brulee ", "2"), ("emma xyz", ""),
    // Phrases, in quotes of any kind; the last one may go on while it has no end.
    (#""a b""#, "11"), (#""b a""#, "12"), ("a b ", "11 12"), (#""creme brulee""#, "1 2"),
    (#""creme brul""#, ""), (#""creme brul"#, "1 2"), (#""creme brul"*"#, "1 2"),
    (#""creme brul*""#, "1 2"), ("“creme brulee”", "1 2"), ("„creme brulee“ emma ", "2"),
    ("«of creme»emmas ", "1"), (#""brulee creme""#, ""), (#""creme brul "#, ""),
    // What stands within a word parts it.
    ("o'neil", "3"), ("O’Neil ", "3"), ("o-n", "3"), ("neil ", "3"), ("brulee:emma", "2"),
    // Words that are operators elsewhere, and what is none.
    ("AND", ""), ("emma AND brulee", ""), ("-emma", "0 1 2 14"), ("(emma", "0 1 2 14"),
    ("^emma", "0 1 2 14"), ("NEAR(emma", ""), ("t:emma", ""), ("emma)", "0 1 2 14"),
    ("{t}: emma", ""), ("emma + emma ", "0 2 14"), ("rowid:1", ""), ("'; DROP TABLE list", ""),
    // Numbers by their texts; nothing else that is no string.
    ("2001", "4 5"), ("20", "4 5 6"), ("20.5", "6"), ("true", ""), ("null", ""),
    // Words of other scripts begin where letters begin.
    ("漢字", "4"), ("かな", ""), ("strasse", ""), ("straße", "10"), ("σας ", "10"), ("ΣΑΣ ", "10"),
    // U+0000 is between words, a text that is no Unicode has none, and no symbol is a word.
    ("x ", "14"), ("a\0b ", "11"), (#""emma x""#, "14"), ("emma\0x", "14"), ("sie␞wir", "16"),
    (#""sie wir""#, "16"), ("sie wir", "16"), ("emma␞", "0 1 2 14"),
    // Nothing to look for is found everywhere.
    ("", "0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16"),
    ("  \"\" ( * 👍 ␞ ", "0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16"),
    ("emma 👍 *", "0 2 14"),
  ]

  @Test(arguments: questions)
  func words(_ text: String, _ expected: String) throws {
    try fill(Self.texts.map { "{\"t\":\($0)}" })
    #expect(try found(text) == expected)
  }

  /// All texts in what stands at a path, each by itself; all paths together.
  @Test func arraysObjectsAndSeveralPaths() throws {
    try fill([
      #"{"t":["red","blue"]}"#, #"{"t":"red","u":"blue"}"#, #"{"t":["red blue"]}"#,
      #"{"t":{"a":["red",{"b":"blue","red":7}]}}"#, #"{"u":"red blue"}"#, #""red""#,
      #"{"a/b":{"~":"red"}}"#, #"{"t":"blue","t":"red"}"#, #"{"t":{"a":"blue","\u0061":"red"}}"#,
    ])
    #expect(try found("red blue") == "0 2 3")
    #expect(try found(#""red blue""#) == "2")
    #expect(try found("red blue", at: ["/t", "/u"]) == "0 1 2 3 4")
    #expect(try found("blue red", at: ["/u", "/t", "/u"]) == "0 1 2 3 4")
    #expect(try found(#""red blue""#, at: ["/u", "/t"]) == "2 4")
    #expect(try found("blue", at: ["/t/1"]) == "0")
    #expect(try found("red", at: [""]) == "0 1 2 3 4 5 6 7 8")
    #expect(try found("red", at: ["/a~1b/~0"]) == "6")
    #expect(try found("blue") == "0 2 3")
    #expect(try found("7") == "3")
  }

  /// Paths that lead out of contents are read, because no index has them.
  @Test func idsCellsAndSections() throws {
    try fill([#"{"t":"x"}"#])
    let paths = ["#id", "#cell", "#section", "/t"]
    for (text, wanted) in [
      ("0", "0"), ("cell", "0"), ("s", "0"), ("x", "0"), ("x cell 0 s", "0"), ("y", ""),
    ] {
      #expect(try found(text, at: paths) == wanted, "\(text)")
    }
  }

  @Test func longTextsAndManyWords() throws {
    let long = String(repeating: "x", count: 40_000)
    let many = (0..<3_000).map { "w\($0)" }.joined(separator: " ")
    try fill(["{\"t\":\"\(long)\"}", "{\"t\":\"\(many)\"}", "{\"t\":\"\(long)y\"}"])
    // FTS5 knows a word by its first 32,768 bytes.
    #expect(try found(long) == "0 2")
    #expect(try found(long + "z ") == "0 2")
    #expect(try found(String(long.prefix(32_767)) + " ") == "")
    #expect(try found(many) == "1")
    #expect(try found("\"\(many)\"") == "1")
    // The first 64 words count, also in a phrase.
    #expect(try found("w2999 w17 " + many) == "1")
    let some = (0..<63).map { "w\($0)" }.joined(separator: " ")
    for (text, expected) in [
      ("\(some) no", ""), ("\(some) w2999 no", "1"), ("\(some) w299", "1"),
      ("\(some) * w299 no", "1"), ("\(some) \"w2998 w2999\"", "1"),
      ("\(some) \"w298 w2999\"", "1"), ("\(some) \"w29 no\"", "1"), ("\"\(some) w63 no\"", "1"),
      ("\"\(some) w64\"", ""), ("\"w1 w3", ""),
    ] {
      #expect(try found(text) == expected, "\(text)")
    }
    #expect(try found(String(repeating: "w1 ", count: 100_000)) == "1")
    #expect(try found(String(repeating: "\"", count: 100_001)) == "0 1 2")
    #expect(try found(String(repeating: "*", count: 100_000)) == "0 1 2")
  }

  @Test func whatIsFoundMoreOftenInShorterTextsAtEarlierPathsIsBetter() throws {
    try fill([
      #"{"t":"one two three four five six seven emma eight nine ten"}"#, #"{"t":"emmas"}"#,
      #"{"t":"emma"}"#, #"{"u":"emma"}"#, #"{"t":"emma emma"}"#, #"{"t":"emma","u":"emma"}"#,
      #"{"t":"no"}"#, #"{"t":"emma"}"#,
    ])
    #expect(try found("emma", at: ["/t", "/u"], isRanked: true) == "5 4 2 7 0 1 3")
    #expect(try found("emma ", at: ["/t", "/u"], isRanked: true) == "5 4 2 7 0 3")
    #expect(try found("emma", at: ["/u", "/t"], isRanked: true) == "5 3 4 2 7 0 1")
    #expect(try found("", at: ["/t"], isRanked: true) == "0 1 2 3 4 5 6 7")
  }
}
