import DerivedLists
import Foundation
import ListItems
import ListModel

/// Finds where in its content an app's type keeps its properties.
///
/// It encodes made-up values and looks which place of the content has, in all of them, what the
/// property has. So the type's own names count, whatever its coding keys are, and a property that is
/// worked out of others is found to be none.
final class FieldPaths<Item: ListItem> {
  private var samples: [(value: Item, content: JSONNode)]?
  /// The list whose definition is made, and the version of its closures; without one it has none.
  var defined: (list: ListID, version: Int?)?
  /// The closures of the definition that is made.
  var closures: [ComputedField: ComputedField.Closure] = [:]

  /// A property in the contents of a type.
  struct Field {
    /// As a definition names it.
    var path: String
    /// What the type takes for it where a content has none; `nil` if nothing, or `null`.
    var absent: JSON?
  }

  /// Where a property is; computed by itself if it is in no content, and the definition has a version.
  func fieldOrComputed<Value: Encodable>(_ property: KeyPath<Item, Value>) throws -> Field {
    do { return try field(property) } catch {
      guard defined?.version != nil else { throw error }
      return try computed { $0[keyPath: property] }
    }
  }

  /// What a closure computes.
  ///
  /// - Throws: `StoreError` with ``/ListModel/StoreError/Code/invalidValue`` for a definition without a
  ///   version.
  func computed<Value: Encodable>(_ value: @escaping (Item) -> Value) throws -> Field {
    guard let defined, let version = defined.version else {
      throw StoreError(
        .invalidValue,
        "a closure of a derived list needs a version, as `derived(\"id\", of: \(Item.self).self, "
          + "version: 1)`: with another version the store knows that it computes something else")
    }
    let field = ComputedField(list: defined.list, version: version, index: closures.count)
    // A closure that is `Sendable`, or a key path; and encoding, which is the same on all threads.
    nonisolated(unsafe) let key: (ListModel.Item) -> ValueKey = { item in
      guard let item = try? item.value(as: Item.self), let json = try? JSON(encoding: value(item)),
        let node = try? JSONNode(parsing: Array(json.text.utf8))
      else { return .null }
      return ValueKey(node)
    }
    closures[field] = { key($0) }
    return Field(path: ValuePath.computed(field).text)
  }

  /// Where a property is.
  ///
  /// - Throws: `StoreError` with ``/ListModel/StoreError/Code/invalidValue`` for a property that is
  ///   not in the content.
  func field<Value: Encodable>(_ property: KeyPath<Item, Value>) throws -> Field {
    let samples = try self.samples ?? Self.makeSamples()
    self.samples = samples
    var found: [[String]]?
    for (value, content) in samples {
      let wanted = try JSON(encoding: value[keyPath: property])
      if let candidates = found {
        found = candidates.filter { (content.value(at: $0)?.value() ?? .null) == wanted }
      } else {
        found = Self.places(of: wanted, in: content)
      }
    }
    guard let tokens = found?.first else {
      throw StoreError(
        .invalidValue,
        "\(property) is not in the content that \(Item.self) encodes, so other processes can't read "
          + "it; encode it, or name what is in the content by its path, as `.path(\"/title\")`")
    }
    if tokens == ["id"], Value.self == String.self, Value.self == Item.ID.self {
      return Field(path: "#id")
    }
    return Field(
      path: ValuePath.content(tokens).text,
      absent: Self.value(of: property, without: tokens, in: samples[0].content))
  }

  private static func makeSamples() throws -> [(value: Item, content: JSONNode)] {
    try (0..<16).map { number in
      do {
        let value = try SampleDecoder.sample(Item.self, number: number, hasGaps: number >= 10)
        let text = try JSON(encoding: value).text
        return (value, try JSONNode(parsing: Array(text.utf8)))
      } catch let failure as SampleDecoder.Failure {
        throw StoreError(
          .invalidValue,
          "the names of \(Item.self)'s properties can't be found out, because no \(failure.type) can "
            + "be made up for \"\(failure.path.joined(separator: "."))\"; make it CaseIterable, or name "
            + "what is in the content by its path, as `.path(\"/title\")`")
      }
    }
  }

  /// The paths of objects' members that have a value.
  private static func places(of wanted: JSON, in node: JSONNode) -> [[String]] {
    guard node.kind == .object, let members = try? node.object().members else { return [] }
    var found: [[String]] = []
    for member in members {
      guard let name = try? member.name.string() else { continue }
      if member.value.value() == wanted { found.append([name]) }
      found += places(of: wanted, in: member.value).map { [name] + $0 }
    }
    return found
  }

  /// What a property is in a content that does not have it; `nil` if it is `null`, or if such a content
  /// is none of the type.
  private static func value<Value: Encodable>(
    of property: KeyPath<Item, Value>, without tokens: [String], in content: JSONNode
  ) -> JSON? {
    guard let name = tokens.first, tokens.count == 1,
      let members = try? content.object().members.filter({ try $0.name.string() != name })
    else { return nil }
    let rest = members.map { "\($0.name.value().text):\($0.value.value().text)" }
    var json = JSON(minified: "{\(rest.joined(separator: ","))}")
    guard (try? json.addDefaults(Item.contentDefaults)) != nil,
      let value = try? json.decoded(as: Item.self),
      let absent = try? JSON(encoding: value[keyPath: property])
    else { return nil }
    return absent == .null ? nil : absent
  }
}
