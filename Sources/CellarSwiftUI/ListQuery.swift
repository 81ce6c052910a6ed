#if canImport(SwiftUI)
  import BatchUpdates
  import Combine
  public import ListSync
  public import SwiftUI

  /// The sections and rows of a list in a SwiftUI view, which is drawn anew after each commit.
  ///
  /// ```swift
  /// struct ShelfView: View {
  ///   @ListQuery private var books: ListContent
  ///
  ///   init(_ shelf: LiveList) { _books = ListQuery(shelf) }
  ///
  ///   var body: some View {
  ///     List {
  ///       ForEach(books.rows) { row in
  ///         if let book = row.value(as: Book.self) { Text(book.title) }
  ///       }
  ///     }
  ///   }
  /// }
  /// ```
  ///
  /// It follows commits of this Repository, of feeds and of other processes. All commits made
  /// within ``/ListSync/LiveList/updateInterval`` are one change. Items keep their ids, so SwiftUI
  /// moves, inserts and removes the rows that changed.
  ///
  /// The projected value is the list, for edits: `try $books.edit { … }`.
  @MainActor @propertyWrapper public struct ListQuery: DynamicProperty {
    @StateObject private var model: Model

    /// Follows a list as long as the view is in the hierarchy.
    ///
    /// A view keeps the list that it was made with first. If it may get another one, give it the
    /// list's id: `ShelfView(shelf).id(shelf.id)`.
    ///
    /// - Parameters:
    ///   - list: The list.
    ///   - animation: The animation of changes; `nil` for none. A change of so many rows that
    ///     `UpdatePolicy.budget` has a view reload is not animated.
    public init(_ list: some ShowableList, animation: Animation? = .default) {
      let list = list.shown
      _model = StateObject(wrappedValue: Model(list, animation))
    }

    /// The list's newest revision.
    public var wrappedValue: ListContent { model.content }

    /// The list that edits go to: of a derived list, its source.
    public var projectedValue: LiveList { model.follower.list.edited }

    /// Publishes the contents of a follower.
    @MainActor private final class Model: ObservableObject {
      let follower: ListFollower
      @Published private(set) var content: ListContent

      init(_ list: LiveList, _ animation: Animation?) {
        follower = ListFollower(list)
        content = follower.content
        follower.onPages = { [weak self] in self?.content = $0 }
        follower.onChange = { [weak self] content, batch in
          let isReload = if case .reload = batch?.mode { true } else { false }
          withAnimation(isReload ? nil : animation) { self?.content = content }
        }
      }
    }
  }
#endif
