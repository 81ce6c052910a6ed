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
    switch self {
    case .rename(let path, let new):
      try Self.edit(&content, at: path[...]) { object, name throws(FormatError) in
        try object.rename(name, to: new)
      }
    case .remove(let path):
      try Self.edit(&content, at: path[...]) { object, name throws(FormatError) in
        try object.remove(name)
      }
    case .set(let path, let value, let ifMissing):
      try Self.edit(&content, at: path[...], isMade: true) { object, name throws(FormatError) in
        let old = try object.member(name)
        if !ifMissing || old == nil { try object.set(name, to: value) }
      }
    }
  }

  /// Edits the object that has the last name of a path.
  ///
  /// `isMade`: Whether objects that are missing on the way are made; else nothing is edited.
  private static func edit(
    _ object: inout JSON, at path: ArraySlice<String>, isMade: Bool = false,
    _ body: (inout JSON, String) throws(FormatError) -> Void
  ) throws(FormatError) {
    guard let name = path.first else { return }
    if path.count == 1 { return try body(&object, name) }
    var found = try object.member(name)
    if found == nil, isMade { found = try JSON(parsing: "{}") }
    guard var inner = found else { return }
    do throws(FormatError) {
      try edit(&inner, at: path.dropFirst(), isMade: isMade, body)
    } catch {
      throw error.inside(name)
    }
    try object.set(name, to: inner)
  }
}
