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
    let object = try node().object()
    var changed = self
    if let node = try object.optional(name) {
      changed.replace(node.range, with: Array(value.text.utf8))
    } else {
      let comma = object.members.isEmpty ? [] : [UInt8(ascii: ",")]
      let end = text.utf8.count - 1
      changed.replace(
        end..<end,
        with: comma + JSONWriter.quotedUTF8(name) + [UInt8(ascii: ":")] + value.text.utf8)
    }
    self = try JSON(parsing: changed.text)
  }

  /// Removes a member of an object.
  ///
  /// - Returns: Its value; `nil` if there is no such member.
  /// - Throws: ``FormatError`` if this is not an object, or has two members of the name.
  @discardableResult
  public mutating func remove(_ name: String) throws(FormatError) -> JSON? {
    let object = try node().object()
    guard let index = try object.index(of: name) else { return nil }
    let (members, member) = (object.members, object.members[index])
    // With the comma behind it, or the one before the last.
    if index + 1 < members.count {
      replace(member.name.range.lowerBound..<members[index + 1].name.range.lowerBound, with: [])
    } else {
      let start = index > 0 ? members[index - 1].value.range.upperBound : 1
      replace(start..<member.value.range.upperBound, with: [])
    }
    return member.value.value()
  }

  /// Gives a member of an object another name; it keeps its place.
  ///
  /// - Returns: Whether there is such a member.
  /// - Throws: ``FormatError`` if this is not an object, has two members of the name, or has one of
  ///   the new name already. Nothing is changed then.
  @discardableResult
  public mutating func rename(_ name: String, to new: String) throws(FormatError) -> Bool {
    let object = try node().object()
    guard let index = try object.index(of: name) else { return false }
    if let other = try object.index(of: new), other != index {
      throw FormatError("\"\(name)\" can't get this name, because another member has it", at: new)
    }
    replace(object.members[index].name.range, with: JSONWriter.quotedUTF8(new))
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
    var bytes: [UInt8] = [UInt8(ascii: "{")]
    for (name, value) in members { value.append(asMember: name, to: &bytes) }
    appendMembers(to: &bytes)
    self = JSON(minified: String(decoding: bytes, as: UTF8.self))
  }

  /// Appends an object's text, with a member before the others.
  ///
  /// - Precondition: This is an object, and has no member of this name.
  package func append(to bytes: inout [UInt8], after name: String, _ value: JSON) {
    bytes.append(UInt8(ascii: "{"))
    value.append(asMember: name, to: &bytes)
    appendMembers(to: &bytes)
  }

  private func append(asMember name: String, to bytes: inout [UInt8]) {
    JSONWriter.append(quoted: name, to: &bytes)
    bytes.append(UInt8(ascii: ":"))
    bytes.append(contentsOf: text.utf8)
    bytes.append(UInt8(ascii: ","))
  }

  /// Appends an object's text without its bracket, after other members.
  private func appendMembers(to bytes: inout [UInt8]) {
    if text == "{}", bytes.last == UInt8(ascii: ",") { bytes.removeLast() }
    let isAppended: Void? = text.utf8.withContiguousStorageIfAvailable {
      bytes.append(contentsOf: $0.dropFirst())
    }
    if isAppended == nil { bytes.append(contentsOf: text.utf8.dropFirst()) }
  }

  /// A string.
  package init(string: String) { self.init(minified: JSONWriter.quoted(string)) }

  /// Whether no member of an object has a name; `false` also if only a closer look would tell.
  package func surelyLacks(_ name: String) -> Bool {
    let name = JSONWriter.quotedUTF8(name)
    return text.utf8.withContiguousStorageIfAvailable { text in
      for start in text.indices {
        // An escape may stand for any letter.
        if text[start] == UInt8(ascii: "\\") { return false }
        if text[start] == UInt8(ascii: "\""), text[start...].starts(with: name) { return false }
      }
      return true
    } ?? false
  }

  private func node() throws(FormatError) -> JSONNode { try JSONNode(parsing: Array(text.utf8)) }

  /// Replaces bytes of the text.
  ///
  /// - Precondition: The result is JSON without white space between tokens.
  private mutating func replace(_ range: Range<Int>, with new: [UInt8]) {
    var bytes = Array(text.utf8)
    bytes.replaceSubrange(range, with: new)
    self = JSON(minified: String(decoding: bytes, as: UTF8.self))
  }
}
