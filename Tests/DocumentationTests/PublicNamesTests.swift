import Foundation
import TestSupport
import Testing

/// What the products show, name by name: each addition is a decision, made in a file.
@Suite struct PublicNamesTests {
  private static let sources = PackageFiles.root.appendingPathComponent("Sources")

  /// The top-level types that each module declares as public.
  private func declared() throws -> [String: [String]] {
    let declaration = try Regex(
      #"^ *(?:@\w+(?:\([^)]*\))? )*(?:public|open) (?:final |indirect )*(?:struct|enum|class|protocol|typealias|actor) (\w+)"#
    )
    var names: [String: Set<String>] = [:]
    let files = try FileManager.default.subpathsOfDirectory(atPath: Self.sources.path)
    for file in files where file.hasSuffix(".swift") {
      let module = String(file.prefix { $0 != "/" })
      let text = try String(
        contentsOf: Self.sources.appendingPathComponent(file), encoding: .utf8)
      // Two columns are what `#if` indents; what is nested is in a type that is in the list.
      let isConditional = text.hasPrefix("#if") || text.contains("\n#if")
      for line in text.split(separator: "\n") {
        let indentation = line.prefix { $0 == " " }.count
        guard indentation == 0 || indentation == 2 && isConditional,
          let name = try declaration.prefixMatch(in: String(line))?[1].substring
        else { continue }
        names[module, default: []].insert(String(name))
      }
    }
    return names.mapValues { $0.sorted() }
  }

  /// `PublicNames.txt`: a module a line, its names after it.
  private func decided() throws -> [String: [String]] {
    let file = PackageFiles.root.appendingPathComponent("Tests/DocumentationTests/PublicNames.txt")
    let lines = try String(contentsOf: file, encoding: .utf8).split(separator: "\n")
    return Dictionary(
      uniqueKeysWithValues: lines.map { line in
        let words = line.split(separator: " ").map(String.init)
        return (String(words[0].dropLast()), Array(words.dropFirst()))
      })
  }

  /// What `import Cellar` shows.
  private func door() throws -> [String] {
    try String(
      contentsOf: Self.sources.appendingPathComponent("Cellar/Cellar.swift"), encoding: .utf8
    )
    .split(separator: "\n")
    .filter { $0.hasPrefix("@_exported public import ") }
    .map { String($0.split(separator: ".").last ?? "") }
  }

  @Test func everyPublicNameWasDecided() throws {
    let declared = try declared()
    let decided = try decided()
    #expect(Set(declared.keys) == Set(decided.keys))
    for (module, names) in declared {
      let known = decided[module] ?? []
      #expect(
        names.filter { !known.contains($0) } == [], "new in \(module): enter it, or take it back")
      #expect(known.filter { !names.contains($0) } == [], "gone from \(module): take it out")
    }
  }

  @Test func anAppSeesFewNamesAndNoneOfItsFrameworks() throws {
    let door = try door()
    #expect(door.count == Set(door).count)
    #expect((40...65).contains(door.count))
    // Of Swift, Foundation, Combine, SwiftUI and UIKit: what a list screen might have in scope.
    let taken: Set = [
      "Section", "List", "Text", "Label", "Image", "View", "State", "Binding", "Font", "Color",
      "Edge", "Alignment", "Axis", "Layout", "Transaction", "Animation", "Group", "Form", "Menu",
      "Table", "Commands", "Scene", "Link", "Path", "Shape", "Never", "Data", "Date", "URL",
      "Locale", "Operation", "Progress", "Notification", "Scanner", "Stream", "Thread", "Timer",
      "Unit", "Dimension", "Measurement", "Record", "Subject", "Publisher", "Subscriber", "Future",
      "Just", "Published", "Result", "Sequence", "Collection", "Set", "Array", "Error", "Task",
      "Duration", "Clock", "Mirror", "Character", "Range",
    ]
    #expect(taken.intersection(door) == [])
  }

  /// As an app compiles it: not of this package, and so without what is `package`.
  @Test(.enabled(if: Outside.isThere, "needs the compiler that built the tests"))
  func anAppThatImportsCellarSeesTheDoorAndNothingElse() throws {
    let door = try door()
    #expect(try Outside.complaints("import Cellar\n" + door.map(Self.mention).joined()) == "")
    for name in ["LegalityVerdict", "LegalityCheck", "Section", "ListPlacement"] {
      #expect(try Outside.complaints("import Cellar\n" + Self.mention(name)).contains(name))
    }
  }

  private static func mention(_ name: String) -> String { "typealias Seen\(name) = \(name)\n" }

  @Test(.enabled(if: Outside.isThere, "needs the compiler that built the tests"))
  func aTypeWithoutConfigureDoesNotCompile() throws {
    for (name, view) in [("ListItem", "Cell"), ("ListSupplementary", "View")] {
      let type = "import Cellar\nstruct Book: \(name) {\n  var id: String\n"
      #expect(try Outside.complaints(type + "}").contains("does not conform"))
      let misspelt = "  func configur(_ view: AnyObject) {}\n}"
      #expect(try Outside.complaints(type + misspelt).contains("does not conform"))
      // SwiftUI shows it: said, it needs none.
      #expect(try Outside.complaints(type + "  typealias \(view) = Never\n}") == "")
    }
  }

  @Test(.enabled(if: Outside.isThere, "needs the compiler that built the tests"))
  func theReadmeCompilesInAnAppThatHasOnlyWhatItSays() throws {
    let readme = try String(
      contentsOf: PackageFiles.root.appendingPathComponent("README.md"), encoding: .utf8)
    let blocks = readme.components(separatedBy: "```swift\n").dropFirst(2).map {
      $0.components(separatedBy: "\n```")[0]
    }
    #expect(blocks.count >= 5)
    // UIKit as it is here.
    let source = blocks.joined(separator: "\n\n")
      .replacingOccurrences(of: "import UIKit", with: "import HeadlessUIKit")
    #expect(try Outside.complaints(source) == "")
  }

  @Test(.enabled(if: Outside.isThere, "needs the compiler that built the tests"))
  func theArticlesAndTheSampleCompileInAnAppOfTheirOwn() throws {
    for folder in [
      "Tests/DocumentationTests/Articles", "Tests/DocumentationTests/ReadingList",
      "Tests/DocumentationTests/Readers", "tools/sample",
    ] {
      let files = try FileManager.default.contentsOfDirectory(
        at: PackageFiles.root.appendingPathComponent(folder), includingPropertiesForKeys: nil
      ).filter { $0.pathExtension == "swift" }
      #expect(!files.isEmpty)
      #expect(try Outside.complaints(of: files) == "", "\(folder)")
    }
  }
}

/// The compiler, over code that is no part of the package.
private enum Outside {
  private static let products = BuiltProducts.program("cellar").resolvingSymlinksInPath()
    .deletingLastPathComponent()
  private static let modules = products.appendingPathComponent("Modules")

  /// The C modules that ours bring, as the package manager names them.
  private static let moduleMaps = [
    products.appendingPathComponent("SQLiteSettings.build/module.modulemap"),
    products.appendingPathComponent("SHA256Instructions.build/module.modulemap"),
    products.deletingLastPathComponent().deletingLastPathComponent()
      .appendingPathComponent("checkouts/GRDB.swift/Sources/GRDBSQLite/module.modulemap"),
  ]

  static var isThere: Bool {
    path != nil
      && ([modules] + moduleMaps).allSatisfy {
        FileManager.default.fileExists(atPath: $0.path)
      }
  }

  private static var path: String? {
    #if os(Linux)
      (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":")
        .map { "\($0)/swiftc" }.first { FileManager.default.isExecutableFile(atPath: $0) }
    #else
      // Needs an SDK besides.
      nil
    #endif
  }

  static func complaints(_ source: String) throws -> String {
    let folder = try TemporaryFolder()
    return try complaints(of: [folder.write(source, to: "App.swift")])
  }

  /// What the compiler says is wrong; empty if nothing is.
  static func complaints(of files: [URL]) throws -> String {
    let folder = try TemporaryFolder()
    let output = try folder.write("", to: "output")
    let process = Process()
    process.executableURL = URL(fileURLWithPath: path ?? "")
    process.arguments =
      ["-typecheck", "-swift-version", "6", "-module-name", "App", "-I", modules.path]
      + moduleMaps.flatMap { ["-Xcc", "-fmodule-map-file=\($0.path)"] } + files.map(\.path)
    process.standardError = try FileHandle(forWritingTo: output)
    process.standardOutput = FileHandle.nullDevice
    try process.run()
    process.waitUntilExit()
    let said = try String(contentsOf: output, encoding: .utf8)
    let errors = said.split(separator: "\n").filter { $0.contains(": error:") }
    if process.terminationStatus != 0, errors.isEmpty { return said }
    return errors.joined(separator: "\n")
  }
}
