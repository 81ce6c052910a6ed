public import ListItems
public import ListModel
public import ListSync
public import Providers

/// A revision of a list as SwiftUI shows it: sections and rows with identities of their own, without
/// hidden sections.
///
/// Items are read and decoded when a row asks for them. `ForEach` reads the ids of all rows.
public struct ListContent: Sendable {
  /// The list; empty before its first commit, and if it could not be read.
  public let provider: Provider
  /// Why the store could not be read last; `nil` if it was read.
  ///
  /// The rows are then those that were read before.
  public let error: StoreError?
  private let shown: ShownList
  private let types: ItemTypes
  private let supplementaryTypes: SupplementaryTypes
  /// How many items are in the sections before each section, and in all of them.
  private let starts: [Int]
  private let pages: RowPages?

  init(_ provider: Provider, of list: LiveList, pages: RowPages? = nil, error: StoreError? = nil) {
    self.pages = pages
    self.provider = provider
    self.error = error
    shown = provider.shown
    types = list.types
    supplementaryTypes = list.supplementaryTypes
    starts = (0..<shown.numberOfSections).reduce(into: [0]) { [shown] starts, section in
      starts.append(starts[section] + shown.numberOfItems(inSection: section))
    }
  }

  /// The sections, in order.
  public var sections: Sections { Sections(content: self) }

  /// The rows of all sections, in order.
  public var rows: Rows { Rows(content: self, first: 0, endIndex: starts.last ?? 0) }

  /// The sections of a list.
  public struct Sections: RandomAccessCollection, Sendable {
    fileprivate let content: ListContent

    /// The index of the first section.
    public var startIndex: Int { 0 }
    /// The number of sections.
    public var endIndex: Int { content.starts.count - 1 }

    /// The section at an index.
    public subscript(index: Int) -> Section {
      precondition(indices.contains(index), "there is no section \(index)")
      guard let listIndex = content.shown.listIndex(ofSection: index),
        let id = content.provider.sectionID(at: listIndex),
        let attributes = content.provider.attributes(ofSection: listIndex)
      else { preconditionFailure("section \(index) of \(endIndex) is missing") }
      let rows = Rows(
        content: content, first: content.starts[index],
        endIndex: content.starts[index + 1] - content.starts[index])
      return Section(
        id: id, attributes: attributes, rows: rows, types: content.supplementaryTypes)
    }
  }

  /// A section of a list.
  public struct Section: Identifiable, Sendable {
    /// The section's id in the list.
    public let id: SectionID
    /// What the list says about the section.
    public let attributes: SectionAttributes
    /// The section's rows, in order.
    public let rows: Rows
    fileprivate let types: SupplementaryTypes

    /// The value of the section's header, footer or another view.
    ///
    /// - Returns: `nil` if it has none, or not one of this type.
    public func value<Value: ListSupplementary>(
      of kind: Supplementary.Kind, as type: Value.Type = Value.self
    ) -> Value? {
      attributes[kind].flatMap { try? types.value(of: $0) as? Value }
    }
  }

  /// The rows of a section, or of a whole list.
  public struct Rows: RandomAccessCollection, Sendable {
    fileprivate let content: ListContent
    /// The place of the first row among all of the list.
    fileprivate let first: Int
    /// The number of rows.
    public let endIndex: Int

    /// The index of the first row.
    public var startIndex: Int { 0 }

    /// The row at an index.
    ///
    /// - Complexity: O(log *n*), *n* items of the list.
    public subscript(index: Int) -> Row {
      precondition(indices.contains(index), "there is no row \(index)")
      guard let path = content.path(ofRow: first + index),
        let id = content.provider.itemID(at: path)
      else { preconditionFailure("row \(index) of \(endIndex) is missing") }
      return Row(id: id, path: path, content: content)
    }
  }

  /// A row: an item of a list.
  ///
  /// Two rows are equal if they have the same item with the same content, so an `EquatableView`
  /// draws changed rows only.
  public struct Row: Identifiable, Equatable, Sendable {
    /// The item's id.
    public let id: ItemID
    /// The item's place in ``ListContent/provider``.
    public let path: ItemPath
    private let content: ListContent
    private var provider: Provider { content.provider }

    fileprivate init(id: ItemID, path: ItemPath, content: ListContent) {
      self.id = id
      self.path = path
      self.content = content
    }

    /// The stored item; `nil` if the store can't be read.
    public var item: Item? { provider.item(at: path) }

    /// The value of the item.
    ///
    /// `LiveList.types` throws the reason why an item has none.
    ///
    /// - Returns: `nil` if the item has another type, or can't be decoded.
    public func value<Value: ListItem>(as type: Value.Type = Value.self) -> Value? {
      item.flatMap { try? content.types.value(of: $0) as? Value }
    }

    // MARK: What is not loaded

    /// What the list has not loaded, if the row stands for that; else `nil`.
    public var gap: Gap? {
      guard provider.cell(at: path)?.cell == Gap.cell, let item else { return nil }
      return Gap(readable: item.state.content)
    }

    /// What is known of the pages that a gap waits for: it is loaded, or has failed and why.
    ///
    /// `LiveList.retryPages()` has those that have failed loaded again.
    @MainActor public var pageState: LiveList.PageState { content.pages?.state(of: id) ?? .idle }

    /// Notes that the row is in sight: the pages of gaps near it are loaded.
    ///
    /// ```swift
    /// MessageRow(row).onAppear(perform: row.didAppear).onDisappear(perform: row.didDisappear)
    /// ```
    @MainActor public func didAppear() { content.pages?.appeared(id, in: content) }

    /// Notes that the row is not in sight any more.
    @MainActor public func didDisappear() { content.pages?.disappeared(id, in: content) }

    /// Whether two rows show the same; a gap may be in another state each time.
    public static func == (lhs: Row, rhs: Row) -> Bool {
      if lhs.gap != nil { return false }
      guard lhs.id == rhs.id, let left = lhs.provider.cell(at: lhs.path),
        let right = rhs.provider.cell(at: rhs.path)
      else { return false }
      return left == right
    }
  }

  /// The place of an item among all rows; `nil` if none shows it.
  func row(of item: ItemID) -> Int? {
    guard let path = provider.path(of: item), let place = shown.shownPath(of: path) else {
      return nil
    }
    return starts[place.section] + place.item
  }

  /// The path of a row among all rows.
  fileprivate func path(ofRow row: Int) -> ItemPath? {
    // The last section that begins at the row or before it: empty ones begin where the next does.
    var (low, high) = (0, starts.count - 1)
    while high - low > 1 {
      let middle = (low + high) / 2
      if starts[middle] <= row { low = middle } else { high = middle }
    }
    return shown.listPath(of: ItemPath(section: low, item: row - starts[low]))
  }
}
