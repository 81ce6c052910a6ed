import DerivedLists
public import ListItems
import ListModel
import ListStore

// Full-text search.
extension ItemFields {
  /// The texts of properties match what somebody typed.
  ///
  /// Each word must stand in one of them, with or without its accents and capitals; the last one may go
  /// on, as one with a `*` behind it may. Words in quotes must follow each other. A text without words
  /// matches everything. Keep an index for it: see
  /// ``ShowableList/keepSearchIndex(of:over:)``.
  ///
  /// ```swift
  /// try results.show { $0.where { $0.matches(text, in: $0.subject, $0.body) }.ranked() }
  /// ```
  ///
  /// - Parameters:
  ///   - text: What somebody typed; no text is a wrong one.
  ///   - fields: Texts, or arrays of texts; what is found in an earlier one ranks higher.
  /// - Returns: The condition.
  public func matches<each Value: Encodable>(
    _ text: String, in fields: repeat ItemField<Item, each Value>
  ) -> ItemCondition {
    var paths: [String] = []
    var failure: (any Error)?
    do {
      repeat paths.append(JSONWriter.quoted(try (each fields).resolved().searchedPath))
    } catch { failure = error }
    let text = JSONWriter.quoted(text)
    let json = "{\"paths\":[\(paths.joined(separator: ","))],\"matches\":\(text)}"
    return ItemCondition { [failure] in
      if let failure { throw failure }
      return json
    }
  }
}

extension DerivedQuery {
  /// Orders the items by how well they match, the best first: of a query with one
  /// ``ItemFields/matches(_:in:)``.
  ///
  /// - Returns: The query, with one key more.
  public func ranked() -> DerivedQuery {
    adding { "{\"path\":\"#rank\"}" }
  }
}

extension ShowableList {
  /// Keeps a full-text index over properties of the list's items, for searches of these properties.
  ///
  /// The first time it is made, of a long list in slices, between which others write; each commit of the list
  /// brings the index to where it is.
  /// Without it a search reads all items. A derived list that searches has an index anyway.
  ///
  /// - Parameters:
  ///   - type: The type of the items.
  ///   - properties: Those that are searched together, in any order.
  /// - Throws: ``/ListModel/StoreError``, with ``/ListModel/StoreError/Code/listNotFound`` before the
  ///   list's first commit.
  /// - Complexity: O(*b*), *b* bytes of the list's contents, the first time.
  public func keepSearchIndex<Item: ListItem, each Value: Encodable>(
    of type: Item.Type, over properties: repeat KeyPath<Item, each Value>
  ) throws {
    let fields = FieldPaths<Item>()
    var paths: [ValuePath] = []
    repeat paths.append(try ValuePath(fields.field(each properties).searchedPath))
    try shown.repository.keepSearchIndex(of: shown.id, at: paths)
  }
}

extension FieldPaths.Field {
  /// Where a search finds it, which reads contents alone.
  fileprivate var searchedPath: String { path == "#id" ? "/id" : path }
}
