import Foundation
import TestSupport
import Testing

/// `docs/Architecture.md` tells of the sources as they are.
@Suite struct ArchitectureTests {
  private let page: String
  /// What the page says of modules, of journeys, and where something is.
  private let modules: Substring
  private let journeys: Substring
  private let questions: Substring

  init() throws {
    page = try Self.text("docs/Architecture.md")
    let parts = page.components(separatedBy: "\n## ").map { $0[...] }
    try #require(parts.count == 4)
    (modules, journeys, questions) = (parts[1], parts[2], parts[3])
  }

  private static func text(_ path: String) throws -> String {
    try String(contentsOf: PackageFiles.root.appendingPathComponent(path), encoding: .utf8)
  }

  private static func isThere(_ path: String) -> Bool {
    FileManager.default.fileExists(
      atPath: PackageFiles.root.appendingPathComponent(path).path)
  }

  // MARK: Paths and names

  @Test func itsPathsAreThere() {
    let paths = page.matches(of: #/`((?:Sources|Tests|tools|migrations|docs)/[^`]*)`/#)
      .map { String($0.1) }
    #expect(paths.count > 100)
    for path in paths { #expect(Self.isThere(path), "\(path)") }
  }

  @Test func itsNamesAreDeclaredInTheFilesBesideThem() throws {
    let names = page.matches(of: #/`([A-Z][\w.]*)` \(`([^`]+)`\)/#)
    #expect(names.count > 100)
    for match in names {
      let (name, path) = (String(match.1), String(match.2))
      let source = Self.isThere(path) ? try Self.text(path) : ""
      // A failure would show all of the source.
      let isDeclared = Self.declares(name, in: source)
      #expect(isDeclared, "\(name) is not declared in \(path)")
    }
  }

  @Test(arguments: [
    ("Store", true), ("Store.open", true), ("Store.init", true), ("Store.State.next", true),
    ("State.paused", true), ("Log.count", true), ("Log", false), ("Store.close", false),
    ("Store.count", false), ("Stor", false), ("Store.ope", false), ("State.open", false),
    ("Log.init", false), ("Told.open", false),
  ])
  func declarationsAreFound(_ name: String, _ isDeclared: Bool) {
    let source = """
      /// A struct Told { func open() }
      public final class Store: Sendable {
        package convenience init?(at file: String) {}
        private(set) static var open: Bool { close() }
        enum State: Int {
          case paused
          func next() {}
        }
      }
      extension Store.Log {
        mutating func count(_ words: Int) {}
      }
      """
    #expect(Self.declares(name, in: source) == isDeclared)
  }

  /// Whether a file declares a type, `Type`, or extends or declares it with a member,
  /// `Type.member`.
  private static func declares(_ name: String, in source: String) -> Bool {
    var parts = name.components(separatedBy: ".")
    let member = parts.last?.first?.isLowercase == true ? parts.removeLast() : nil
    let lines = source.components(separatedBy: "\n")
    return lines.indices.contains { index in
      guard let type = declaration(in: lines[index]), type.name == parts.last else { return false }
      guard let member else { return type.kind != "extension" }
      let end = lines[index].prefix { $0 == " " } + "}"
      return lines[(index + 1)...].prefix { $0 != end }
        .contains { declaration(in: $0)?.name == member }
    }
  }

  /// What a line declares: of `extension Store.Log` the name is `Log`.
  private static func declaration(in line: String) -> (kind: Substring, name: String)? {
    let modifiers: Set<Substring> = [
      "public", "package", "internal", "fileprivate", "private", "open", "final", "static",
      "mutating", "nonisolated", "override", "convenience", "required", "indirect", "weak", "lazy",
    ]
    let kinds: Set<Substring> = [
      "struct", "class", "enum", "actor", "protocol", "extension", "typealias", "func", "var",
      "let", "case",
    ]
    let words = line.split(separator: " ").drop {
      $0.hasPrefix("@") || modifiers.contains($0.prefix { $0 != "(" })
    }
    guard let kind = words.first?.prefix(while: \.isLetter) else { return nil }
    if kind == "init" { return (kind, "init") }
    guard kinds.contains(kind), let word = words.dropFirst().first else { return nil }
    let name = word.prefix { $0.isLetter || $0.isNumber || "._".contains($0) }
    return (kind, name.components(separatedBy: ".").last ?? "")
  }

  // MARK: Journeys and questions

  @Test func theHopsAndFilesOfEachJourneyAreCounted() throws {
    let parts = journeys.components(separatedBy: "\n### ").dropFirst()
    #expect(parts.count == 4)
    for journey in parts {
      let hops = journey.matches(of: #/\n(\d+)\. `[^`]+` \(`([^`]+)`\)/#)
      let numbers = hops.compactMap { Int($0.1) }
      #expect(numbers == Array(1...hops.count), "\(journey.prefix(40))")
      let count = "**\(hops.count) hops, \(Set(hops.map(\.2)).count) files"
      #expect(journey.contains(count), "\(journey.prefix(40)) has \(count)")
    }
  }

  @Test func eachQuestionIsAnsweredByAFile() {
    let answers = questions.components(separatedBy: "\n").filter { $0.contains("**… ") }
    #expect(answers.count == 20)
    for (index, answer) in answers.enumerated() {
      #expect(answer.hasPrefix("\(index + 1). "), "\(answer)")
      #expect(answer.contains("(`Sources/"), "\(answer)")
    }
  }

  // MARK: Modules

  /// The modules in the page's order, with their folders.
  private var listed: [(module: String, folders: Set<String>)] {
    var listed: [(module: String, folders: Set<String>)] = []
    for line in modules.components(separatedBy: "\n") {
      if line.hasPrefix("- ") {
        listed += line.matches(of: #/`((?:Sources|tools)/\w+)`/#).map { (String($0.1), []) }
      } else if let match = line.prefixMatch(of: #/  - `(\w+)`: /#) {
        listed[listed.count - 1].folders.insert(String(match.1))
      }
    }
    return listed
  }

  private static func folders(in path: String) throws -> Set<String> {
    let folder = PackageFiles.root.appendingPathComponent(path)
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.path).filter { name in
      var isFolder: ObjCBool = false
      let file = folder.appendingPathComponent(name)
      return FileManager.default.fileExists(atPath: file.path, isDirectory: &isFolder)
        && isFolder.boolValue && !name.hasSuffix(".docc") && name != "include"
    }
    return Set(names)
  }

  @Test func allModulesAndTheirFoldersAreListed() throws {
    let sources = try Self.folders(in: "Sources")
    let wanted = sources.map { "Sources/\($0)" } + ["tools/cellar"]
    #expect(Set(listed.map(\.module)) == Set(wanted))
    for (module, folders) in listed {
      #expect(try Self.folders(in: module) == folders, "\(module)")
    }
    #expect(page.contains("(architecture.svg)"))
    let drawing = try Self.text("docs/architecture.svg")
    for module in sources { #expect(drawing.contains(module), "the drawing has no \(module)") }
  }

  @Test func noModuleStandsBeforeOneThatItImports() throws {
    let names = listed.map { $0.module.components(separatedBy: "/")[1] }
    let rule = try Self.text("tools/check-imports").components(separatedBy: "allowed=\"\n")
    let modules = try #require(rule.last).prefix { $0 != "\"" }
      .split(separator: "\n").map { $0.components(separatedBy: ": ") }
    #expect(modules.count > 15)
    for module in modules {
      let name = module[0].replacingOccurrences(of: ":", with: "")
      let place = try #require(names.firstIndex(of: name), "\(name)")
      for imported in module.dropFirst().joined().split(separator: " ") {
        #expect(names.firstIndex(of: String(imported)) ?? .max < place, "\(name), \(imported)")
      }
    }
  }
}
