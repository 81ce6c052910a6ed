import Foundation
import ListModel
import ListStore
import ListSync

/// Stores of one list of messages, which lists are derived from: each made once a run, its items
/// inserted at random places.
struct MailStore {
  static let list: ListID = "mail"
  static let section: SectionID = "all"
  /// How many values `day` has.
  static let days = 1_000

  private let lists: StoredLists
  private let seed: UInt64

  init(_ lists: StoredLists, seed: UInt64) {
    self.lists = lists
    self.seed = seed
  }

  /// A store that nobody may write to.
  func store(_ count: Int) throws -> URL {
    try lists.file("mail-\(count)") { file in
      let repository = try Repository(at: file)
      let list = repository.liveList(Self.list)
      try list.commit([.insertSection(Self.section)])
      var generator = SeededGenerator(seed: seed)
      for start in stride(from: 0, to: count, by: 50_000) {
        try list.commit(
          (start..<min(start + 50_000, count)).map { number in
            .insertItem(
              try Self.item(number), in: Self.section,
              at: .index(Int.random(in: 0...number, using: &generator)))
          })
      }
    }
  }

  static func item(_ number: Int) throws -> Item {
    Item(
      id: try ItemID(StoredLists.key(number)), cell: "MessageCell",
      content: try content(number, version: 0))
  }

  /// A content of about 120 bytes, with a title of 16 characters that another version changes.
  static func content(_ number: Int, version: Int) throws -> JSON {
    let mixed = mixed(number, version)
    return try JSON(
      parsing: "{\"title\":\"\(title(number, version: version))\",\"day\":\(mixed % UInt64(days)),"
        + "\"isUnread\":\(mixed >> 40 & 7 == 0),\"from\":\"person\(mixed >> 20 % 997)@example.org\","
        + "\"preview\":\"What this is about\"}")
  }

  /// The title of a message: one word.
  static func title(_ number: Int, version: Int = 0) -> String {
    let digits = String(String(mixed(number, version), radix: 36).suffix(9))
    return String("M\(digits)\(number % 1_000_000 + 1_000_000)".prefix(16))
  }

  private static func mixed(_ number: Int, _ version: Int) -> UInt64 {
    SeededGenerator.mix(UInt64(number) &+ UInt64(version) &* 0x9e37_79b9)
  }

  /// Sorted by title, in a section for each day: all items, with a key of 16 bytes and another.
  static func byDay(_ name: String) throws -> JSON {
    try JSON(
      parsing: "{\"derived\":\"\(name)\",\"of\":\"mail\",\"sort\":[{\"path\":\"/title\"}],"
        + "\"section\":{\"path\":\"/day\",\"view\":\"DayHeader\"}}")
  }

  /// Sorted by title, in one section.
  static func byTitle(_ name: String) throws -> JSON {
    try JSON(parsing: "{\"derived\":\"\(name)\",\"of\":\"mail\",\"sort\":[{\"path\":\"/title\"}]}")
  }

  /// Half of the days, of a list that is derived from the messages.
  static func below(_ name: String, of source: String) throws -> JSON {
    try JSON(
      parsing: "{\"derived\":\"\(name)\",\"of\":\"\(source)\","
        + "\"where\":[{\"path\":\"/day\",\"lt\":500}],\"sort\":[{\"path\":\"/from\"}]}")
  }

  /// What has a word that begins so in its title.
  static func found(_ name: String, _ text: String) throws -> JSON {
    try JSON(
      parsing: "{\"derived\":\"\(name)\",\"of\":\"mail\","
        + "\"where\":[{\"paths\":[\"/title\"],\"matches\":\"\(text)*\"}]}")
  }

  /// Nothing: no item is from there.
  static func ofNobody(_ number: Int) throws -> JSON {
    try JSON(
      parsing: "{\"derived\":\"nobody\(number)\",\"of\":\"mail\","
        + "\"where\":[{\"path\":\"/from\",\"eq\":\"nobody\(number)\"}],"
        + "\"sort\":[{\"path\":\"/title\"}]}")
  }
}
