// Looking into objects and arrays, and changing them. What is not changed stays as it was written.
extension JSON {
  /// Values by the names of members, as an app writes them: `["liked": false, "tags": [String]()]`.
  public typealias Members = [String: any Encodable & Sendable]

  /// The value of a member of an object; `nil` if the object has no such member.
  ///
  /// - Throws: ``FormatError`` if this is not an object, or has two members of the name.
  /// - Complexity: O(*n*), *n* bytes, as for all members here.
  public func member(_ name: String) throws(FormatError) -> JSON? {
    try node().object().optional(name)?.value()
  }

  /// Sets a member of an object; a new one comes last.
  ///
  /// - Throws: ``FormatError`` if this is not an object, has two members of the name, or would nest
  ///   deeper than 32 levels. Nothing is changed then.
  public mutating func set(_ name: String, to value: JSON) throws(FormatError) {
    var object = try EditedObject(self)
    if let index = try object.index(of: name) {
      object.members[index].value = value
    } else {
      object.members.append((try JSONNode(parsing: JSONWriter.quotedUTF8(name)), value))
    }
    self = try JSON(parsing: object.json.text)
  }

  /// Removes a member of an object.
  ///
  /// - Returns: Its value; `nil` if there is no such member.
  /// - Throws: ``FormatError`` if this is not an object, or has two members of the name.
  @discardableResult
  public mutating func remove(_ name: String) throws(FormatError) -> JSON? {
    var object = try EditedObject(self)
    guard let index = try object.index(of: name) else { return nil }
    let removed = object.members.remove(at: index)
    self = object.json
    return removed.value
  }

  /// Gives a member of an object another name; it keeps its place.
  ///
  /// - Returns: Whether there is such a member.
  /// - Throws: ``FormatError`` if this is not an object, has two members of the name, or has one of
  ///   the new name already. Nothing is changed then.
  @discardableResult
  public mutating func rename(_ name: String, to new: String) throws(FormatError) -> Bool {
    var object = try EditedObject(self)
    guard let index = try object.index(of: name) else { return false }
    if let other = try object.index(of: new), other != index {
      throw FormatError("\"\(name)\" can't get this name, because another member has it", at: new)
    }
    object.members[index].name = try JSONNode(parsing: JSONWriter.quotedUTF8(new))
    self = object.json
    return true
  }

  /// Changes the value of a member of an object; without such a member nothing happens.
  ///
  /// ```swift
  /// try content.update("author") { try $0.rename("name", to: "fullName") }
  /// ```
  ///
  /// - Throws: ``FormatError``, as ``set(_:to:)``; or what `change` throws. Nothing is changed then.
  public mutating func update(
    _ name: String, _ change: (inout JSON) throws -> Void
  ) throws {
    guard var value = try member(name) else { return }
    try change(&value)
    try set(name, to: value)
  }

  /// The elements of an array.
  ///
  /// - Throws: ``FormatError`` if this is not an array.
  public func elements() throws(FormatError) -> [JSON] {
    try node().array().map { $0.value() }
  }

  /// Changes each element of an array.
  ///
  /// - Throws: ``FormatError`` if this is not an array, or would nest deeper than 32 levels; or what
  ///   `change` throws. Nothing is changed then.
  public mutating func updateElements(_ change: (inout JSON) throws -> Void) throws {
    var writer = JSONWriter()
    var elements = try elements()
    for index in elements.indices { try change(&elements[index]) }
    writer.array(elements) { $0.value($1) }
    self = try JSON(parsing: writer.text)
  }

  /// The names of an object's members; `nil` if this is not an object.
  package var memberNames: Set<String>? {
    guard let members = try? node().object().members else { return nil }
    return Set(members.compactMap { try? $0.name.string() })
  }

  /// Adds members to an object, before the others.
  ///
  /// - Precondition: This is an object, and has no members of these names.
  package mutating func prepend(_ members: [(name: String, value: JSON)]) {
    var writer = JSONWriter()
    writer.object { writer in for (name, value) in members { writer.member(name, value) } }
    let rest = text.dropFirst()
    self = JSON(
      minified: writer.text.dropLast() + (rest == "}" || members.isEmpty ? "" : ",") + rest)
  }

  private func node() throws(FormatError) -> JSONNode { try JSONNode(parsing: Array(text.utf8)) }

  /// The members of an object that is being changed.
  private struct EditedObject {
    var members: [(name: JSONNode, value: JSON)]

    init(_ json: JSON) throws(FormatError) {
      members = try json.node().object().members.map { ($0.name, $0.value.value()) }
    }

    func index(of name: String) throws(FormatError) -> Int? {
      guard let index = members.firstIndex(where: { $0.name.isString(name) }) else { return nil }
      if members[(index + 1)...].contains(where: { $0.name.isString(name) }) {
        throw FormatError("the name occurs twice", at: name)
      }
      return index
    }

    var json: JSON {
      let texts = members.map { "\($0.name.value().text):\($0.value.text)" }
      return JSON(minified: "{\(texts.joined(separator: ","))}")
    }
  }
}
