import Foundation
import TestSupport
import Testing

/// The article about damaged stores lists what the tests do to stores, and what they look for.
@Suite struct WhatIsFoundTests {
  private let article: FormatArticle

  init() throws {
    article = try FormatArticle("Sources/ListInspection/ListInspection.docc/WhatIsFound.md")
  }

  private func source(_ path: String) throws -> String {
    try String(contentsOf: PackageFiles.root.appendingPathComponent(path), encoding: .utf8)
  }

  /// The test functions of a file, with their text.
  private func tests(in path: String) throws -> [String: String] {
    let parts = try source(path).components(separatedBy: "  @Test").dropFirst()
    return Dictionary(
      uniqueKeysWithValues: parts.compactMap { part in
        part.firstMatch(of: #/func (\w+)\(/#).map { (String($0.1), part) }
      })
  }

  /// The severities that the sources give each code of a finding; an error where they compute it.
  private func severities() throws -> [String: Set<String>] {
    var severities: [String: Set<String>] = [:]
    let codes =
      try source("Sources/ListModel/Errors/StoreProblem.swift")
      .components(separatedBy: "enum Code").last ?? ""
    for match in codes.matches(of: #/case (\w+)\n/#) { severities[String(match.1)] = [] }
    let folder = PackageFiles.root.appendingPathComponent("Sources/ListInspection")
    let files = FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil)
    for case let file as URL in files ?? .init() where file.pathExtension == "swift" {
      let text = try String(contentsOf: file, encoding: .utf8)
      for match in text.matches(of: #/severity: \.(\w+), code: \.(\w+)/#) {
        severities[String(match.2), default: []].insert(String(match.1))
      }
    }
    return severities.mapValues { $0.isEmpty ? ["error"] : $0 }
  }

  @Test(arguments: [
    ("Files", "EvidenceTests", true), ("Schema", "FindingTests", false),
  ])
  func findingsAreThoseThatTheTestsLookFor(
    _ heading: String, _ suite: String, isWhole: Bool
  ) throws {
    let tests = try tests(in: "Tests/ListInspectionTests/\(suite).swift")
    let severities = try severities()
    #expect(severities.count > 20)
    let rows = try #require(article.tables[heading])
    for row in rows {
      let name = try #require(FormatArticle.codes(in: row[3]).first)
      let test = try #require(tests[name], "\(name)")
      let codes = Set(FormatArticle.codes(in: row[1]).filter { severities[$0] != nil })
      let wanted = Set(test.matches(of: #/[ \[(]\.(\w+)/#).map { String($0.1) })
        .intersection(severities.keys)
      #expect(codes == wanted, "\(name)")
      for code in codes {
        let isNamed = severities[code]?.contains { row[1].contains("`\(code)` \($0)") }
        #expect(isNamed == true, "\(name): \(code)")
      }
    }
    if isWhole { #expect(rows.count == tests.count) }
  }

  @Test func rowsAreThoseThatTheTestDamages() throws {
    let test = try source("Tests/ListInspectionTests/FindingTests.swift")
    let damages = test.matches(of: #/Damage\(\s*"([^"]+)", \.(\w+),/#).map { "\($0.1): \($0.2)" }
    let rows = try #require(article.tables["Rows"])
    #expect(rows.map { "\($0[0]): \(FormatArticle.codes(in: $0[1]).joined())" } == damages)
    #expect(damages.count == 19)
  }

  @Test func whatARepairMakesOfRowsIsWhatItsTestLooksFor() throws {
    let test = try source("Tests/ListInspectionTests/RepairTests.swift")
    let outcomes = Dictionary(
      uniqueKeysWithValues: test.matches(of: #/case (\w+) = "([^"]+)"/#).map {
        (String($0.1), String($0.2))
      })
    let repairs = test.matches(of: #/Repair\(\s*"([^"]+)", \.(\w+)\)/#).map {
      "\($0.1): \(outcomes[String($0.2)] ?? "?")"
    }
    let rows = try #require(article.tables["Rows"])
    #expect(rows.map { "\($0[0]): \($0[2])" } == repairs)
  }

  @Test func differencesOfDerivedListsAreThoseThatTheTestPlants() throws {
    let test = try source("Tests/ListInspectionTests/DerivedCheckTests.swift")
    let outcomes = Dictionary(
      uniqueKeysWithValues: test.matches(of: #/case (\w+) = "([^"]+)"/#).map {
        (String($0.1), String($0.2))
      })
    let planted = test.components(separatedBy: "    Planted(").dropFirst().map { text in
      let name = text.firstMatch(of: #/"([^"]+)"/#)?.1 ?? ""
      return "\(name): \(outcomes[text.contains(".leftOut)") ? "leftOut" : "anew"] ?? "?")"
    }
    let rows = try #require(article.tables["Derived lists"])
    #expect(rows.map { "\($0[0]): \($0[1])" } == planted)
    #expect(planted.count > 25)
  }

  @Test func everyTestOfBytesAndNumbersIsThere() throws {
    let rows = try #require(article.tables["Bytes and numbers"])
    let named = Set(rows.flatMap { FormatArticle.codes(in: $0[2]) })
    #expect(named.count == rows.count)
    var known: Set<String> = []
    for (folder, suite, isWhole) in [
      ("ListInspectionTests", "FlippedByteTests", true),
      ("ListInspectionTests", "FlippedFileTests", true),
      ("ListInspectionTests", "HostileStoreTests", true),
      ("ListInspectionTests", "FindingTests", false),
      ("ListInspectionTests", "RecoveryOfDamageTests", false),
      ("ListInspectionTests", "RedactionTests", false),
      ("ListInspectionTests", "HostileReportTests", false),
      ("CommandTests", "HostileNumbersTests", true),
    ] {
      let tests = try tests(in: "Tests/\(folder)/\(suite).swift").keys.map { "\(suite).\($0)" }
      known.formUnion(tests)
      if isWhole { #expect(named.isSuperset(of: tests), "\(suite)") }
    }
    #expect(known.isSuperset(of: named))
  }
}
