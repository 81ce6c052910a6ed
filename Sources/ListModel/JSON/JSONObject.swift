/// The members of a JSON object.
package struct JSONObject {
  /// The members in their order; a name may occur twice.
  package let members: [(name: JSONNode, value: JSONNode)]

  /// The value of a member, `nil` if there is none.
  ///
  /// - Throws: ``FormatError`` if the name occurs twice, because JSON readers then differ in which
  ///   value they take.
  /// - Complexity: O(*m*), *m* members.
  package func optional(_ name: String) throws(FormatError) -> JSONNode? {
    var found: JSONNode?
    for member in members {
      guard member.name.isString(name) else { continue }
      guard found == nil else { throw FormatError("the name occurs twice", at: name) }
      found = member.value
    }
    return found
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
