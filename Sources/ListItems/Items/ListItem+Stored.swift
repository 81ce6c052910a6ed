import Foundation
public import ListModel

extension Item {
  /// A value in its stored form, with the version of its content.
  ///
  /// - Throws: ``/ListModel/FormatError`` for an empty or too long id, or what encoding throws.
  public init<Value: ListItem>(_ value: Value) throws {
    self.init(
      id: try value.itemID, cell: value.cellName, content: try JSON(encoding: value),
      type: try Value.typeName.stored(version: Value.contentVersion),
      action: value.action(for: .select))
  }

  /// Decodes the item's value.
  ///
  /// A content of an earlier version is upgraded, and members that it lacks get their defaults.
  /// Content without an `id`, as a server may write it, gets the item's id.
  ///
  /// - Parameter type: The type of the value. If the item is stored as one of another type, its
  ///   content is taken as one of the current version.
  /// - Returns: The value.
  /// - Throws: ``ItemTypeError/newerContent(_:version:item:known:)``,
  ///   ``ItemTypeError/upgradeFailed(_:from:item:why:)``, or what decoding throws.
  public func value<Value: ListItem>(as type: Value.Type = Value.self) throws -> Value {
    var content = state.content
    try type.upgrade(&content, of: self)
    try content.addDefaults(type.contentDefaults)
    do {
      return try content.decoded(as: type)
    } catch DecodingError.keyNotFound(let key, let context)
      where key.stringValue == "id" && context.codingPath.isEmpty
    {
      content.prepend([("id", type.content(ofID: id))])
      return try content.decoded(as: type)
    }
  }
}

extension ItemUpdate {
  /// Replaces an item's cell, content, type and action by those of a value.
  ///
  /// - Throws: What encoding throws.
  public init(to value: some ListItem) throws {
    self.init(to: try Item(value).state)
  }

  /// Replaces an item's whole state.
  package init(to state: ItemState) {
    self.init(
      cell: .set(state.cell), content: .set(state.content), type: .set(state.type),
      action: .set(state.action))
  }
}

extension ListItem {
  /// The version of contents that are stored under a name; `nil` for a name of another type.
  ///
  /// An item that names no type has a content of version 1.
  package static func contentVersion(storedAs name: TypeName?) -> Int? {
    guard let name else { return 1 }
    if isNamed(name) { return 1 }
    return name.nameAndVersion.flatMap { isNamed($0.name) ? $0.version : nil }
  }

  /// Whether an item has to be written anew to be stored under this type's name and version.
  ///
  /// `name`: The name that it is stored under, one of this type's or none. An item without a name is
  /// left alone as long as this type has one version only, and one of a later version always.
  package static func isOutdated(storedAs name: TypeName?) -> Bool {
    guard let version = contentVersion(storedAs: name) else { return false }
    let current = max(1, contentVersion)
    if version != current { return version < current }
    guard let name else { return false }
    return name != typeName && name.nameAndVersion?.name != typeName
  }

  private static func isNamed(_ name: TypeName) -> Bool {
    name == typeName || aliases.contains(name)
  }

  /// Makes a content one of the current version.
  ///
  /// `content`: That of the item.
  fileprivate static func upgrade(_ content: inout JSON, of item: Item) throws(ItemTypeError) {
    let current = max(1, contentVersion)
    guard let stored = contentVersion(storedAs: item.state.type), stored != current else { return }
    guard stored < current else {
      throw .newerContent(typeName, version: stored, item: item.id, known: current)
    }
    for version in stored..<current {
      do { try upgrade(&content, from: version) } catch {
        throw .upgradeFailed(typeName, from: version, item: item.id, why: "\(error)")
      }
    }
  }

  /// The contents of items as they are stored in the current version, or why one can't be.
  ///
  /// Each is decoded once, so that nothing is written that can't be read. Many at once take half the
  /// time.
  package static func upgradedContents(of items: [Item]) -> [Result<JSON, ItemTypeError>] {
    let defaults = Result {
      try contentDefaults.mapValues { value -> any Encodable & Sendable in
        try JSON(ofMember: value)
      }
    }
    var contents: [Result<JSON, ItemTypeError>] = items.map { item in
      Result { () throws(ItemTypeError) in
        var content = item.state.content
        try upgrade(&content, of: item)
        do { try content.addDefaults(defaults.get()) } catch {
          throw .unreadable(typeName, item: item.id, why: "\(error)")
        }
        return content
      }
    }
    if areDecodable(contents, of: items) { return contents }
    for (index, item) in items.enumerated() {
      guard case .success(let content) = contents[index] else { continue }
      contents[index] = Result { () throws(ItemTypeError) in
        try check(content, of: item)
        return content
      }
    }
    return contents
  }

  /// Whether all contents can be decoded, and are those of the items; `false` also if only a closer
  /// look would tell.
  private static func areDecodable(
    _ contents: [Result<JSON, ItemTypeError>], of items: [Item]
  ) -> Bool {
    let pairs = zip(contents, items).compactMap { content, item in
      (try? content.get()).map { (content: $0, id: item.id) }
    }
    // A server may write contents without ids, and then all without: the first one tells.
    return areDecodable(pairs.prefix(1), addingIDs: false)
      && areDecodable(pairs[...], addingIDs: false) || areDecodable(pairs[...], addingIDs: true)
  }

  private static func areDecodable(
    _ pairs: ArraySlice<(content: JSON, id: ItemID)>, addingIDs: Bool
  ) -> Bool {
    var array: [UInt8] = []
    array.reserveCapacity(pairs.reduce(2) { $0 + $1.content.text.utf8.count + 40 })
    array.append(UInt8(ascii: "["))
    for (content, id) in pairs {
      if array.count > 1 { array.append(UInt8(ascii: ",")) }
      if addingIDs, content.surelyLacks("id") {
        content.append(to: &array, after: "id", Self.content(ofID: id))
      } else {
        array.append(contentsOf: content.text.utf8)
      }
    }
    array.append(UInt8(ascii: "]"))
    guard let values = try? JSONDecoder().decode([Self].self, from: Data(array)) else {
      return false
    }
    return zip(values, pairs).allSatisfy { $0.isValue(of: $1.id) }
  }

  private static func check(_ content: JSON, of item: Item) throws(ItemTypeError) {
    var current = item
    current.state.content = content
    do {
      current.state.type = try typeName.stored(version: contentVersion)
      let value = try current.value(as: Self.self)
      if !value.isValue(of: item.id) {
        throw FormatError("its id became \"\(value.id)\"")
      }
    } catch {
      throw .unreadable(typeName, item: item.id, why: "\(error)")
    }
  }
}

extension JSON.Members {
  /// The members that an item encodes, but for its id: for ``ListItem/contentDefaults``.
  ///
  /// - Precondition: The value can be encoded, as an object.
  public init(of value: some ListItem) {
    self.init(encoding: value)
    self["id"] = nil
  }

  /// The members that a header or footer encodes: for ``ListSupplementary/contentDefaults``.
  ///
  /// - Precondition: The value can be encoded, as an object.
  public init(of value: some ListSupplementary) { self.init(encoding: value) }

  private init(encoding value: some Encodable) {
    do {
      let content = try JSON(encoding: value)
      self = [:]
      for name in content.memberNames ?? [] { self[name] = try content.member(name) }
    } catch { preconditionFailure("\(value) can't be encoded: \(error)") }
  }
}

extension JSON {
  /// Adds the members that an object lacks, sorted by name; only these are encoded.
  ///
  /// Anything else than an object stays as it is: decoding says what is wrong.
  package mutating func addDefaults(_ defaults: JSON.Members) throws {
    if defaults.isEmpty { return }
    guard let names = memberNames else { return }
    let missing = defaults.filter { !names.contains($0.key) }.sorted { $0.key < $1.key }
    if missing.isEmpty { return }
    prepend(try missing.map { ($0.key, try JSON(ofMember: $0.value)) })
  }

  /// A value of ``JSON/Members``, encoded; one that is JSON already stays as it is written.
  package init(ofMember value: any Encodable) throws {
    if let json = value as? JSON {
      self = json
    } else {
      func encoded(_ value: some Encodable) throws -> JSON { try JSON(encoding: value) }
      self = try encoded(value)
    }
  }
}
