import Foundation
import TestSupport
import Testing

/// HeadlessUIKit's declarations and Apple's, one by one.
///
/// `tools/compare-uikit` runs it where UIKit's interfaces are: it needs the symbol graphs of both.
@Suite struct AppleDeclarationTests {
  private static let symbols = ProcessInfo.processInfo.environment["CELLAR_UIKIT_SYMBOLS"]

  @Test(.enabled(if: symbols != nil, "CELLAR_UIKIT_SYMBOLS names no folder with symbol graphs"))
  func eachDifferenceIsListedWithAReason() throws {
    let folder = URL(fileURLWithPath: try #require(Self.symbols))
    let ours = try SymbolGraph(in: folder.appendingPathComponent("HeadlessUIKit"))
    let apples = try SymbolGraph(in: folder.appendingPathComponent("UIKit"))
    #expect(ours.declarations.count > 500 && apples.declarations.count > 10_000)
    let differences = ours.differences(from: apples)
    let listed = try Self.listed()
    for difference in differences where !listed.contains(difference.name) {
      Issue.record("\(difference.name): \(difference.text)")
    }
    // A row without a difference is out of date.
    #expect(listed.subtracting(differences.map(\.name)) == [])
  }

  /// The declarations in the tables of `Differences.md`.
  private static func listed() throws -> Set<String> {
    let article = PackageFiles.root
      .appendingPathComponent("Sources/HeadlessUIKit/HeadlessUIKit.docc/Differences.md")
    let rows = try String(contentsOf: article, encoding: .utf8).split(separator: "\n")
      .filter { $0.hasPrefix("| `") }
    let names = rows.flatMap { row -> [Substring] in
      let cell = row.split(separator: "|").first ?? ""
      return cell.split(separator: "`").filter { !$0.allSatisfy { " ,".contains($0) } }
    }
    return Set(names.map(String.init))
  }

  @Test func eachRowHasAReason() throws {
    #expect(try !Self.listed().isEmpty)
    let article = PackageFiles.root
      .appendingPathComponent("Sources/HeadlessUIKit/HeadlessUIKit.docc/Differences.md")
    for row in try String(contentsOf: article, encoding: .utf8).split(separator: "\n")
    where row.hasPrefix("| `") {
      let cells = row.split(separator: "|").filter { $0.contains { $0 != " " } }
      #expect(cells.count == 3, "\(row)")
    }
  }

  @Test func whatIsWrittenOtherwiseButUsedAlikeIsNoDifference() {
    for (one, other) in [
      ("@MainActor let title: String", "var title: String { get }"),
      ("@MainActor var zIndex: Int", "var zIndex: Int { get set }"),
      ("static let top: Place", "static var top: Place { get }"),
      ("@MainActor class func make() -> View", "class func make() -> View"),
      ("func scroll(to place: Int)", "optional func scroll(to place: Int)"),
      ("@MainActor weak var delegate: Delegate?", "weak var delegate: Delegate? { get set }"),
    ] {
      #expect(SymbolGraph.plain(one) == SymbolGraph.plain(other))
    }
    for (one, other) in [
      ("let title: String", "var title: String { get set }"),
      ("func go(to place: Int)", "func go(to place: Int = 0)"),
      ("func go(to place: Int)", "func go(to target: Int)"),
      ("func run(_ body: () -> Void)", "func run(_ body: @Sendable () -> Void)"),
    ] {
      #expect(SymbolGraph.plain(one) != SymbolGraph.plain(other))
    }
  }
}
