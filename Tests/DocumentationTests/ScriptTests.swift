import Foundation
import TestSupport
import Testing

/// The scripts run on a Mac, which has bash 3.2 and BSD's tools.
///
/// `CELLAR_BASH` names another bash to run them with.
@Suite struct ScriptTests {
  private static let names = [
    ".ci/run", "tools/check-imports", "tools/compare-inspectors", "tools/compare-uikit",
    "tools/demo", "tools/docs",
    "tools/embed", "tools/prepare",
    "tools/swift", "tools/test", "tools/test-simulator",
  ]

  /// What bash 3.2 or BSD's tools do not have, as regular expressions, and what to write instead.
  private static let missing = [
    (#"\b(declare|local|typeset) +-[a-zA-Z]*[Ang]"#, "no associative arrays, no references"),
    (#"\b(mapfile|readarray|coproc)\b"#, "read line by line"),
    (#"\$\{[A-Za-z_]+(\[[@*]\])?(,|\^|@[A-Z])"#, "tr changes case"),
    (#"\[\[? +-v "#, "test for the empty string"),
    (#"\|&|&>>|;;&|;&"#, "write it out"),
    (#"(^|[^+])"\$\{[A-Za-z_]+\[@\]\}""#, "an empty array counts as unset: ${a[@]+\"${a[@]}\"}"),
    (#"\bprintf +-v|\bprintf .*%\("#, "use $(…)"),
    (#"\bsed +(-[a-zA-Z]* +)*-i\b"#, "write to another file"),
    (#"\breadlink +-f|\brealpath\b|\bstat +-c|\bdate +(-d|--)"#, "only GNU's"),
    (#"\bgrep +(-[a-zA-Z]* +)*-[a-zA-Z]*P|\bxargs +-r|\bcp +--|\bhead +-n *-"#, "only GNU's"),
    (#"\bsort +-[a-zA-Z]*V|\btimeout\b|\bnproc\b"#, "only GNU's"),
  ]

  private static func text(of name: String) throws -> String {
    try String(contentsOf: PackageFiles.root.appendingPathComponent(name), encoding: .utf8)
  }

  @Test func noneNeedsAToolOrAShellThatAMacDoesNotHave() throws {
    for name in Self.names {
      let lines = try Self.text(of: name).components(separatedBy: "\n")
      for (number, line) in lines.enumerated() where !line.hasPrefix("#") {
        for (pattern, advice) in Self.missing {
          #expect(
            line.range(of: pattern, options: .regularExpression) == nil,
            "\(name):\(number + 1): \(line) (\(advice))")
        }
        if line.contains("sha256sum") { #expect(line.contains("shasum -a 256"), "\(name)") }
      }
    }
  }

  @Test(arguments: [
    "declare -A known=()", "local -n name=$1", "echo ${name,,}", "mapfile -t lines",
    "if [[ -v name ]]; then", "run 2>&1 |& cat", #"sudo "${run[@]}" apt-get"#, "sed -i s/a/b/ file",
    "readlink -f file", "grep -oP x",
  ])
  func theListFinds(_ line: String) {
    #expect(
      Self.missing.contains { line.range(of: $0.0, options: .regularExpression) != nil })
  }

  /// A test that reads `../shared/data` is named in the summary where that folder is absent.
  @Test func testsOfFilesBesideThePackageSayWhatTheyNeed() throws {
    let pattern = try Regex(#"shared\("([^"]+)"\)"#)
    let tests = PackageFiles.root.appendingPathComponent("Tests")
    let names = FileManager.default.enumerator(atPath: tests.path)?.compactMap { $0 as? String }
    var found: Set<String> = []
    for name in names ?? []
    where name.hasSuffix("Tests.swift") && !name.hasSuffix("ScriptTests.swift") {
      let text = try Self.text(of: "Tests/\(name)")
      for match in text.matches(of: pattern) {
        guard let file = match.output[1].substring.map(String.init) else { continue }
        found.insert(file)
        #expect(text.contains("\"needs ../shared/data/\(file)\""), "\(name)")
      }
    }
    #expect(
      found == [
        "batch-cases.json", "batch-verdicts.json", "releases.ndjson", "repository-history.ndjson",
      ])
  }

  /// All scripts are there that the list names, and no others.
  @Test func theListIsWhole() throws {
    let files = try ["tools", ".ci"].flatMap { folder in
      try FileManager.default.contentsOfDirectory(
        atPath: PackageFiles.root.appendingPathComponent(folder).path
      ).map { folder + "/" + $0 }
    }
    let scripts = files.filter { (try? Self.text(of: $0))?.hasPrefix("#!") == true }
    #expect(scripts.sorted() == Self.names)
  }

  /// `tools/docs` replaces a site that it wrote, and nothing else.
  @Test(arguments: [["--out", "mine"], ["--into", "site"], ["--out"]])
  func docsAreNotWrittenOverOtherFiles(_ arguments: [String]) throws {
    let folder = try TemporaryFolder()
    let mine = folder.url.appendingPathComponent("mine")
    try FileManager.default.createDirectory(at: mine, withIntermediateDirectories: true)
    let file = mine.appendingPathComponent("notes.txt")
    try Data("notes".utf8).write(to: file)
    let process = Process()
    process.executableURL = URL(
      fileURLWithPath: ProcessInfo.processInfo.environment["CELLAR_BASH"] ?? "/bin/bash")
    process.arguments =
      [PackageFiles.root.appendingPathComponent("tools/docs").path] + arguments
    process.currentDirectoryURL = folder.url
    process.standardError = FileHandle.nullDevice
    try process.run()
    process.waitUntilExit()
    #expect(process.terminationStatus == 64)
    #expect(try Data(contentsOf: file) == Data("notes".utf8))
  }

  // MARK: tools/check-imports

  private func checkImports(_ sources: [String: String]) throws -> (code: Int32, errors: String) {
    let folder = try TemporaryFolder()
    let root = folder.url
    let files = FileManager.default
    try files.createDirectory(
      at: root.appendingPathComponent("tools/cellar"), withIntermediateDirectories: true)
    let script = root.appendingPathComponent("tools/check-imports")
    try files.copyItem(
      at: PackageFiles.root.appendingPathComponent("tools/check-imports"), to: script)
    for (path, text) in sources {
      let file = root.appendingPathComponent(path)
      try files.createDirectory(
        at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
      try Data(text.utf8).write(to: file)
    }
    let errors = try folder.write("", to: "errors")
    let process = Process()
    process.executableURL = URL(
      fileURLWithPath: ProcessInfo.processInfo.environment["CELLAR_BASH"] ?? "/bin/bash")
    process.arguments = [script.path]
    process.standardOutput = FileHandle.nullDevice
    process.standardError = try FileHandle(forWritingTo: errors)
    try process.run()
    process.waitUntilExit()
    return (process.terminationStatus, try String(contentsOf: errors, encoding: .utf8))
  }

  @Test func importsThatGoDownPass() throws {
    let outcome = try checkImports([
      "Sources/ListModel/A.swift": "struct A {}\n",
      "Sources/ListStore/A.swift": "package import ListModel\nimport GRDB\n",
      "Sources/HeadlessUIKit/A.swift": "  @_exported public import CoreGraphics\n",
      "Sources/CellarUIKit/A.swift": "public import ListViews\n",
      "Sources/ListViews/A.swift": "public import class UIKit.UIView\nimport HeadlessUIKit\n",
      "tools/cellar/A.swift": "import ListStore\n",
    ])
    #expect(outcome.code == 0 && outcome.errors.isEmpty, "\(outcome)")
  }

  @Test(arguments: [
    ("Sources/ListModel/A.swift", "import ListStore"), ("Sources/ListModel/A.swift", "import GRDB"),
    ("Sources/ListModel/A.swift", "public import Foundation"),
    ("Sources/HeadlessUIKit/A.swift", "import ListModel"),
    ("Sources/ListSync/A.swift", "  @preconcurrency import UIKit"),
    ("Sources/CellarUIKit/A.swift", "import UIKit"),
    ("Sources/Providers/A.swift", "import SwiftUI"), ("Sources/Other/A.swift", "struct A {}"),
    ("Sources/StoreSchema/A.swift", "import CoreGraphics"),
    ("tools/cellar/A.swift", "import GRDB"),
  ])
  func othersAreNamed(_ file: String, _ line: String) throws {
    let outcome = try checkImports([
      file: "\(line)\n", "Sources/Cellar/Cellar.swift": "import ListModel\n",
    ])
    #expect(outcome.code == 2, "\(outcome)")
    #expect(
      outcome.errors.hasPrefix(file.replacingOccurrences(of: "Other/A.swift", with: "Other/")),
      "\(outcome)")
    #expect(outcome.errors.split(separator: "\n").count == 1, "\(outcome)")
  }
}
