import DerivedLists
public import ListItems
import ListModel

/// The properties of an app's type, for conditions: `$0.isUnread && $0.size < 100`.
@dynamicMemberLookup public struct ItemFields<Item: ListItem> {
  let paths: FieldPaths<Item>

  /// A property.
  public subscript<Value>(dynamicMember property: KeyPath<Item, Value>) -> ItemField<Item, Value> {
    ItemField(property, paths)
  }

  /// What is at a path of the content, such as `/title`, where no property of the type says it; or
  /// `#id`, `#cell`, `#type`, or `#section`: the id of the section of the source that the item is in.
  public func path<Value>(
    _ path: String, as type: Value.Type = Value.self
  ) -> ItemField<Item, Value> {
    .path(path)
  }

  /// What a closure computes of an item, where no property of its content says it.
  ///
  /// ```swift
  /// try inbox.derived("long", of: Message.self, version: 1) {
  ///   $0.where { $0.computed { $0.body.count } > 1_000 }
  /// }
  /// ```
  ///
  /// - Parameter value: Computes a text, a number, a date or a truth of the item alone. When it is to
  ///   compute another one, the list gets another version.
  /// - Returns: The field.
  public func computed<Value: Encodable>(
    _ value: @escaping @Sendable (Item) -> Value
  ) -> ItemField<Item, Value> {
    ItemField<Item, Value>(computing: value, paths)
  }
}

/// A property of an app's type, which the store finds in the contents of items.
@dynamicMemberLookup public struct ItemField<Item: ListItem, Value> {
  fileprivate enum Place {
    case property(KeyPath<Item, Value>, FieldPaths<Item>)
    case path(String)
    /// In what is at a path.
    case inside(String)
    case computed(@Sendable (Item) -> Value, FieldPaths<Item>)
  }
  fileprivate let place: Place

  init(_ property: KeyPath<Item, Value>, _ paths: FieldPaths<Item>) {
    place = .property(property, paths)
  }

  init(computing value: @escaping @Sendable (Item) -> Value, _ paths: FieldPaths<Item>) {
    place = .computed(value, paths)
  }

  fileprivate init(_ place: Place) { self.place = place }

  /// What is at a path of the content: see ``ItemFields/path(_:as:)``.
  public static func path(_ path: String) -> ItemField { ItemField(.path(path)) }

  /// A property of a property; not one of a field that is named by its path.
  public subscript<Inner>(
    dynamicMember property: KeyPath<Value, Inner>
  ) -> ItemField<Item, Inner> {
    switch place {
    case .property(let outer, let paths):
      return ItemField<Item, Inner>(outer.appending(path: property), paths)
    case .path(let path), .inside(let path): return ItemField<Item, Inner>(.inside(path))
    case .computed(let value, let paths):
      // A key path of a value type is the same for all threads.
      nonisolated(unsafe) let property = property
      return ItemField<Item, Inner>(computing: { value($0)[keyPath: property] }, paths)
    }
  }

  /// Where it is.
  func resolved() throws -> FieldPaths<Item>.Field where Value: Encodable {
    switch place {
    case .property(let property, let paths): try paths.fieldOrComputed(property)
    case .computed(let value, let paths): try paths.computed(value)
    case .path(let path): FieldPaths.Field(path: path)
    case .inside(let path):
      throw StoreError(
        .invalidValue,
        "a property of what is at \"\(path)\" has no known name; name it by its own path, as "
          + "`.path(\"\(path)/name\")`")
    }
  }

  /// A condition about it.
  package func test(
    _ name: String, _ operand: some Encodable
  ) -> ItemCondition where Value: Encodable {
    ItemCondition {
      let field = try resolved()
      let operand = try JSON(encoding: operand).text
      let text = "{\"path\":\(JSONWriter.quoted(field.path)),\"\(name)\":\(operand)}"
      guard let absent = field.absent else { return text }
      return try ItemCondition.completed(text, path: field.path, absent: absent)
    }
  }
}

/// What can be a condition: one that compares a property, or a property that is true or false.
public protocol ItemTest {
  /// The condition.
  var condition: ItemCondition { get }
}

/// A condition that an item of a derived list meets.
///
/// Make one of the properties of the app's type: see ``DerivedQuery``.
public struct ItemCondition: ItemTest {
  /// The condition as a definition has it.
  let json: () throws -> String

  /// Itself.
  public var condition: ItemCondition { self }

  /// A condition about a property that the type has a value for where a content has none.
  static func completed(_ text: String, path: String, absent: JSON) throws -> String {
    let condition = try Condition(JSONNode(parsing: Array(text.utf8)))
    let name = path.dropFirst()
    func holds(_ content: String) -> Bool {
      condition.holds(
        for: Subject(
          id: "item", state: ItemState(cell: "cell", content: JSON(minified: content)),
          section: "section", Searcher(NoWords())))
    }
    // A name with escapes is rare, and then `null` counts as `null`.
    guard !name.contains("~") else { return text }
    let holdsWhenAbsent = holds("{\(JSONWriter.quoted(String(name))):\(absent.text)}")
    if holdsWhenAbsent == holds("{}") { return text }
    let exists = "{\"path\":\(JSONWriter.quoted(path)),\"exists\":\(!holdsWhenAbsent)}"
    return "{\"\(holdsWhenAbsent ? "any" : "all")\":[\(text),\(exists)]}"
  }
}

/// What is compared here is no text to search.
private final class NoWords: WordBreaker {
  func append(wordsOf text: UnsafeBufferPointer<UInt8>, to words: inout Words) {}
}

extension ItemField: ItemTest where Value == Bool {
  /// It is true.
  public var condition: ItemCondition { test("eq", true) }
}

extension ItemCondition {
  /// Conditions of which any or all hold, or not all of them.
  package static func joined(_ name: String, _ conditions: [ItemCondition]) -> ItemCondition {
    ItemCondition {
      "{\"\(name)\":[\(try conditions.map { try $0.json() }.joined(separator: ","))]}"
    }
  }
}

extension ItemField where Value: Encodable {
  /// The value is one of these.
  public func isIn(_ values: some Sequence<Value>) -> ItemCondition { test("in", Array(values)) }
}

extension ItemField {
  /// The array has an equal element.
  public func contains<Element: Encodable>(
    _ element: Element
  ) -> ItemCondition where Value == [Element] {
    test("has", element)
  }
}

extension ItemField where Value == String {
  /// The text has this one in it, by Unicode scalars.
  public func contains(_ text: String) -> ItemCondition { test("contains", text) }

  /// The text begins with this one, by Unicode scalars.
  public func hasPrefix(_ text: String) -> ItemCondition { test("prefix", text) }
}

extension ItemField where Value == String? {
  /// The text is there and has this one in it, by Unicode scalars.
  public func contains(_ text: String) -> ItemCondition { test("contains", text) }

  /// The text is there and begins with this one, by Unicode scalars.
  public func hasPrefix(_ text: String) -> ItemCondition { test("prefix", text) }
}
