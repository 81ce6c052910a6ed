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
  package let rights: [String: Right]

  /// A grant.
  package init(subject: String, tokenID: String? = nil, expiry: Int? = nil, rights: [String: Right])
  {
    self.subject = subject
    self.tokenID = tokenID
    self.expiry = expiry
    self.rights = rights
  }

  /// What a node without keys grants to whoever reaches it.
  static let everything = Grant(subject: "", rights: ["*": .own])

  /// What may be done with a list; `nil` for nothing.
  ///
  /// - Complexity: O(*s*), *s* slashes in the id.
  package func right(to list: String) -> Right? {
    var best = [rights[list], rights["*"]].compactMap(\.self).max()
    var rest = list[...]
    while let slash = rest.lastIndex(of: "/") {
      if let right = rights[String(list[...slash])] { best = max(best ?? right, right) }
      rest = list[..<slash]
    }
    return best
  }

  /// The longest prefix that grants writing to a list; `nil` if the list is named, or all are granted.
  func prefix(of list: String) -> String? {
    func writes(_ name: String) -> Bool { rights[name].map { $0 >= .edit } ?? false }
    if writes(list) || writes("*") { return nil }
    var rest = list[...]
    while let slash = rest.lastIndex(of: "/") {
      if writes(String(list[...slash])) { return String(list[...slash]) }
      rest = list[..<slash]
    }
    return nil
  }

  /// The lists that it names, without those that stand for many.
  var namedLists: [String] { rights.keys.filter { $0 != "*" && !$0.hasSuffix("/") }.sorted() }

  /// What a revocation may name.
  var revocableIDs: [String] { [tokenID, subject.isEmpty ? nil : subject].compactMap(\.self) }
}
