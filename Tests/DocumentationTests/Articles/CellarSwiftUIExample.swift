import Cellar

/// The examples of an article, line by line.
enum CellarSwiftUIExample {
  // Article: begin
  struct Book: ListItem {
    typealias Cell = Never
    var id: String, title: String, isLiked = false
  }
  // Article: end
}

#if canImport(SwiftUI)
  import CellarSwiftUI
  import SwiftUI

  private typealias Book = CellarSwiftUIExample.Book

  // Article: begin
  struct ShelfView: View {
    @ListQuery private var books: ListContent

    init(_ shelf: LiveList) { _books = ListQuery(shelf) }

    var body: some View {
      List {
        ForEach(books.sections) { section in
          Section(section.id.rawValue) {
            ForEach(section.rows) { row in
              if let book = row.value(as: Book.self) { Text(book.title) }
            }
            .onDelete { delete($0.map { section.rows[$0].id }) }
          }
        }
      }
      .overlay { if let error = books.error { Text(error.message) } }
    }

    private func delete(_ items: [ItemID]) {
      do {
        try $books.edit { try $0.delete(items) }
      } catch {
        print(error)
      }
    }
  }
// Article: end
#endif

#if canImport(SwiftUI) && canImport(UIKit) && !os(watchOS)
  import CellarUIKit
  import UIKit

  private struct LongShelfView: View {
    struct Book: ListItem {
      var id: String, title: String
      func configure(_ cell: UICollectionViewListCell) {}
    }

    let shelf: LiveList
    let open: (Book) -> Void

    var body: some View {
      // Article: begin
      CollectionList(shelf) { adapter in
        adapter.handlers.on(.select, of: Book.self) { book, _ in open(book) }
      }
      // Article: end
    }
  }
#endif
