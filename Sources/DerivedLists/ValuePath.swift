package import ListModel

/// Where a value of an item is.
package enum ValuePath: Hashable, Sendable {
  /// In its content: the tokens of a JSON Pointer (RFC 6901).
  case content([String])
  /// Its id.
  case id
  /// The name of its cell.
  case cell
  /// The name of its type.
  case type
  /// The id of the section of the source that it stands in.
  case section
  /// How well it matches a full-text search.
  case rank

  package init(_ text: String) throws(FormatError) {
    switch text {
    case "#id": self = .id
    case "#cell": self = .cell
    case "#type": self = .type
    case "#section": self = .section
    case "#rank": self = .rank
    case "": self = .content([])
    default:
      guard text.hasPrefix("/") else {
        throw FormatError(
          "expected a JSON Pointer such as \"/title\", or #id, #cell, #type or #section, found "
            + ShownText.quoted(text))
      }
      var tokens: [String] = []
      for part in text.unicodeScalars.dropFirst().split(
        separator: "/", omittingEmptySubsequences: false)
      {
        tokens.append(try Self.token(part))
      }
      self = .content(tokens)
    }
  }

  private static func token(_ part: Substring.UnicodeScalarView) throws(FormatError) -> String {
    var token = String.UnicodeScalarView()
    var isEscape = false
    for scalar in part {
      switch (isEscape, scalar) {
      case (true, "0"): token.append("~")
      case (true, "1"): token.append("/")
      case (true, _): throw FormatError("~ stands before 0 or 1 in a JSON Pointer")
      case (false, "~"): break
      default: token.append(scalar)
      }
      isEscape = !isEscape && scalar == "~"
    }
    if isEscape { throw FormatError("~ stands before 0 or 1 in a JSON Pointer") }
    return String(token)
  }
}

extension ValuePath: JSONReadable {
  package init(_ node: JSONNode) throws(FormatError) { try self.init(node.string()) }
}

extension JSONNode {
  /// The value at the tokens of a JSON Pointer; `nil` if there is none.
  package func value(at tokens: [String]) -> JSONNode? {
    var node = self
    for token in tokens {
      switch node.kind {
      case .object:
        guard let member = try? node.object().last(token) else { return nil }
        node = member
      case .array:
        guard let index = Int(token), index >= 0, String(index) == token,
          let element = node.element(at: index)
        else { return nil }
        node = element
      default: return nil
      }
    }
    return node
  }

  private func element(at index: Int) -> JSONNode? {
    guard var elements = try? elements() else { return nil }
    for _ in 0..<index where elements.next() == nil { return nil }
    return elements.next()
  }
}
