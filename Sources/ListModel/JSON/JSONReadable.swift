/// A value that one value of JSON stands for: an id for a string, an item for an object.
package protocol JSONReadable {
  /// - Throws: ``FormatError`` with the place within `node`.
  init(_ node: JSONNode) throws(FormatError)
}

extension JSON: JSONReadable {
  package init(_ node: JSONNode) throws(FormatError) { self = try node.content() }
}

extension String: JSONReadable {
  package init(_ node: JSONNode) throws(FormatError) { self = try node.string() }
}

extension Bool: JSONReadable {
  package init(_ node: JSONNode) throws(FormatError) {
    try node.expect(.bool)
    self = node.value().text == "true"
  }
}

extension Int: JSONReadable {
  package init(_ node: JSONNode) throws(FormatError) { self = try node.integer() }
}

extension Double: JSONReadable {
  package init(_ node: JSONNode) throws(FormatError) { self = try node.double() }
}

extension Optional: JSONReadable where Wrapped: JSONReadable {
  /// `nil` for `null`.
  package init(_ node: JSONNode) throws(FormatError) {
    self = node.kind == .null ? nil : try Wrapped(node)
  }
}

extension Array: JSONReadable where Element: JSONReadable {
  package init(_ node: JSONNode) throws(FormatError) {
    self = []
    for (index, element) in try node.elements().enumerated() {
      do throws(FormatError) { append(try Element(element)) } catch {
        throw error.inside("[\(index)]")
      }
    }
  }
}

extension JSONReadable where Self: RawRepresentable<String> & CaseIterable {
  /// Reads one of the names of an enum.
  package init(_ node: JSONNode) throws(FormatError) {
    let name = try node.string()
    guard let value = Self(rawValue: name) else {
      let known = Self.allCases.map { "\"\($0.rawValue)\"" }.joined(separator: ", ")
      throw FormatError("expected one of \(known), found \(ShownText.quoted(name))")
    }
    self = value
  }
}

extension JSONNode {
  /// Reads an array of two values.
  package func pair<Value: JSONReadable>(
    of type: Value.Type = Value.self
  ) throws(FormatError) -> (Value, Value) {
    let elements = try array()
    guard elements.count == 2 else {
      throw FormatError("expected two elements, found \(elements.count)")
    }
    return (try Value(elements[0]), try Value(elements[1]))
  }
}

extension JSONObject {
  /// Reads a member that must be there.
  package func required<Value: JSONReadable>(
    _ name: String, as type: Value.Type = Value.self
  ) throws(FormatError) -> Value {
    try required(name, Value.init(_:))
  }

  /// Reads a member that may be absent.
  package func optional<Value: JSONReadable>(
    _ name: String, as type: Value.Type = Value.self
  ) throws(FormatError) -> Value? {
    try optional(name, Value.init(_:))
  }

  /// Reads a member that may be absent or `null`; both are `nil`.
  package func nullable<Value: JSONReadable>(
    _ name: String, as type: Value.Type = Value.self
  ) throws(FormatError) -> Value? {
    try optional(name, as: Value?.self) ?? nil
  }
}
