import Foundation
import TestSupport
import Testing

/// The table of what the five articles describe names every row once, and tests that there are.
@Suite struct CapabilitiesTests {
  private struct Row {
    var number: String
    var cells: [String]
  }

  /// The rows of all tables, without their heads.
  private func rows() throws -> [Row] {
    let article = PackageFiles.root.appendingPathComponent(
      "Tests/CapabilityTests/Capabilities.md")
    return try String(contentsOf: article, encoding: .utf8).split(separator: "\n")
      .filter { $0.hasPrefix("| ") && !$0.hasPrefix("| |") }
      .map { line in
        let cells = line.dropFirst().dropLast().split(separator: "|")
          .map { $0.trimmingCharacters(in: .whitespaces) }
        return Row(number: cells.first ?? "", cells: Array(cells.dropFirst()))
      }
  }

  /// `0.1` to `4.14`, `L1` to `L10`, `R1` to `R19`.
  private static let numbers = [("0.", 27), ("1.", 13), ("2.", 22), ("3.", 16), ("4.", 14)]
    .flatMap { prefix, count in (1...count).map { "\(prefix)\($0)" } }

  @Test func everyRowIsThereOnce() throws {
    let expected = Self.numbers + (1...10).map { "L\($0)" } + (1...19).map { "R\($0)" }
    let found = try rows().map(\.number).filter { $0 != "+" && $0 != "bug" }
    #expect(found.sorted() == expected.sorted())
  }

  @Test func everyRowHasATestOrSaysWhyThereIsNone() throws {
    let rows = try rows()
    for row in rows {
      #expect(row.cells.count == 3, "\(row.number)")
      #expect(row.cells.allSatisfy { !$0.isEmpty }, "\(row.number)")
      let named = row.cells.last.map(tests) ?? []
      if row.cells.last == "none" {
        #expect(row.cells[1].hasPrefix("not there: "), "\(row.number)")
      } else {
        #expect(!named.isEmpty, "\(row.number)")
      }
    }
    #expect(rows.flatMap { tests($0.cells.last ?? "") }.count > 130)
  }

  @Test func everyTestThatIsNamedIsInTheSources() throws {
    let known = try Set(sources().flatMap(functions))
    for row in try rows() {
      for test in tests(row.cells.last ?? "") {
        // Not in the macro, which would print all functions.
        let isThere = known.contains(test)
        #expect(isThere, "row \(row.number) names \(test)")
      }
    }
  }

  /// The functions in a source, each with the top-level type or extension that it is in.
  private func functions(in source: Data) -> [String] {
    var names: [String] = []
    var suite = ""
    for line in String(decoding: source, as: UTF8.self).split(separator: "\n") {
      if !line.hasPrefix(" "), !line.hasPrefix("/") {
        let words = line.split(separator: " ")
        guard let keyword = words.firstIndex(where: { ["struct", "extension"].contains($0) }),
          keyword + 1 < words.count
        else { continue }
        suite = String(words[keyword + 1])
      } else if let keyword = line.range(of: "func ") {
        names.append("\(suite).\(line[keyword.upperBound...].prefix { $0 != "(" })")
      }
    }
    return names
  }

  /// Tests that begin with a row's number are named in that row.
  @Test func everyTestOfARowIsNamedThere() throws {
    let rows = try rows()
    var count = 0
    for source in try sources(in: "Tests/CapabilityTests") {
      let source = String(decoding: source, as: UTF8.self)
      guard let suite = source.firstMatch(of: #/struct (\w+Tests) /#)?.1 else { continue }
      for test in source.matches(of: #/@Test\(\s*"([^"]+?): [^"]*"[\s\S]*?func (\w+)\(/#) {
        for number in test.1.split(separator: ", ") {
          count += 1
          let name = "\(suite).\(test.2)"
          let isNamed = rows.contains { row in
            (row.number == number || (row.number == "bug" && number.hasSuffix("bug")))
              && tests(row.cells.last ?? "").contains(name)
          }
          #expect(isNamed, "\(name) is of row \(number)")
        }
      }
    }
    #expect(count > 30)
  }

  /// Of ours, the suites of the table import the products and helpers of tests, as an app does.
  @Test func theSuitesSeeWhatAnAppSees() throws {
    let sources = try FileManager.default.contentsOfDirectory(
      atPath: PackageFiles.root.appendingPathComponent("Sources").path)
    let inner = Set(sources).subtracting(["Cellar", "CellarUIKit", "HeadlessUIKit"])
    #expect(inner.contains("ListStore") && inner.contains("ListModel"))
    var count = 0
    for file in try PackageFiles.swiftFiles(under: "Tests/CapabilityTests") {
      let text = try String(contentsOf: file, encoding: .utf8)
      for line in text.split(separator: "\n") {
        // Also `@testable import M` and `import struct M.Type`.
        guard let keyword = line.range(of: #"^(@?\w+ )*import "#, options: .regularExpression)
        else {
          continue
        }
        count += 1
        let words = line[keyword.upperBound...].split { " .".contains($0) }.map(String.init)
        #expect(inner.isDisjoint(with: words), "\(file.lastPathComponent): \(line)")
        #expect(!line.hasPrefix("@testable"), "\(file.lastPathComponent): \(line)")
      }
    }
    #expect(count > 50)
    // Nothing else of the package is handed to them, and nothing of what is `package` is open.
    for file in try ["Support", "SuiteSupport", "ScreenSupport"].flatMap({
      try PackageFiles.swiftFiles(under: "Tests/\($0)")
    }) {
      let text = try String(contentsOf: file, encoding: .utf8)
      #expect(!text.contains("@_exported"), "\(file.lastPathComponent)")
    }
    let manifest = try String(
      contentsOf: PackageFiles.root.appendingPathComponent("Package.swift"), encoding: .utf8)
    let target = manifest.components(separatedBy: "name: \"CapabilityTests\"").last?
      .components(separatedBy: ".testTarget(").first
    #expect(target?.contains("packageAccess: false") == true)
  }

  /// What is in code font.
  private func tests(_ cell: String) -> [String] {
    cell.matches(of: #/`([^`]+)`/#).map { String($0.1) }
  }

  private func sources(in folder: String = "Tests") throws -> [Data] {
    let folder = PackageFiles.root.appendingPathComponent(folder)
    let files = FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil)
    return try (files?.compactMap { $0 as? URL } ?? []).filter { $0.pathExtension == "swift" }
      .map { try Data(contentsOf: $0) }
  }
}
