public import ListModel

/// Where something was, and where it is now.
public struct Move<Path: Hashable & Sendable>: Hashable, Sendable {
  /// Before the move.
  public var from: Path
  /// After it.
  public var to: Path

  /// A move.
  public init(from: Path, to: Path) {
    self.from = from
    self.to = to
  }
}

extension ListEditor {
  /// Inserts a section, with items if there are some.
  ///
  /// - Returns: The index that it has.
  @discardableResult
  public func insertSection(
    _ section: SectionID, _ attributes: SectionAttributes = .init(), items: [Item] = [],
    at place: Place<SectionID> = .end
  ) throws(StoreError) -> Int {
    let entry = try apply(.insertSection(section, attributes, at: place))
    for item in items { try apply(.insertItem(item, in: section)) }
    guard case .insertSection(_, _, let index) = entry else { throw unexpected(entry) }
    return index
  }

  /// The section of a list that needs only one: made where there is none yet.
  ///
  /// - Returns: The first section of the list, which stays the same one however often it is emptied.
  @discardableResult
  public func firstSection(
    orInsert section: SectionID, _ attributes: SectionAttributes = .init()
  ) throws(StoreError) -> SectionID {
    if let first = try self.section(at: 0) { return first }
    try insertSection(section, attributes)
    return section
  }

  /// Moves a section with its items.
  ///
  /// - Returns: Where it was and is; the same index twice where it did not have to move.
  @discardableResult
  public func moveSection(
    _ section: SectionID, to place: Place<SectionID>
  ) throws(StoreError) -> Move<Int> {
    let entry = try apply(.moveSection(section, to: place))
    guard case .moveSection(_, let from, let to) = entry else { throw unexpected(entry) }
    return Move(from: from, to: to)
  }

  /// Moves the section at an index to another one, which it has then.
  @discardableResult
  public func moveSection(at index: Int, to target: Int) throws(StoreError) -> Move<Int> {
    try moveSection(knownSection(at: index), to: .index(target))
  }

  /// Changes attributes of a section.
  ///
  /// - Returns: Its index.
  @discardableResult
  public func updateSection(
    _ section: SectionID, _ update: SectionUpdate
  ) throws(StoreError) -> Int {
    let entry = try apply(.updateSection(section, update))
    guard case .updateSection(_, let index, _, _) = entry else { throw unexpected(entry) }
    return index
  }

  /// Deletes a section with its items.
  ///
  /// - Returns: The index that it had.
  @discardableResult
  public func deleteSection(_ section: SectionID) throws(StoreError) -> Int {
    let entry = try apply(.deleteSection(section))
    guard case .deleteSection(_, let index) = entry else { throw unexpected(entry) }
    return index
  }

  /// Deletes the section at an index with its items.
  ///
  /// - Returns: The section.
  @discardableResult
  public func deleteSection(at index: Int) throws(StoreError) -> SectionID {
    let section = try knownSection(at: index)
    try deleteSection(section)
    return section
  }

  /// Deletes sections with their items; each has to be there, and is named once.
  ///
  /// - Returns: The indexes that they had before, in the order of the sections given.
  @discardableResult
  public func deleteSections(_ sections: [SectionID]) throws(StoreError) -> [Int] {
    var indexes: [Int] = []
    for section in sections {
      guard let index = try index(of: section) else {
        throw nothing(at: section)
      }
      indexes.append(index)
    }
    for section in sections { try deleteSection(section) }
    return indexes
  }

  /// Deletes everything.
  ///
  /// - Returns: How many sections there were.
  @discardableResult
  public func deleteAllSections() throws(StoreError) -> Int {
    let count = try numberOfSections()
    for _ in 0..<count { try deleteSection(at: 0) }
    return count
  }

  /// Puts another section in a section's place: the one goes with its items, the other comes with its
  /// own.
  ///
  /// - Returns: The index of both.
  @discardableResult
  public func replaceSection(
    _ section: SectionID, with new: SectionID, _ attributes: SectionAttributes = .init(),
    items: [Item] = []
  ) throws(StoreError) -> Int {
    let index = try deleteSection(section)
    return try insertSection(new, attributes, items: items, at: .index(index))
  }

  func unexpected(_ entry: LogEntry) -> StoreError { invalid("a change became \(entry)") }
}
