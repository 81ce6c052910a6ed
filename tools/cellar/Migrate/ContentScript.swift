package import ListModel

/// Changes of JSON contents, read from JSON: an array of operations, which apply in order.
///
/// ```json
/// [
///   {"rename": ["title", "name"]},
///   {"remove": "author.born"},
///   {"set": "format", "to": 2},
///   {"set-if-missing": "liked", "to": false}
/// ]
/// ```
///
/// A member is named by its path from the content's object: `author.born` is the member `born` of
/// the member `author`. A member that is not there is neither renamed nor removed; one that is set
/// is made, with the objects that lead to it. A script that has run changes nothing when it runs
/// again, if no later operation of it undoes an earlier one.
package struct ContentScript: Sendable {
  private let operations: [Operation]

  fileprivate enum Operation: Sendable {
    case rename([String], to: String)
    case remove([String])
    case set([String], to: JSON, ifMissing: Bool)
  }

  /// Reads a script.
  ///
  /// - Throws: `FormatError` that names the operation by its index, from 0, if the text is no
  ///   script: also for an operation or a member of one that is not known.
  package init(parsing utf8: [UInt8]) throws(FormatError) {
    var operations: [Operation] = []
    for (index, node) in try JSONNode(parsing: utf8).array().enumerated() {
      do throws(FormatError) { operations.append(try Operation(node)) } catch {
        throw error.inside("[\(index)]")
      }
    }
    self.operations = operations
  }

  /// A content after all operations.
  ///
  /// - Throws: `FormatError` if a value on the way is no object, or a new name is taken.
  package func applied(to content: JSON) throws(FormatError) -> JSON {
    var content = content
    for operation in operations { try operation.apply(to: &content) }
    return content
  }
}

extension ContentScript.Operation {
  private static let names = ["rename", "remove", "set", "set-if-missing"]
  private static let hint = "there are " + names.joined(separator: ", ")

  init(_ node: JSONNode) throws(FormatError) {
    let object = try node.object()
    var found: [String] = []
    for member in object.members {
      let name = try member.name.string()
      if name == "to" { continue }
      guard Self.names.contains(name) else {
        throw FormatError("unknown operation \(ShownText.quoted(name)); \(Self.hint)")
      }
      found.append(name)
    }
    guard let name = found.first, found.count == 1 else {
      throw FormatError("expected one operation; \(Self.hint)")
    }
    let isSet = name == "set" || name == "set-if-missing"
    let value = try object.optional("to")
    guard isSet == (value != nil) else {
      throw FormatError(isSet ? "missing" : "\(name) takes no value", at: "to")
    }
    self =
      switch name {
      case "rename": try object.required(name, Self.renaming)
      case "remove": .remove(try object.required(name, Self.path))
      default:
        .set(
          try object.required(name, Self.path), to: try object.required("to").value(),
          ifMissing: name != "set")
      }
  }

  private static func path(_ node: JSONNode) throws(FormatError) -> [String] {
    let path = try node.string().split(separator: ".", omittingEmptySubsequences: false)
      .map(String.init)
    if path.contains("") { throw FormatError("a name in a path is empty") }
    return path
  }

  private static func renaming(_ node: JSONNode) throws(FormatError) -> Self {
    let names = try node.array()
    guard names.count == 2 else { throw FormatError("expected the old path and the new one") }
    let (old, new) = (try path(names[0]), try path(names[1]))
    guard old.dropLast() == new.dropLast(), let name = new.last else {
      throw FormatError("both paths must lead to the same object")
    }
    return .rename(old, to: name)
  }

  func apply(to content: inout JSON) throws(FormatError) {
    let path =
      switch self {
      case .rename(let path, _), .remove(let path), .set(let path, _, _): path
      }
    try edit(&content, at: path[...])
  }

  /// Edits the object that has the last name of a path.
  ///
  /// Where `set` finds no object on the way, it makes one; the others then edit nothing.
  private func edit(_ object: inout JSON, at path: ArraySlice<String>) throws(FormatError) {
    guard let name = path.first else { return }
    var inner = try object.member(name)
    switch self {
    case .rename(_, let new) where path.count == 1:
      try object.rename(name, to: new)
      return
    case .remove where path.count == 1:
      try object.remove(name)
      return
    case .set(_, let value, let ifMissing) where path.count == 1:
      if !ifMissing || inner == nil { try object.set(name, to: value) }
      return
    case .set where inner == nil: inner = try JSON(parsing: "{}")
    default: break
    }
    guard var changed = inner else { return }
    do throws(FormatError) { try edit(&changed, at: path.dropFirst()) } catch {
      throw error.inside(name)
    }
    try object.set(name, to: changed)
  }
}
