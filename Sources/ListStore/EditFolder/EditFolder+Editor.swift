public import ListItems
public import ListModel

extension Repository.EditFolder {
  /// Leaves an edit for the app.
  ///
  /// ```swift
  /// try edits.edit("shelf", by: "share") { list in
  ///   try list.upsert(Book(id: "emma", title: "Emma"), in: "new", at: .start)
  ///   try list.set(["isLiked": true], of: "dune")
  /// }
  /// ```
  ///
  /// - Parameters:
  ///   - list: The list.
  ///   - author: The author of the commit.
  ///   - isPending: Whether the edit enters the list's outbox, for a server to answer.
  ///   - body: Notes the changes, which are applied in one commit or not at all. Nothing is left of
  ///     an edit without any.
  /// - Throws: As ``append(_:to:by:pending:)``, or what `body` throws.
  public func edit(
    _ list: ListID, by author: Author = .app, pending isPending: Bool = false,
    _ body: (inout Editor) throws -> Void
  ) throws {
    var editor = Editor()
    try body(&editor)
    if editor.changes.isEmpty { return }
    try append(editor.changes, to: list, by: author, isPending)
  }

  /// The changes of an edit, noted for the time when the app imports them.
  ///
  /// The list may have changed by then. ``upsert(_:in:at:)``, ``deleteIfPresent(_:)`` and
  /// ``set(_:of:)`` fit as long as the section or the item is there.
  public struct Editor: Sendable {
    var changes: [LeftChange] = []

    /// Inserts a value.
    ///
    /// - Throws: `StoreError` with ``/ListModel/StoreError/Code/invalidValue`` for a value that can't
    ///   be encoded, as below.
    public mutating func insert(
      _ value: some ListItem, in section: SectionID, at place: Place<ItemID> = .end
    ) throws(StoreError) {
      apply(.insertItem(try encoded(value), in: section, at: place))
    }

    /// Inserts a value, or replaces that of the item which has its id; such an item stays where it is.
    public mutating func upsert(
      _ value: some ListItem, in section: SectionID, at place: Place<ItemID> = .end
    ) throws(StoreError) {
      changes.append(.upsertItem(try encoded(value), in: section, at: place))
    }

    /// Sets properties of an item's value, by the names with which they are encoded.
    ///
    /// Others keep what they have by then.
    public mutating func set(_ members: JSON.Members, of item: ItemID) throws(StoreError) {
      do {
        var object = JSON(minified: "{}")
        for (name, value) in members.sorted(by: { $0.key < $1.key }) {
          try object.set(name, to: JSON(ofMember: value))
        }
        changes.append(.setMembers(item, object))
      } catch { throw Self.invalid(item.rawValue, error) }
    }

    /// Deletes an item.
    public mutating func delete(_ item: ItemID) { apply(.deleteItem(item)) }

    /// Deletes an item, if the list has it by then.
    public mutating func deleteIfPresent(_ item: ItemID) {
      changes.append(.deleteItemIfPresent(item))
    }

    /// Notes a change of any kind.
    public mutating func apply(_ change: Change) { changes.append(.change(change)) }

    private func encoded(_ value: some ListItem) throws(StoreError) -> Item {
      do { return try Item(value) } catch { throw Self.invalid("\(value.id)", error) }
    }

    private static func invalid(_ item: String, _ error: any Error) -> StoreError {
      StoreError(.invalidValue, "item \"\(item)\": \(error)", cause: error)
    }
  }
}
