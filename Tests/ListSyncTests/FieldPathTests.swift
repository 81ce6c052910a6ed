import Cellar
import Foundation
import ListItems
import ListModel
import Testing

@testable import ListSync

/// Where the properties of an app's types are found.
@Suite struct FieldPathTests {
  private enum Folder: String, Codable, CaseIterable { case inbox, archive, trash }
  private enum Hidden: String, Codable { case one, two }
  private struct Sender: Codable { var name: String, isKnown: Bool }

  /// An item with each kind of property.
  private struct Letter: ListItem {
    typealias Cell = Never
    var id: String
    var title: String
    var subtitle: String?
    var isRead: Bool
    var isMuted: Bool
    var size: Int
    var byte: UInt8
    var weight: Double
    var date: Date
    var link: URL?
    var token: UUID
    var folder: Folder
    var sender: Sender
    var labels: [String]
    var isPinned: Bool
    var slashed: String
    var hidden: Hidden?

    enum CodingKeys: String, CodingKey {
      case id, title = "subject", subtitle, isRead, isMuted, size, byte, weight, date, link, token
      case folder, sender, labels, isPinned, slashed = "a/b~c", hidden
    }

    var isUnread: Bool { !isRead }
    var isLoud: Bool { !isMuted }
    var isQuiet: Bool { isRead && isMuted }
    var day: Int { Int(date.timeIntervalSince1970 / 86_400) }
    var shownTitle: String { title.uppercased() }
    var best: String { subtitle ?? title }
    var alias: String { title }
    var count: Int { labels.count }
    var cellName: CellName { "Letter" }

    init(from decoder: any Decoder) throws {
      let values = try decoder.container(keyedBy: CodingKeys.self)
      id = try values.decode(String.self, forKey: .id)
      title = try values.decode(String.self, forKey: .title)
      subtitle = try values.decodeIfPresent(String.self, forKey: .subtitle)
      isRead = try values.decode(Bool.self, forKey: .isRead)
      isMuted = try values.decode(Bool.self, forKey: .isMuted)
      size = try values.decode(Int.self, forKey: .size)
      byte = try values.decode(UInt8.self, forKey: .byte)
      weight = try values.decode(Double.self, forKey: .weight)
      date = try values.decode(Date.self, forKey: .date)
      link = try values.decodeIfPresent(URL.self, forKey: .link)
      token = try values.decode(UUID.self, forKey: .token)
      folder = try values.decode(Folder.self, forKey: .folder)
      sender = try values.decode(Sender.self, forKey: .sender)
      labels = try values.decode([String].self, forKey: .labels)
      isPinned = try values.decodeIfPresent(Bool.self, forKey: .isPinned) ?? false
      slashed = try values.decode(String.self, forKey: .slashed)
      hidden = try values.decodeIfPresent(Hidden.self, forKey: .hidden)
    }
  }

  private func path(_ property: KeyPath<Letter, some Encodable>) throws -> String {
    try FieldPaths<Letter>().field(property).path
  }

  @Test func storedPropertiesAreFoundUnderTheNamesThatTheTypeEncodes() throws {
    #expect(try path(\.id) == "#id")
    #expect(try path(\.title) == "/subject")
    #expect(try path(\.alias) == "/subject")
    #expect(try path(\.subtitle) == "/subtitle")
    #expect(try path(\.isRead) == "/isRead")
    #expect(try path(\.isMuted) == "/isMuted")
    #expect(try path(\.size) == "/size")
    #expect(try path(\.byte) == "/byte")
    #expect(try path(\.weight) == "/weight")
    #expect(try path(\.date) == "/date")
    #expect(try path(\.link) == "/link")
    #expect(try path(\.token) == "/token")
    #expect(try path(\.folder) == "/folder")
    #expect(try path(\.sender.name) == "/sender/name")
    #expect(try path(\.sender.isKnown) == "/sender/isKnown")
    #expect(try path(\.labels) == "/labels")
    #expect(try path(\.isPinned) == "/isPinned")
    #expect(try path(\.slashed) == "/a~1b~0c")
  }

  @Test func whatIsWorkedOutIsRefused() {
    func refuses(_ property: KeyPath<Letter, some Encodable>) -> Bool {
      do {
        _ = try path(property)
        return false
      } catch { return (error as? StoreError)?.code == .invalidValue }
    }
    #expect(refuses(\.isUnread))
    #expect(refuses(\.isLoud))
    #expect(refuses(\.isQuiet))
    #expect(refuses(\.day))
    #expect(refuses(\.shownTitle))
    #expect(refuses(\.best))
    #expect(refuses(\.count))
  }

  @Test func aPropertyThatAContentMayLackHasTheValueOfTheType() throws {
    #expect(try FieldPaths<Letter>().field(\.isRead).absent == nil)
    #expect(try FieldPaths<Letter>().field(\.subtitle).absent == nil)
    #expect(try FieldPaths<Letter>().field(\.isPinned).absent == (try JSON(parsing: "false")))
    struct Note: ListItem {
      typealias Cell = Never
      var id: String, isPinned = false, rank = 7
      static var contentDefaults: JSON.Members { ["isPinned": false, "rank": 7] }
    }
    let paths = FieldPaths<Note>()
    #expect(try paths.field(\.isPinned).absent == (try JSON(parsing: "false")))
    let fields = ItemFields(paths: paths)
    func json(_ test: some ItemTest) throws -> String { try test.condition.json() }
    #expect(try json(fields.isPinned) == #"{"path":"/isPinned","eq":true}"#)
    #expect(
      try json(fields.isPinned == false)
        == #"{"any":[{"path":"/isPinned","eq":false},{"path":"/isPinned","exists":false}]}"#)
    #expect(
      try json(fields.rank != 7)
        == #"{"all":[{"path":"/rank","ne":7},{"path":"/rank","exists":true}]}"#)
    #expect(
      try json(fields.rank > 3)
        == #"{"any":[{"path":"/rank","gt":3},{"path":"/rank","exists":false}]}"#)
    #expect(try json(fields.rank < 3) == #"{"path":"/rank","lt":3}"#)
  }

  @Test func aTypeOfWhichNothingCanBeMadeUpSaysSo() {
    struct Odd: ListItem {
      typealias Cell = Never
      var id: String, hidden: Hidden
    }
    #expect {
      try FieldPaths<Odd>().field(\.id)
    } throws: { "\($0)".contains("no Hidden can be made up for \"hidden\"") }
    #expect(throws: Never.self) {
      try DerivedQuery<Odd>().sorted(by: .path("/hidden"))
        .definition("a", of: "b", types: [], version: nil)
    }
  }

  @Test func conditionsAreTheDataOfTheFormat() throws {
    let fields = ItemFields(paths: FieldPaths<Letter>())
    func json(_ test: some ItemTest) throws -> String { try test.condition.json() }
    #expect(
      try json(!fields.isRead && (fields.size < 100 || fields.labels.contains("work")))
        == #"{"all":[{"not":[{"path":"/isRead","eq":true}]},{"any":[{"path":"/size","lt":100},"#
        + #"{"path":"/labels","has":"work"}]}]}"#)
    #expect(try json(fields.subtitle == nil) == #"{"path":"/subtitle","eq":null}"#)
    #expect(try json(fields.subtitle.hasPrefix("A")) == #"{"path":"/subtitle","prefix":"A"}"#)
    #expect(try json(fields.title.contains("é\"")) == #"{"path":"/subject","contains":"é\""}"#)
    #expect(
      try json(fields.folder.isIn([.inbox, .trash]))
        == #"{"path":"/folder","in":["inbox","trash"]}"#)
    #expect(try json(fields.sender.name >= "b") == #"{"path":"/sender/name","ge":"b"}"#)
    #expect(
      try json(fields.path("#section", as: String.self) == "today")
        == ##"{"path":"#section","eq":"today"}"##)
    let date = Date(timeIntervalSinceReferenceDate: 12.5)
    #expect(try json(fields.date > date) == #"{"path":"/date","gt":12.5}"#)
  }
}
