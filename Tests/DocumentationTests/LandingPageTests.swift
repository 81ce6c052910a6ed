import Foundation
import TestSupport
import Testing

/// Each module of the library has a page that says what it is for and names its types by topic.
@Suite struct LandingPageTests {
  private static let sources = PackageFiles.root.appendingPathComponent("Sources")

  /// The modules that are written in Swift.
  static func modules() throws -> [String] {
    let folders = try FileManager.default.contentsOfDirectory(atPath: sources.path).filter {
      !$0.hasPrefix(".")
    }
    return folders.filter { folder in
      let files = FileManager.default.enumerator(
        atPath: sources.appendingPathComponent(folder).path)
      return files?.contains { ($0 as? String)?.hasSuffix(".swift") == true } == true
    }
  }

  private static func text(_ page: String) throws -> String {
    try String(contentsOf: sources.appendingPathComponent(page), encoding: .utf8)
  }

  /// Whether there is a public type that topics can name, or more than one page.
  private static func hasTypes(_ module: String) throws -> Bool {
    let folder = sources.appendingPathComponent(module)
    let files = FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil)
    let urls = files?.compactMap { $0 as? URL } ?? []
    if urls.filter({ $0.pathExtension == "md" }).count > 1 { return true }
    return try urls.filter { $0.pathExtension == "swift" }.contains { file in
      try String(contentsOf: file, encoding: .utf8).components(separatedBy: "\n").contains {
        $0.firstMatch(of: #/^(@\w+ )*public .*(struct|class|enum|protocol) /#) != nil
          && !$0.contains("import ")
      }
    }
  }

  @Test func everyModuleHasALandingPage() throws {
    let modules = try Self.modules()
    #expect(modules.count > 10)
    for module in modules {
      let page = try Self.text("\(module)/\(module).docc/\(module).md")
      let lines = page.components(separatedBy: "\n")
      #expect(lines.first == "# ``\(module)``", "\(module)")
      // A sentence, for the list of modules.
      #expect(lines.count > 2 && lines[2].hasSuffix("."), "\(module)")
      #expect(lines.contains("## Overview"), "\(module)")
      #expect(try lines.contains("## Topics") == Self.hasTypes(module), "\(module)")
    }
  }

  /// A page that no topic names is hard to find.
  @Test func everyPageIsNamedByItsLandingPage() throws {
    for module in try Self.modules() {
      let catalog = "\(module)/\(module).docc"
      let pages = try FileManager.default.contentsOfDirectory(
        atPath: Self.sources.appendingPathComponent(catalog).path
      ).filter { $0.hasSuffix(".md") }.map { String($0.dropLast(3)) }
      let landing = try Self.text("\(catalog)/\(module).md")
      for page in pages where page != module {
        #expect(landing.contains("- <doc:\(page)>"), "\(module) does not name \(page)")
      }
    }
  }

  /// What is built for readers has all modules, and the manifest of the Swift Package Index too.
  @Test func theIndexListsEveryModule() throws {
    let manifest = try String(
      contentsOf: PackageFiles.root.appendingPathComponent(".spi.yml"), encoding: .utf8)
    let listed = manifest.components(separatedBy: "\n").filter { $0.contains("  - ") }
      .map { $0.trimmingCharacters(in: CharacterSet(charactersIn: " -")) }
      .filter { !$0.contains(":") }
    #expect(listed.sorted() == (try Self.modules().sorted()))
    #expect(listed.first == "Cellar")
  }
}
