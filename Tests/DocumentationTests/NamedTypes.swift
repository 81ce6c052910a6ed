import Foundation
import TestSupport

/// The types of some modules, and where their public declarations name them.
struct NamedTypes {
  /// The top-level types that each module declares.
  private(set) var declared: [String: Set<String>] = [:]
  /// The top-level type of each type, by the compiler's name.
  private var owners: [String: String] = [:]
  private var declarations: [Declaration] = []

  private struct Declaration {
    var path: [String]
    /// The compiler's names of the types that it names.
    var named: [String]
  }

  private struct File: Decodable {
    struct Symbol: Decodable {
      struct Identifier: Decodable { var precise: String }
      struct Kind: Decodable { var identifier: String }
      struct Fragment: Decodable { var preciseIdentifier: String? }
      var kind: Kind
      var identifier: Identifier
      var pathComponents: [String]
      var declarationFragments: [Fragment]?
    }
    var symbols: [Symbol]
  }

  private static let kinds: Set = [
    "swift.struct", "swift.class", "swift.enum", "swift.protocol", "swift.typealias",
  ]

  /// Reads the symbol graphs in a folder.
  ///
  /// `MODULE.symbols.json` has what a module declares, `MODULE@OTHER.symbols.json` what it adds to the
  /// types of another one.
  init(_ folder: TemporaryFolder) throws {
    for (name, data) in try folder.contents() {
      let isExtension = name.contains("@")
      let module = String(name.prefix { $0 != "@" && $0 != "." })
      for symbol in try JSONDecoder().decode(File.self, from: data).symbols {
        guard let top = symbol.pathComponents.first else { continue }
        if !isExtension, Self.kinds.contains(symbol.kind.identifier) {
          owners[symbol.identifier.precise] = top
          declared[module, default: []].insert(top)
        }
        declarations.append(
          Declaration(
            path: symbol.pathComponents,
            named: (symbol.declarationFragments ?? []).compactMap(\.preciseIdentifier)))
      }
    }
  }

  /// The types of these modules that declarations of seen types name, and that are not seen.
  ///
  /// - Returns: The declarations that name each.
  func gaps(for seen: Set<String>) -> [String: Set<String>] {
    var gaps: [String: Set<String>] = [:]
    for declaration in declarations where seen.contains(declaration.path[0]) {
      for name in declaration.named {
        guard let owner = owners[name], !seen.contains(owner) else { continue }
        gaps[owner, default: []].insert(declaration.path.joined(separator: "."))
      }
    }
    return gaps
  }
}
