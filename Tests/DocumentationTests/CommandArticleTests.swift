import Foundation
import TestSupport
import Testing

/// What the article about the command's output says is what the command prints.
@Suite struct CommandArticleTests {
  private let article: FormatArticle

  init() throws { article = try FormatArticle(FormatArticle.command) }

  @Test func everyLineOfShellPrintsWhatTheArticleHas() throws {
    let folder = try TemporaryFolder()
    _ = try folder.write(article.block("Example", "ndjson").text, to: "feed.ndjson")
    #expect(try article.steps().count > 15)
    try article.run(in: folder)
  }

  /// The pages on tasks, each in a folder of its own.
  @Test(arguments: ["AWrongList", "CheckAndRepair", "ShippingAMigration", "SendingAStore"])
  func everyLineOfAPagePrintsWhatThePageHas(_ name: String) throws {
    let page = try FormatArticle("Sources/Cellar/Cellar.docc/\(name).md")
    let folder = try TemporaryFolder()
    if name == "ShippingAMigration" { try makeStores(in: folder) }
    #expect(try page.steps().count >= 3)
    try page.run(in: folder)
    for row in page.tables["Where to go from there"] ?? [] {
      for command in FormatArticle.codes(in: row[1]) where command.hasPrefix("cellar ") {
        let outcome = try page.shell(command + "; echo \"exit $?\"", in: folder)
        #expect(outcome.contains("exit 0") || command == "cellar export", "\(command)\n\(outcome)")
      }
    }
  }

  /// Four stores of the calendar; of one, the first bytes are zeros.
  private func makeStores(in folder: TemporaryFolder) throws {
    let demo = folder.file("demo").path
    #expect(try BuiltProducts.run("cellar", ["demo", "--out", demo]).exitCode == 0)
    let stores = folder.file("stores")
    try FileManager.default.createDirectory(at: stores, withIntermediateDirectories: false)
    for number in 1...4 {
      var bytes = try Data(contentsOf: URL(fileURLWithPath: demo + "/store.sqlite"))
      if number == 3 { bytes.replaceSubrange(0..<100, with: Data(count: 100)) }
      try bytes.write(to: stores.appendingPathComponent("\(number).sqlite"))
    }
    _ = try folder.write(#"[{"set":"supported","to":true}]"#, to: "script.json")
  }

  @Test func theTablesNameEveryMemberOfTheJSON() throws {
    // Names of the example's own, which are no members.
    let names: Set = ["BookCell", "CardCell", "home", "insertItem", "author"]
    for heading in [
      "cellar replay", "cellar info", "cellar check", "cellar ls", "cellar show", "cellar log",
      "cellar diff", "cellar info --space", "cellar info --sizes", "cellar info --cells",
      "cellar query", "cellar status, up, down", "Trying it: cellar up --dry-run",
      "cellar backup, restore", "cellar lint",
    ] {
      let rows = try #require(article.tables[heading])
      let printed = try article.steps().filter {
        $0.heading == heading && $0.script.contains("--json")
      }
      .flatMap(\.output).joined(separator: "\n")
      let pattern = try NSRegularExpression(pattern: #""(\w+)" ?:"#)
      let matches = pattern.matches(in: printed, range: NSRange(printed.startIndex..., in: printed))
      let members = Set(
        matches.compactMap { Range($0.range(at: 1), in: printed).map { String(printed[$0]) } })
      let named = rows.flatMap { FormatArticle.codes(in: $0[0]) }
      #expect(members.subtracting(names).isSubset(of: named), "\(heading)")
      for row in rows {
        let names = FormatArticle.codes(in: row[0])
        #expect(
          names.contains(where: members.contains) || row[2].contains("absent"),
          "\(heading): \(names)")
      }
      #expect(Set(named).count == named.count, "\(heading)")
    }
  }

  @Test func everyCommandHasItsHeading() throws {
    let headings = article.text.components(separatedBy: "\n").filter { $0.hasPrefix("## cellar ") }
    let named = Set(
      headings.flatMap { $0.dropFirst("## cellar ".count).split { " ,".contains($0) } })
    let help = try BuiltProducts.run("cellar", ["--help"]).output
    let groups = help.components(separatedBy: "SUBCOMMANDS:\n").dropFirst()
    let commands = groups.flatMap { group in
      group.components(separatedBy: "\n").prefix { !$0.isEmpty }.filter { !$0.hasPrefix("   ") }
        .compactMap { $0.split(separator: " ").first }
    }
    #expect(commands.count >= 20)
    for command in commands + ["lint", "recover"] {
      #expect(named.contains(command), "\(command)")
    }
  }

  @Test func theExitCodesAreThoseOfTheHelp() throws {
    let help = try BuiltProducts.run("cellar", ["--help"]).output
      .components(separatedBy: .whitespacesAndNewlines).joined(separator: " ")
    let sentence = try #require(help.components(separatedBy: "Exit codes: ").last)
    let codes = (sentence.components(separatedBy: ". ").first ?? "")
      .components(separatedBy: ", ").compactMap { $0.split(separator: " ").first.map(String.init) }
    let rows = try #require(article.tables["Overview"])
    #expect(rows.map { $0[0] } == codes)
    #expect(codes.count == 11)
  }
}
