import RelayEngine

/// What somebody may do with a list; each includes those before it.
package enum Right: String, Codable, Comparable, CaseIterable, Sendable {
  /// Read its lines.
  case read
  /// Send edits, each under the own name.
  case edit
  /// Append, replace, copy and delete as its server does, under any name.
  case own

  /// Compares what they include.
  package static func < (lhs: Right, rhs: Right) -> Bool {
    (allCases.firstIndex(of: lhs) ?? 0) < (allCases.firstIndex(of: rhs) ?? 0)
  }
}

/// Who asks, and what that one may do.
package struct Grant: Hashable, Sendable {
  /// Who asks: the author of edits, and whose ids they are.
  package let subject: String
  /// The token's own id.
  package let tokenID: String?
  /// When it ends, in milliseconds since 1970; `nil` if it does not.
  package let expiry: Int?
  /// Rights by list.
  ///
  /// A name that ends with `/` stands for all lists whose ids begin with it, and `*`
  /// for all.
  package var rights: [String: Right] {
    Dictionary(keyed.map { ($0.text, $1) }, uniquingKeysWith: min)
  }

  private let keyed: [TextKey: Right]

  /// A grant.
  package init(subject: String, tokenID: String? = nil, expiry: Int? = nil, rights: [String: Right])
  {
    self.subject = subject
    self.tokenID = tokenID
    self.expiry = expiry
    keyed = Dictionary(uniqueKeysWithValues: rights.map { (TextKey($0), $1) })
  }

  /// What a node without keys grants to whoever reaches it.
  static let everything = Grant(subject: "", rights: ["*": .own])

  /// What may be done with a list; `nil` for nothing.
  ///
  /// - Complexity: O(*s*), *s* slashes in the id.
  package func right(to list: String) -> Right? {
    ([TextKey(list), "*"] + Self.prefixes(of: list)).compactMap { keyed[$0] }.max()
  }

  /// What prefixes of a list's id end with a slash, the longest first.
  private static func prefixes(of list: String) -> [TextKey] {
    list.utf8.indices.reversed().filter { list.utf8[$0] == UInt8(ascii: "/") }
      .map { TextKey(Substring(list.utf8[...$0])) }
  }

  /// The longest prefix that grants writing to a list; `nil` if the list is named, or all are granted.
  func prefix(of list: String) -> String? {
    func writes(_ name: TextKey) -> Bool { keyed[name].map { $0 >= .edit } ?? false }
    if writes(TextKey(list)) || writes("*") { return nil }
    return Self.prefixes(of: list).first(where: writes)?.text
  }

  /// The lists that it names, without those that stand for many.
  var namedLists: [String] {
    keyed.keys.filter { $0 != "*" && !$0.isPrefix }.sorted().map(\.text)
  }

  /// The beginnings of ids that it grants; `nil` if it grants all lists.
  var prefixes: [String]? {
    keyed["*"] == nil ? keyed.keys.filter(\.isPrefix).sorted().map(\.text) : nil
  }

  /// What a revocation may name.
  var revocableIDs: [String] { [tokenID, subject.isEmpty ? nil : subject].compactMap(\.self) }
}

extension TextKey {
  /// Whether it stands for all lists whose ids begin with it.
  fileprivate var isPrefix: Bool { text.utf8.last == UInt8(ascii: "/") }
}
