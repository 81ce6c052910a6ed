import Foundation
import TestSupport
import Testing

/// What the article about the command's output says is what the command prints.
@Suite struct CommandArticleTests {
  private let article: FormatArticle

  init() throws { article = try FormatArticle(FormatArticle.command) }

  /// A line of shell in the article, with what it prints there.
  private struct Step {
    let heading: String
    let script: String
    var output: [String] = []
  }

  private func steps() throws -> [Step] {
    var steps: [Step] = []
    for block in article.blocks where block.language == "console" {
      for line in block.lines {
        if line.hasPrefix("$ ") {
          steps.append(Step(heading: block.heading, script: String(line.dropFirst(2))))
        } else {
          try #require(!steps.isEmpty)
          steps[steps.count - 1].output.append(line)
        }
      }
    }
    return steps
  }

  /// Runs a line of shell in a folder whose `bin` has the command.
  private func run(_ script: String, in folder: TemporaryFolder) throws -> String {
    let file = try folder.write("", to: "output.txt")
    defer { try? FileManager.default.removeItem(at: file) }
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/bin/sh")
    process.arguments = ["-c", script]
    process.currentDirectoryURL = folder.url
    var environment = ProcessInfo.processInfo.environment
    environment["PATH"] = folder.file("bin").path + ":/usr/bin:/bin"
    process.environment = environment
    process.standardInput = FileHandle.nullDevice
    let handle = try FileHandle(forWritingTo: file)
    _ = try handle.seekToEnd()
    process.standardOutput = handle
    process.standardError = handle
    try process.run()
    process.waitUntilExit()
    return String(decoding: try Data(contentsOf: file), as: UTF8.self)
  }

  /// Whether an output is the printed one, in which `…` stands for any text.
  private func matches(_ output: String, _ printed: [String]) throws -> Bool {
    var expected = printed.map { $0 + "\n" }.joined(), found = output
    if expected.hasPrefix("{\n") {
      // How JSON is laid out differs between systems.
      (expected, found) = (expected.filter { !$0.isWhitespace }, found.filter { !$0.isWhitespace })
    }
    let pattern = expected.components(separatedBy: "…")
      .map(NSRegularExpression.escapedPattern).joined(separator: "(?s:.+?)")
    return found.range(of: "\\A\(pattern)\\z", options: .regularExpression) != nil
  }

  @Test func everyLineOfShellPrintsWhatTheArticleHas() throws {
    let folder = try TemporaryFolder()
    try FileManager.default.createDirectory(
      at: folder.file("bin"), withIntermediateDirectories: false)
    try FileManager.default.createSymbolicLink(
      at: folder.file("bin/cellar"), withDestinationURL: BuiltProducts.program("cellar"))
    _ = try folder.write(article.block("Example", "ndjson").text, to: "feed.ndjson")
    let steps = try steps()
    #expect(steps.count > 15)
    for step in steps {
      let output = try run(step.script, in: folder)
      #expect(try matches(output, step.output), "\(step.script)\n\(output)")
    }
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
      let printed = try steps().filter { $0.heading == heading && $0.script.contains("--json") }
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
