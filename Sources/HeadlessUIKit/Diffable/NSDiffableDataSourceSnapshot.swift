/// A list by identity: sections, and the items of each.
///
/// Identifiers are unique. As in UIKit, a duplicate or unknown identifier is a bug of the caller
/// and ends the process.
public struct NSDiffableDataSourceSnapshot<
  SectionIdentifierType: Hashable & Sendable, ItemIdentifierType: Hashable & Sendable
>: Sendable {
  struct Section: Sendable {
    var id: SectionIdentifierType
    var items: [ItemIdentifierType]
  }

  var sections: [Section] = []
  /// The items to reload, in the order of the calls.
  public private(set) var reloadedItemIdentifiers: [ItemIdentifierType] = []
  /// The items to reconfigure, in the order of the calls.
  public private(set) var reconfiguredItemIdentifiers: [ItemIdentifierType] = []
  /// The sections to reload, in the order of the calls.
  public private(set) var reloadedSectionIdentifiers: [SectionIdentifierType] = []

  /// An empty list.
  public init() {}

  // MARK: Questions

  /// The number of items.
  public var numberOfItems: Int { sections.reduce(0) { $0 + $1.items.count } }
  /// The number of sections.
  public var numberOfSections: Int { sections.count }
  /// The sections, in order.
  public var sectionIdentifiers: [SectionIdentifierType] { sections.map(\.id) }
  /// The items of all sections, in order.
  public var itemIdentifiers: [ItemIdentifierType] { sections.flatMap(\.items) }

  /// The items of a section, in order.
  public func itemIdentifiers(inSection identifier: SectionIdentifierType) -> [ItemIdentifierType] {
    sections[place(ofSection: identifier)].items
  }

  /// The number of items in a section.
  public func numberOfItems(inSection identifier: SectionIdentifierType) -> Int {
    itemIdentifiers(inSection: identifier).count
  }

  /// The section that holds an item; `nil` if there is no such item.
  public func sectionIdentifier(
    containingItem identifier: ItemIdentifierType
  ) -> SectionIdentifierType? { find(identifier).map { sections[$0.section].id } }

  /// The index of an item among all; `nil` if there is no such item.
  public func indexOfItem(_ identifier: ItemIdentifierType) -> Int? {
    itemIdentifiers.firstIndex(of: identifier)
  }

  /// The index of a section; `nil` if there is no such section.
  public func indexOfSection(_ identifier: SectionIdentifierType) -> Int? {
    sections.firstIndex { $0.id == identifier }
  }

  // MARK: Sections

  /// Appends sections.
  public mutating func appendSections(_ identifiers: [SectionIdentifierType]) {
    insert(identifiers, at: sections.count)
  }

  /// Inserts sections before another one.
  public mutating func insertSections(
    _ identifiers: [SectionIdentifierType], beforeSection toIdentifier: SectionIdentifierType
  ) { insert(identifiers, at: place(ofSection: toIdentifier)) }

  /// Inserts sections after another one.
  public mutating func insertSections(
    _ identifiers: [SectionIdentifierType], afterSection toIdentifier: SectionIdentifierType
  ) { insert(identifiers, at: place(ofSection: toIdentifier) + 1) }

  /// Deletes sections and their items.
  public mutating func deleteSections(_ identifiers: [SectionIdentifierType]) {
    for identifier in identifiers { sections.remove(at: place(ofSection: identifier)) }
  }

  /// Moves a section before another one.
  public mutating func moveSection(
    _ identifier: SectionIdentifierType, beforeSection toIdentifier: SectionIdentifierType
  ) {
    let section = sections.remove(at: place(ofSection: identifier))
    sections.insert(section, at: place(ofSection: toIdentifier))
  }

  /// Moves a section after another one.
  public mutating func moveSection(
    _ identifier: SectionIdentifierType, afterSection toIdentifier: SectionIdentifierType
  ) {
    let section = sections.remove(at: place(ofSection: identifier))
    sections.insert(section, at: place(ofSection: toIdentifier) + 1)
  }

  /// Marks sections to be reloaded.
  public mutating func reloadSections(_ identifiers: [SectionIdentifierType]) {
    reloadedSectionIdentifiers += identifiers
  }

  // MARK: Items

  /// Appends items to a section; `nil` means the last section.
  public mutating func appendItems(
    _ identifiers: [ItemIdentifierType], toSection sectionIdentifier: SectionIdentifierType? = nil
  ) {
    let section = sectionIdentifier.map(place(ofSection:)) ?? sections.count - 1
    precondition(
      sections.indices.contains(section),
      "There are currently no sections in the data source. Please add a section first.")
    insert(identifiers, at: (section, sections[section].items.count))
  }

  /// Inserts items before another one.
  public mutating func insertItems(
    _ identifiers: [ItemIdentifierType], beforeItem beforeIdentifier: ItemIdentifierType
  ) { insert(identifiers, at: place(ofItem: beforeIdentifier)) }

  /// Inserts items after another one.
  public mutating func insertItems(
    _ identifiers: [ItemIdentifierType], afterItem afterIdentifier: ItemIdentifierType
  ) {
    let place = place(ofItem: afterIdentifier)
    insert(identifiers, at: (place.section, place.item + 1))
  }

  /// Deletes items.
  public mutating func deleteItems(_ identifiers: [ItemIdentifierType]) {
    let gone = Set(identifiers)
    for section in sections.indices { sections[section].items.removeAll { gone.contains($0) } }
  }

  /// Moves an item before another one.
  public mutating func moveItem(
    _ identifier: ItemIdentifierType, beforeItem toIdentifier: ItemIdentifierType
  ) {
    deleteItems([identifier])
    insertItems([identifier], beforeItem: toIdentifier)
  }

  /// Moves an item after another one.
  public mutating func moveItem(
    _ identifier: ItemIdentifierType, afterItem toIdentifier: ItemIdentifierType
  ) {
    deleteItems([identifier])
    insertItems([identifier], afterItem: toIdentifier)
  }

  /// Marks items to be reloaded, with new cells.
  public mutating func reloadItems(_ identifiers: [ItemIdentifierType]) {
    reloadedItemIdentifiers += identifiers
  }

  /// Marks items to be reconfigured, with the cells that they have.
  public mutating func reconfigureItems(_ identifiers: [ItemIdentifierType]) {
    reconfiguredItemIdentifiers += identifiers
  }

  // MARK: Places

  mutating func forgetReloads() {
    reloadedItemIdentifiers = []
    reconfiguredItemIdentifiers = []
    reloadedSectionIdentifiers = []
  }

  private func place(ofSection identifier: SectionIdentifierType) -> Int {
    guard let index = indexOfSection(identifier) else {
      preconditionFailure("Invalid section identifier for operation: \(identifier)")
    }
    return index
  }

  func find(_ identifier: ItemIdentifierType) -> (section: Int, item: Int)? {
    for (section, content) in sections.enumerated() {
      if let item = content.items.firstIndex(of: identifier) { return (section, item) }
    }
    return nil
  }

  private func place(ofItem identifier: ItemIdentifierType) -> (section: Int, item: Int) {
    guard let place = find(identifier) else {
      preconditionFailure("Invalid item identifier for operation: \(identifier)")
    }
    return place
  }

  private mutating func insert(_ identifiers: [SectionIdentifierType], at index: Int) {
    sections.insert(contentsOf: identifiers.map { Section(id: $0, items: []) }, at: index)
    precondition(
      Set(sectionIdentifiers).count == sections.count,
      "Fatal: supplied section identifiers are not unique. Duplicate identifiers: \(identifiers)")
  }

  private mutating func insert(
    _ identifiers: [ItemIdentifierType], at place: (section: Int, item: Int)
  ) {
    sections[place.section].items.insert(contentsOf: identifiers, at: place.item)
    precondition(
      Set(itemIdentifiers).count == numberOfItems,
      "Fatal: supplied item identifiers are not unique. Duplicate identifiers: \(identifiers)")
  }
}
