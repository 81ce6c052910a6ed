#if canImport(SwiftUI) && canImport(UIKit) && !os(watchOS)
  public import CellarUIKit
  public import ListSync
  public import ListViews
  public import SwiftUI

  /// A long list in SwiftUI: a collection view with a `CollectionAdapter`.
  ///
  /// ```swift
  /// var body: some View {
  ///   CollectionList(shelf) { adapter in
  ///     adapter.handlers.on(.select, of: Book.self) { book, _ in open(book) }
  ///   }
  /// }
  /// ```
  ///
  /// SwiftUI's `ForEach` reads the ids of all rows; this reads those on screen. Cells, sizes, updates,
  /// selection and place are the adapter's. For rows that are SwiftUI views, let the item's cell set
  /// a `UIHostingConfiguration`; for short lists use `@ListQuery`.
  public struct CollectionList: UIViewRepresentable {
    private let list: LiveList
    private let screen: String?
    private let layout: () -> UICollectionViewLayout
    private let onProblem: ((any Error) -> Void)?
    private let setUp: (CollectionAdapter) -> Void

    /// A list.
    ///
    /// - Parameters:
    ///   - list: The list. Another one replaces it in the same view.
    ///   - layout: Makes the layout, once.
    ///   - screen: The name under which the store keeps the selection and the scroll position, if
    ///     several screens show the list; `nil`: it does not keep them.
    ///   - onProblem: Called with each problem, also if the list can't be read.
    ///   - setUp: Called once with the adapter of each list: to add handlers, and to set what it does.
    public init(
      _ list: some ShowableList,
      layout: @escaping () -> UICollectionViewLayout = { ListCollectionLayout() },
      screen: String? = "", onProblem: ((any Error) -> Void)? = nil,
      setUp: @escaping (CollectionAdapter) -> Void = { _ in }
    ) {
      self.list = list.shown
      self.screen = screen
      self.layout = layout
      self.onProblem = onProblem
      self.setUp = setUp
    }

    /// Keeps the adapter.
    @MainActor public final class Coordinator {
      fileprivate let shown = ShownAdapter()
    }

    /// One for the life of the view.
    public func makeCoordinator() -> Coordinator { Coordinator() }

    /// A collection view.
    public func makeUIView(context: Context) -> UICollectionView {
      UICollectionView(frame: .zero, collectionViewLayout: layout())
    }

    /// Shows the list, unless the view shows it already.
    public func updateUIView(_ view: UICollectionView, context: Context) {
      context.coordinator.shown.show(
        list, in: view, screen: screen, onProblem: onProblem, setUp: setUp)
    }

    /// Saves the selection and the scroll position.
    public static func dismantleUIView(_ view: UICollectionView, coordinator: Coordinator) {
      coordinator.shown.end()
    }
  }
#endif
