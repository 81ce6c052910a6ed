import Cellar
import Foundation
import TestSupport
import Testing

/// What the README says is what happens.
@Suite struct ReadmeTests {
  private let readme: String

  init() throws {
    readme = try String(
      contentsOf: PackageFiles.root.appendingPathComponent("README.md"), encoding: .utf8)
  }

  /// The code blocks of a language, as their lines.
  private func blocks(_ language: String) -> [[String]] {
    var blocks: [[String]] = []
    var current: [String]?
    for line in readme.components(separatedBy: "\n") {
      if line == "```" + language {
        current = []
      } else if line == "```", let block = current {
        blocks.append(block)
        current = nil
      } else {
        current?.append(line)
      }
    }
    return blocks
  }

  @Test func theExamplesAreThoseThatAreCompiled() throws {
    let source = try String(
      contentsOf: PackageFiles.root.appendingPathComponent(
        "Tests/DocumentationTests/ReadmeExample.swift"), encoding: .utf8)
    let lines = source.components(separatedBy: "\n")
    let begins = lines.indices.filter { lines[$0].contains("README: begin") }
    let ends = lines.indices.filter { lines[$0].contains("README: end") }
    let compiled = zip(begins, ends).map { begin, end in
      lines[(begin + 1)..<end].map { String($0.dropFirst(2)) }
    }
    #expect(blocks("swift") == compiled)
  }

  @Test func theExampleDoesWhatItSays() throws {
    let folder = try TemporaryFolder()
    let (shelf, update) = try readmeExample(in: folder.url)
    #expect(shelf.tree.sections[0].items.map(\.id) == ["dune", "emma"])
    #expect(update.stages.count == 2)
    #expect(update.stages[0].moveItems.count == 1)
    #expect(update.stages[1].reconfigureItems == [ItemPath(section: 0, item: 1)])
    struct Book: Decodable { var liked: Bool }
    #expect(
      try shelf.item(at: ItemPath(section: 0, item: 1))?.state.content.decoded(as: Book.self).liked
        == true)
    let (size, length) = readmeSizes(of: shelf)
    #expect(size == Size(width: 375, height: 96.5))
    // What was kept is on its way to the store.
    #expect(length == 192 || length == 193)
  }

  @Test func theCommandsRunAsWritten() throws {
    let folder = try TemporaryFolder()
    let lines = blocks("sh").joined().filter { $0.hasPrefix("cellar ") }
    #expect(lines.count == 7)
    for line in lines {
      let script = try folder.write(
        line.replacingOccurrences(
          of: "^cellar", with: "'\(BuiltProducts.program("cellar").path)'",
          options: .regularExpression), to: "line.sh")
      let process = Process()
      process.executableURL = URL(fileURLWithPath: "/bin/sh")
      process.arguments = [script.path]
      process.currentDirectoryURL = folder.url
      process.standardOutput = FileHandle.nullDevice
      try process.run()
      process.waitUntilExit()
      #expect(process.terminationStatus == 0, "\(line)")
    }
  }

  @Test func itsScriptsAreThere() throws {
    for line in blocks("sh").joined() where line.hasPrefix("tools/") {
      #expect(
        FileManager.default.isExecutableFile(
          atPath: PackageFiles.root.appendingPathComponent(line).path), "\(line)")
    }
    #expect(readme.components(separatedBy: "\n").count <= 200)
  }
}
