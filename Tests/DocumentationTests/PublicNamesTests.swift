import Cellar
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
      let new = names.filter { !known.contains($0) }
      let gone = known.filter { !names.contains($0) }
      #expect(new == [], "new in \(module): enter it, or take it back")
      #expect(gone == [], "gone from \(module): take it out")
    }
  }

  @Test func anAppSeesFewNamesAndNoneOfItsFrameworks() throws {
    let door = try door()
    #expect(door.count == Set(door).count)
    #expect((40...80).contains(door.count))
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

  /// What an app gets or gives without ever writing the name, or needs with the parts alone: who
  /// writes the name imports the module.
  private static let unsaid: [String: String] = [
    "Identifier": "an app writes the aliases", "IdentifierTags": "an app writes the aliases",
    "FieldUpdate": "written as `.set(…)`", "ItemState": "read through an item",
    "SequentialOperation": "iterated", "SectionCounts": "iterated", "StoreProblem": "printed",
    "ReloadReason": "printed", "ViewRole": "printed", "ChangeError": "printed",
    "FormatError": "printed", "SupplementaryTypeError": "printed", "ViewRegistryError": "printed",
    "ShownList": "asked through a Provider", "SizeRetention": "written as `.init(…)`",
    "NeighbourDependencies": "filled through a policy", "Token": "of readers without a view",
    "Resync": "of readers without a view", "InterimList": "of adapters",
    "ItemSizes": "of layouts", "SectionExtent": "of layouts", "FittingLength": "of layouts",
    "LayoutContainer": "of layouts", "MeasuredSize": "of adapters",
    "MeasuredSupplementarySize": "of adapters",
  ]

  /// A name that stands in a public signature can be written by who calls it.
  @Test(.enabled(if: Outside.isThere, "needs the compiler that built the tests"))
  func whatTheDoorsSignaturesNameIsInTheDoor() throws {
    let door = try door()
    let products = ["CellarSwiftUI", "CellarUIKit", "FeedClient"]
    let modules = try declared().keys.filter {
      !["HeadlessUIKit", "ListInspection"].contains($0)
    }
    let types = try NamedTypes(Outside.symbols(of: modules.sorted()))
    let seen = Set(door).union(products.flatMap { types.declared[$0] ?? [] })
    #expect(seen.count > door.count)
    let gaps = types.gaps(for: seen)
    for (name, places) in gaps.sorted(by: { $0.key < $1.key }) where Self.unsaid[name] == nil {
      Issue.record("\(name) stands in \(places.sorted().prefix(3)), and no import shows it")
    }
    #expect(Self.unsaid.keys.filter { gaps[$0] == nil }.sorted() == [], "not named any more")
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
      var files = try FileManager.default.contentsOfDirectory(
        at: PackageFiles.root.appendingPathComponent(folder), includingPropertiesForKeys: nil
      ).filter { $0.pathExtension == "swift" }
      #expect(!files.isEmpty)
      // One of them tests the README's screen.
      if folder.hasSuffix("Articles") {
        let readme = "Tests/DocumentationTests/ReadmeExample.swift"
        files.append(PackageFiles.root.appendingPathComponent(readme))
      }
      #expect(try Outside.complaints(of: files) == "", "\(folder)")
    }
  }
}

/// The compiler, over code that is no part of the package.
enum Outside {
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

  /// The folder of the symbol graphs of modules, as they are public.
  static func symbols(of names: [String]) throws -> TemporaryFolder {
    let folder = try TemporaryFolder()
    let extract = URL(fileURLWithPath: path ?? "").deletingLastPathComponent()
      .appendingPathComponent("swift-symbolgraph-extract")
    let version = try run(URL(fileURLWithPath: path ?? ""), ["-print-target-info"])
    let triple = try JSON(parsing: version.output).member("target")?.value(
      of: "triple", as: String.self)
    for name in names {
      let arguments =
        [
          "-module-name", name, "-I", modules.path, "-target", triple ?? "", "-output-dir",
          folder.url.path, "-minimum-access-level", "public", "-skip-synthesized-members",
        ] + moduleMaps.flatMap { ["-Xcc", "-fmodule-map-file=\($0.path)"] }
      let said = try run(extract, arguments)
      if said.status != 0 { throw Failure(text: "\(name): \(said.errors)") }
    }
    return folder
  }

  private struct Failure: Error { let text: String }

  private static func run(
    _ program: URL, _ arguments: [String]
  ) throws -> (status: Int32, output: String, errors: String) {
    let folder = try TemporaryFolder()
    let (output, errors) = (
      try folder.write("", to: "output"), try folder.write("", to: "errors")
    )
    let process = Process()
    process.executableURL = program
    process.arguments = arguments
    process.standardOutput = try FileHandle(forWritingTo: output)
    process.standardError = try FileHandle(forWritingTo: errors)
    try process.run()
    process.waitUntilExit()
    return (
      process.terminationStatus, try String(contentsOf: output, encoding: .utf8),
      try String(contentsOf: errors, encoding: .utf8)
    )
  }

  static func complaints(_ source: String) throws -> String {
    let folder = try TemporaryFolder()
    return try complaints(of: [folder.write(source, to: "App.swift")])
  }

  /// What the compiler says is wrong; empty if nothing is.
  static func complaints(of files: [URL]) throws -> String {
    let maps = moduleMaps.flatMap { ["-Xcc", "-fmodule-map-file=\($0.path)"] }
    let said = try run(
      URL(fileURLWithPath: path ?? ""),
      ["-typecheck", "-swift-version", "6", "-module-name", "App", "-I", modules.path] + maps
        + files.map(\.path))
    let errors = said.errors.split(separator: "\n").filter { $0.contains(": error:") }
    if said.status != 0, errors.isEmpty { return said.errors }
    return errors.joined(separator: "\n")
  }
}
