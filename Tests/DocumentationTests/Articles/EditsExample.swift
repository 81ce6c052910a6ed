import Cellar

/// The examples of an article, line by line; ``TaskArticleTests`` compares and runs them.
enum EditsExample {
  struct Book: ListItem {
    var id: String, title: String, isLiked = false
    func configure(_ cell: BookCell) {}
  }
  struct Quote: ListItem {
    var id: String, text: String
    func configure(_ cell: BookCell) {}
  }
  final class BookCell {}
  struct Page { var books: [Book], next: String }
  struct Cursor: Codable { var next: String }

  static func edit(_ shelf: LiveList) throws {
    // Article: begin
    try shelf.edit { list in
      try list.insertSectionIfMissing("today")
      try list.insert(Book(id: "emma", title: "Emma"), in: "today")
      try list.insert(Book(id: "dune", title: "Dune"), in: "today", at: .start)
      try list.move("emma", to: .before("dune"))
    }
    // Article: end
  }

  static func update(_ shelf: LiveList) throws {
    // Article: begin
    try shelf.edit { list in
      try list.update("emma", as: Book.self) { $0.isLiked = true }
      try list.update("dune", \Book.isLiked, to: true)
      try list.upsert(Book(id: "faust", title: "Faust"), in: "today")
      try list.deleteIfPresent("ulysses")
    }
    // Article: end
  }

  static func setUp(_ shelf: LiveList, _ books: [Book]) throws {
    // Article: begin
    try shelf.edit { list in
      try list.insertSectionIfMissing(
        ListSection("new") { Book(id: "ulysses", title: "Ulysses") }, at: .start)
      try list.insert(in: "today", at: .after("dune")) {
        for book in books { book }
        Quote(id: "q1", text: "It is a truth")
      }
    }
    // Article: end
  }

  static func delete(_ shelf: LiveList) throws -> [ItemPath] {
    // Article: begin
    let paths = try shelf.edit { list in try list.delete(["emma", "dune"]) }
    // Article: end
    return paths
  }

  static func append(_ page: Page, to shelf: LiveList) throws -> Cursor? {
    // Article: begin
    let pages = shelf.authored(by: "pages")
    try pages.edit { list in
      try list.insert(page.books, in: "today")
      try list.setMeta(JSON(encoding: Cursor(next: page.next)))
    }
    let cursor = try shelf.meta()?.decoded(as: Cursor.self)
    // Article: end
    return cursor
  }

  static func replace(_ shelf: LiveList, _ books: [Book]) throws {
    // Article: begin
    try shelf.replace {
      ListSection("today") {
        for book in books { book }
      }
    }
    // Article: end
  }

  static func like(_ shelf: LiveList, _ id: ItemID) async throws {
    // Article: begin
    func like(_ id: ItemID) async throws {
      try await shelf.edit { list in
        try list.update(id, as: Book.self) { $0.isLiked = true }
      }
    }
    // Article: end
    try await like(id)
  }

  static func follow(
    _ shelf: LiveList, from shown: Provider, _ show: @Sendable (BatchUpdate, Provider) -> Bool
  ) async throws {
    // Article: begin
    for try await update in shelf.updates(after: shown) {
      let goesOn = show(update.batch, update.provider)
      if !goesOn { break }
    }
    // Article: end
  }
}
