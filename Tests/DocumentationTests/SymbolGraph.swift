import Foundation

/// The public declarations of a module, as `swift symbolgraph-extract` writes them.
struct SymbolGraph {
  /// A declaration that differs, and how.
  struct Difference {
    var name: String
    var text: String
  }

  private struct File: Decodable {
    struct Symbol: Decodable {
      struct Identifier: Decodable { var precise: String }
      struct Kind: Decodable { var identifier: String }
      struct Fragment: Decodable { var spelling: String }
      var kind: Kind
      var identifier: Identifier
      var pathComponents: [String]
      var declarationFragments: [Fragment]?
    }
    var symbols: [Symbol]
  }

  /// The texts of declarations by their names, such as `UIView.frame`; several for overloads.
  private(set) var declarations: [String: [String]] = [:]
  /// The same without the type that they are in.
  private var members: [String: [String]] = [:]
  private var protocols: [String] = []

  /// Reads all files of a folder.
  init(in folder: URL) throws {
    for file in try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
    where file.hasSuffix(".symbols.json") {
      let data = try Data(contentsOf: folder.appendingPathComponent(file))
      for symbol in try JSONDecoder().decode(File.self, from: data).symbols
      // What the compiler derives from conformances.
      where !symbol.identifier.precise.contains("::SYNTHESIZED::") {
        if symbol.kind.identifier == "swift.protocol" {
          protocols.append(symbol.pathComponents.joined(separator: "."))
        }
        let text = (symbol.declarationFragments ?? []).map(\.spelling).joined()
        declarations[symbol.pathComponents.joined(separator: "."), default: []].append(text)
        members[symbol.pathComponents.last ?? "", default: []].append(text)
      }
    }
  }

  /// The declarations that another module does not have in the same form.
  ///
  /// What only tests have is left out: names with "headless".
  func differences(from other: SymbolGraph) -> [Difference] {
    var differences: [Difference] = []
    for (name, texts) in declarations.sorted(by: { $0.key < $1.key })
    where !name.contains("eadless") && !Self.isImplied(name) {
      let theirs = other.declarations[name] ?? []
      for text in texts {
        let candidates = theirs.isEmpty ? other.inherited(name, as: text) : theirs
        if candidates.map(Self.plain).contains(Self.plain(text)) { continue }
        differences.append(
          Difference(name: name, text: "\(text)\n  UIKit: \(theirs.joined(separator: "\n  "))"))
      }
    }
    return differences
  }

  /// Whether Apple's graph leaves a declaration out because a protocol implies it.
  private static func isImplied(_ name: String) -> Bool {
    [".rawValue", ".hash", ".isEqual(_:)", ".copy(with:)", ".==(_:_:)", ".<(_:_:)"].contains {
      name.hasSuffix($0)
    }
  }

  /// What a type may have from a superclass or a protocol that declares it alone.
  private func inherited(_ name: String, as text: String) -> [String] {
    guard let member = name.firstIndex(of: ".").map({ String(name[$0...].dropFirst()) }) else {
      return []
    }
    if text.contains("override ") || member == "init(coder:)" { return members[member] ?? [] }
    return protocols.flatMap { declarations["\($0).\(member)"] ?? [] }
  }

  /// A declaration without what makes no difference for its use: isolation that a member has from
  /// its type, overriding, `let` or `var` with a getter alone, optional methods.
  static func plain(_ declaration: String) -> String {
    var text = declaration
    for word in [
      "@MainActor ", "@discardableResult ", "@preconcurrency ", "@escaping ", "@objc ", "override ",
      "convenience ", "required ", "nonisolated ", "final ", "dynamic ", "optional ", "mutating ",
      "weak ", "unowned(unsafe) ",
    ] {
      text = text.replacingOccurrences(of: word, with: "")
    }
    for kind in ["func ", "var ", "let "] where text.hasPrefix("class \(kind)") {
      text = "static" + text.dropFirst("class".count)
    }
    text = text.replacingOccurrences(of: "NSNotification.Name", with: "Notification.Name")
    let isConstant = text.hasPrefix("let ") || text.hasPrefix("static let ")
    guard isConstant || text.hasPrefix("var ") || text.hasPrefix("static var ") else { return text }
    if isConstant, let range = text.range(of: "let ") { text.replaceSubrange(range, with: "var ") }
    let isReadOnly = isConstant || text.hasSuffix("{ get }")
    let end = text.range(of: " {")?.lowerBound ?? text.endIndex
    return text[..<end] + (isReadOnly ? " { get }" : " { get set }")
  }
}
