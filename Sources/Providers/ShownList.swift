package import BatchUpdates
public import ListModel
import ListOrder

/// A list without its hidden sections, as a view shows it.
///
/// A view counts only shown sections; a Provider counts all. This type converts between the two: a
/// *shown* index or path is the view's, a *list* index or path is the Provider's. If nothing is
/// hidden, both are the same.
///
/// - Complexity: Each method takes O(log *h*), *h* hidden sections, in addition to the Provider's
///   time.
public struct ShownList: Sendable {
  /// The whole list.
  public let provider: Provider
  private let hidden: HiddenSections

  fileprivate init(_ provider: Provider) {
    self.provider = provider
    hidden = provider.hiddenSections
  }

  /// The list indexes of the sections that are hidden, ascending.
  package var hiddenSections: [Int] { hidden.indexes }

  /// How many sections the view has.
  public var numberOfSections: Int { provider.numberOfSections - hidden.indexes.count }

  /// How many items the view has in the section at a shown index; 0 if it has no such section.
  public func numberOfItems(inSection index: Int) -> Int {
    listIndex(ofSection: index).map { provider.numberOfItems(inSection: $0) } ?? 0
  }

  /// The list index of a section.
  ///
  /// - Parameter index: A shown index.
  /// - Returns: `nil` if the view has no such section.
  public func listIndex(ofSection index: Int) -> Int? {
    (0..<numberOfSections).contains(index) ? hidden.listIndex(ofShown: index) : nil
  }

  /// The shown index of a section.
  ///
  /// - Parameter index: A list index.
  /// - Returns: `nil` if the section is hidden, or the list has no such section.
  public func shownIndex(ofSection index: Int) -> Int? {
    (0..<provider.numberOfSections).contains(index) ? hidden.shownIndex(of: index) : nil
  }

  /// The list path of an item.
  ///
  /// - Parameter path: A shown path.
  /// - Returns: `nil` if the view has no such item.
  public func listPath(of path: ItemPath) -> ItemPath? {
    guard let section = listIndex(ofSection: path.section) else { return nil }
    let path = ItemPath(section: section, item: path.item)
    return provider.hasItem(at: path) ? path : nil
  }

  /// The shown path of an item.
  ///
  /// - Parameter path: A list path.
  /// - Returns: `nil` if the item's section is hidden, or the list has no such item.
  public func shownPath(of path: ItemPath) -> ItemPath? {
    provider.hasItem(at: path) ? hidden.shownPath(of: path) : nil
  }
}

extension Provider {
  /// The list without its hidden sections.
  ///
  /// It is computed on each access, from memory. Keep it as long as the Provider does not change.
  ///
  /// - Complexity: O(1) if all sections have the visibility `shown`; otherwise O(*v* log *n*), *v*
  ///   sections with another visibility.
  public var shown: ShownList { ShownList(self) }

  /// The sections that are hidden from a view, by their list indexes.
  package var hiddenSections: HiddenSections {
    if visibilities.isEmpty { return HiddenSections([]) }
    let hidden = listedVisibilities.filter {
      $0.visibility.hides(itemCount: outline.itemCount(inSection: $0.section))
    }
    return HiddenSections(hidden.map(\.section))
  }

  /// The sections whose visibility is not `shown`, by their list indexes, ascending.
  var listedVisibilities: [(section: Int, visibility: SectionAttributes.Visibility)] {
    if visibilities.isEmpty { return [] }
    return visibilities.map { (outline.index(ofSection: $0.key), $0.value) }
      .sorted { $0.section < $1.section }
  }
}
