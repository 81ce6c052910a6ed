/// The members of a JSON object.
package struct JSONObject {
  private let object: JSONNode
  private let parts: [Part]

  /// Where a member is in the document.
  struct Part {
    var name: Range<Int>
    var value: Range<Int>
    /// Whether the name has no escapes.
    var isPlain: Bool
  }

  init(_ object: JSONNode, _ parts: [Part]) {
    self.object = object
    self.parts = parts
  }

  /// The members in their order; a name may occur twice.
  package var members: [(name: JSONNode, value: JSONNode)] {
    parts.map { (object.node(at: $0.name), object.node(at: $0.value)) }
  }

  /// The index of a member, `nil` if there is none.
  ///
  /// - Throws: ``FormatError`` if the name occurs twice, because JSON readers then differ in which
  ///   value they take.
  /// - Complexity: O(*m*), *m* members.
  func index(of name: String) throws(FormatError) -> Int? {
    var text = name
    let (found, isRepeated) = text.withUTF8 { text in
      object.withBytes { document in
        var found: Int?
        for (index, part) in parts.enumerated() where part.isNamed(text, in: document, of: object) {
          if found != nil { return (found, true) }
          found = index
        }
        return (found, false)
      }
    }
    if isRepeated { throw FormatError("the name occurs twice", at: name) }
    return found
  }

  /// The value of a member, `nil` if there is none.
  ///
  /// - Throws: ``FormatError`` if the name occurs twice.
  package func optional(_ name: String) throws(FormatError) -> JSONNode? {
    try index(of: name).map { object.node(at: parts[$0].value) }
  }

  /// The value of the last member of a name, `nil` if there is none: for values of an app, in which a
  /// name may occur twice.
  package func last(_ name: String) -> JSONNode? {
    var text = name
    return text.withUTF8 { text in
      object.withBytes { document in
        parts.last { $0.isNamed(text, in: document, of: object) }
      }
    }.map { object.node(at: $0.value) }
  }

  /// The value of a member that must be there.
  package func required(_ name: String) throws(FormatError) -> JSONNode {
    guard let node = try optional(name) else { throw FormatError("missing", at: name) }
    return node
  }

  /// Reads a member that must be there.
  package func required<Value>(
    _ name: String, _ read: (JSONNode) throws(FormatError) -> Value
  ) throws(FormatError) -> Value {
    let node = try required(name)
    do throws(FormatError) { return try read(node) } catch { throw error.inside(name) }
  }

  /// Reads a member that may be absent.
  package func optional<Value>(
    _ name: String, _ read: (JSONNode) throws(FormatError) -> Value
  ) throws(FormatError) -> Value? {
    guard let node = try optional(name) else { return nil }
    do throws(FormatError) { return try read(node) } catch { throw error.inside(name) }
  }
}

extension JSONObject.Part {
  /// Whether this is the member of a name.
  fileprivate func isNamed(
    _ text: UnsafeBufferPointer<UInt8>, in document: UnsafeBufferPointer<UInt8>, of object: JSONNode
  ) -> Bool {
    guard isPlain else {
      // An escape is longer than the character that it stands for.
      guard name.count - 2 > text.count, let unescaped = try? object.node(at: name).string()
      else { return false }
      return unescaped.utf8.elementsEqual(text)
    }
    guard name.count - 2 == text.count else { return false }
    let inside = UnsafeBufferPointer(
      rebasing: document[(name.lowerBound + 1)..<(name.upperBound - 1)])
    return UnsafeRawBufferPointer(inside).hasSameBytes(as: UnsafeRawBufferPointer(text))
  }
}
