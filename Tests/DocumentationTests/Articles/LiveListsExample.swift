import Cellar

/// The examples of the article on live lists, line by line; ``LiveListsTests`` compares and runs
/// them.
enum LiveListsExample {
  struct Book: ListItem {
    var id: String, title: String
    func configure(_ cell: BookCell) {}
  }
  final class BookCell {}
  typealias Chapter = Book

  static func replace(_ shelf: LiveList, more: [Book], showsAd: Bool) throws -> Commit? {
    // Article: begin
    let commit = try shelf.replace {
      ListSection("today", layout: SectionLayout(kind: .list)) {
        Book(id: "emma", title: "Emma")
        for book in more { book }
        if showsAd { FieldItem(id: "ad", cell: "AdCell", title: "Read more") }
      }
    }
    // Article: end
    return commit
  }

  static func edit(_ shelf: LiveList, books: [Book]) throws {
    // Article: begin
    try shelf.edit { list in
      try list.insertSection(ListSection("tomorrow") { for book in books { book } })
    }
    // Article: end
  }

  static func follow(_ shelf: LiveList, lines: AsyncStream<String>) async throws -> FeedReport {
    // Article: begin
    let following = Task { try await shelf.follow(lines) }
    // Article: end
    return try await following.value
  }

  static func viewState(_ shelf: LiveList) throws -> ListViewState {
    // Article: begin
    var state = try shelf.viewState()
    state.selection.select("emma")
    state.anchor = ListViewState.Anchor(item: "dune", offset: -12)
    try shelf.save(state)
    // Article: end
    return try shelf.viewState()
  }

  static func nested(_ shelf: LiveList) throws -> LiveList {
    // Article: begin
    let chapters = shelf.nested(in: "emma", "chapters", items: [Chapter.self])
    try chapters.replace {
      ListSection("volume 1") { Chapter(id: "1", title: "Emma Woodhouse, handsome, clever") }
    }
    // Article: end
    return chapters
  }
}
