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
  /// What a closure computes of it.
  case computed(ComputedField)

  package init(_ text: String) throws(FormatError) {
    switch text {
    case "#id": self = .id
    case "#cell": self = .cell
    case "#type": self = .type
    case "#section": self = .section
    case "#rank": self = .rank
    case "": self = .content([])
    default:
      if let field = ComputedField(text) {
        self = .computed(field)
        return
      }
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

  /// The path as it is written.
  package var text: String {
    switch self {
    case .content(let tokens):
      tokens.reduce(into: "") { text, token in
        text += "/"
        for scalar in token.unicodeScalars {
          switch scalar {
          case "~": text += "~0"
          case "/": text += "~1"
          default: text.unicodeScalars.append(scalar)
          }
        }
      }
    case .id: "#id"
    case .cell: "#cell"
    case .type: "#type"
    case .section: "#section"
    case .rank: "#rank"
    case .computed(let field): field.text
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

  /// Calls a closure with the texts that a full-text search reads here: strings, numbers as they are
  /// written in ids of sections, and those in arrays and objects, however deep.
  ///
  /// Of members with one name the last counts. A string that is no Unicode is no text.
  package func forEachText(_ body: (String) -> Void) {
    switch kind {
    case .null, .bool: break
    case .string: if let text = try? string() { body(text) }
    case .number: ValueKey(self).text.map(body)
    case .array:
      guard var elements = try? elements() else { return }
      while let element = elements.next() { element.forEachText(body) }
    case .object:
      guard let members = try? object().members else { return }
      var last: [[UInt8]: Int] = [:]
      for (index, member) in members.enumerated() { last[member.name.utf8] = index }
      for (index, member) in members.enumerated() where last[member.name.utf8] == index {
        member.value.forEachText(body)
      }
    }
  }

  /// The bytes of a member's name; one that is no Unicode begins with a byte that others do not have.
  private var utf8: [UInt8] {
    if let text = try? string() { return Array(text.utf8) }
    return [0xFF] + Array(value().text.utf8)
  }

  private func element(at index: Int) -> JSONNode? {
    guard var elements = try? elements() else { return nil }
    for _ in 0..<index where elements.next() == nil { return nil }
    return elements.next()
  }
}
