import ListModel
import Pages
import TestSupport
import Testing

/// Pages are stored while they know more than a feed has told.
@Suite struct AskedPageTests {
  private static let parts: [PageRequest.Part] = [
    .newest, .after, .before, .around("i7"), .from(12),
  ]

  @Test(arguments: parts)
  func itIsReadAsItWasWritten(_ part: PageRequest.Part) throws {
    let items = [
      Item(id: "a \"quoted\" one", cell: "C", content: #"{"likes":[1,{"x":null}]}"#),
      Item(id: "b", cell: "D", content: "null"),
    ]
    let pages = [
      Page(items: []),
      Page(
        items: items, before: "<", after: ">", offset: 3, total: 9, sequence: 4,
        meetsOtherSide: true),
    ]
    for page in pages {
      let asked = [
        AskedPage(
          page, for: nil, part, saying: nil, beside: (nil, nil), in: "items", isNewestAtEnd: false),
        AskedPage(
          page, for: "#gap 1", part, saying: Gap(after: "x", before: "y", count: 3, offset: 7),
          beside: ("above", "below"), in: "s", isNewestAtEnd: true, isCurrent: true),
      ]
      for page in asked {
        let copy = try AskedPage(parsing: page.json.text)
        #expect(copy.json == page.json)
        #expect("\(copy)".utf8.count == "\(page)".utf8.count)
        #expect(copy.page.items == page.page.items)
      }
    }
  }

  @Test(arguments: ["", "{}", #"{"part":"all"}"#])
  func anythingElseIsRefused(_ text: String) {
    #expect(throws: FormatError.self) { try AskedPage(parsing: text) }
  }
}
