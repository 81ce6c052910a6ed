import Foundation
import TestSupport
import Testing

/// What comments and texts cite is in the repository.
@Suite struct CitationTests {
  /// Texts that people wrote, by their paths from the root.
  private let texts: [String: String]
  /// All files and folders, by their paths from the root.
  private let paths: Set<String>

  init() throws {
    var texts: [String: String] = [:]
    var paths: Set<String> = []
    var folders = [""]
    while let folder = folders.popLast() {
      let url = PackageFiles.root.appendingPathComponent(folder)
      for name in try FileManager.default.contentsOfDirectory(atPath: url.path) {
        // Hidden folders are builds and the history.
        if name.hasPrefix("."), name != ".ci" { continue }
        let path = folder.isEmpty ? name : "\(folder)/\(name)"
        paths.insert(path)
        var isFolder: ObjCBool = false
        let file = PackageFiles.root.appendingPathComponent(path)
        _ = FileManager.default.fileExists(atPath: file.path, isDirectory: &isFolder)
        if isFolder.boolValue {
          folders.append(path)
        } else if Self.isWritten(path) {
          texts[path] = try String(contentsOf: file, encoding: .utf8)
        }
      }
    }
    (self.texts, self.paths) = (texts, paths)
  }

  /// Whether people wrote a file, and in words.
  private static func isWritten(_ path: String) -> Bool {
    let file = path as NSString
    // This file's examples cite on purpose what is not there.
    if file.lastPathComponent == "CitationTests.swift" { return false }
    let folders = ["Sources", "Tests", "tools", "migrations", ".ci"]
    guard file.pathComponents.count == 1 || folders.contains(file.pathComponents[0]) else {
      return false
    }
    return !file.lastPathComponent.hasPrefix("Embedded")
      && ["swift", "md", "sql", "c", "h"].contains(file.pathExtension)
      || file.pathExtension.isEmpty && path.contains("/")
  }

  /// Whether a citation in a file leads somewhere.
  private func isThere(_ citation: Citation, in file: String) -> Bool {
    let name = citation.target.split(separator: "/").last.map(String.init) ?? citation.target
    switch citation.kind {
    case .name: return paths.contains { $0 == name || $0.hasSuffix("/" + name) }
    case .path:
      // Beside the repository, where tests look whether there is more.
      if citation.target.hasPrefix("../shared/data") {
        return file.hasPrefix("Tests/") || file == "CONTRIBUTING.md"
      }
      return foldersAround(file).contains { paths.contains($0 + citation.target) }
    case .link:
      let parts = citation.target.split(separator: "#", omittingEmptySubsequences: false)
      let target = parts[0].isEmpty ? file : normalized(folder(of: file) + parts[0])
      guard paths.contains(target) else { return false }
      return parts.count == 1
        || Citation.anchors(in: texts[target] ?? "").contains(String(parts[1]))
    case .article:
      // Of another module: `/Module/Article`.
      let parts = citation.target.split(separator: "/")
      let isOfAnother = citation.target.hasPrefix("/") && parts.count == 2
      let module =
        isOfAnother
        ? "Sources/\(parts[0])/" : file.split(separator: "/").prefix(2).joined(separator: "/") + "/"
      let article = isOfAnother ? String(parts[1]) : citation.target
      return paths.contains { $0.hasPrefix(module) && $0.hasSuffix(".docc/\(article).md") }
    }
  }

  private func folder(of file: String) -> String {
    file.lastIndex(of: "/").map { String(file[...$0]) } ?? ""
  }

  /// The citing file's folder and those around it, up to the root.
  private func foldersAround(_ file: String) -> [String] {
    var folder = folder(of: file)
    var folders = [folder]
    while !folder.isEmpty {
      folder = self.folder(of: String(folder.dropLast()))
      folders.append(folder)
    }
    return folders
  }

  private func normalized(_ path: String) -> String {
    var parts: [Substring] = []
    for part in path.split(separator: "/") where part != "." {
      if part == "..", !parts.isEmpty { parts.removeLast() } else { parts.append(part) }
    }
    return parts.joined(separator: "/")
  }

  @Test func whatIsCitedIsThere() {
    var count = 0
    for (file, text) in texts.sorted(by: { $0.key < $1.key }) {
      for citation in Citation.all(in: text, of: file) {
        count += 1
        #expect(isThere(citation, in: file), "\(file), \(citation) is not in the repository")
      }
    }
    #expect(count > 100)
  }

  @Test(arguments: [
    ("Sources/A/A.swift", "/// As MISSING.md has it."), ("README.md", "See `MISSING.md`."),
    ("Sources/A/A.swift", "let a = 1  // see Missing+Topic.swift"),
    ("migrations/a.sql", "-- see shared/notes"), ("tools/test", "# see tools/missing"),
    ("README.md", "[how](Sources/Missing.docc/How.md)"), ("README.md", "[how](#no-heading)"),
    ("README.md", "[how](CONTRIBUTING.md#no-heading)"),
    ("Sources/ListSync/A.swift", "/// <doc:NoArticle>"),
    ("Sources/ListModel/A.swift", "/// <doc:LiveLists>"),
    ("Sources/Cellar/A.swift", "/// <doc:/ListStore/LiveLists>"),
    ("Sources/A/A.swift", "/// As ../shared/data has it."),
  ])
  func whatIsNotThereIsFound(_ file: String, _ text: String) {
    let citations = Citation.all(in: text, of: file)
    #expect(citations.contains { !isThere($0, in: file) })
  }

  @Test(arguments: [
    ("README.md", "[how](CONTRIBUTING.md#migrations), `tools/test` and LICENSE"),
    ("Tests/A/A.swift", "/// Reads `../shared/data/batch-verdicts.json`."),
    ("Sources/Cellar/A.swift", "/// <doc:/ListSync/LiveLists>"),
    ("Sources/ListSync/A.swift", "/// <doc:LiveLists>, Package.swift; https://example.org/a.md"),
    ("Sources/A/A.swift", "let a = \"missing.md\""),
    ("README.md", "```sh\ntools/missing\n```"),
  ])
  func whatIsThereOrNoCitationPasses(_ file: String, _ text: String) {
    for citation in Citation.all(in: text, of: file) {
      #expect(isThere(citation, in: file), "\(citation)")
    }
  }
}
