import Cellar
import CellarUIKit
import Foundation
import HeadlessUIKit
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
      lines[(begin + 1)..<end].map {
        $0.replacingOccurrences(of: "import HeadlessUIKit", with: "import UIKit")
      }
    }
    // The first is the manifest.
    let written = Array(blocks("swift").dropFirst())
    #expect(written == compiled)
    #expect(compiled.count >= 5)
  }

  @Test func theManifestNamesProductsThatThereAre() throws {
    let manifest = try String(
      contentsOf: PackageFiles.root.appendingPathComponent("Package.swift"), encoding: .utf8)
    let products = try #require(blocks("swift").first).flatMap { line in
      line.components(separatedBy: ".product(name: \"").dropFirst().map {
        $0.components(separatedBy: "\"")[0]
      }
    }
    #expect(products == ["Cellar", "CellarUIKit"])
    for product in products { #expect(manifest.contains(".library(name: \"\(product)\"")) }
  }

  @Test func theExampleDoesWhatItSays() throws {
    let folder = try TemporaryFolder()
    let repository = try Repository(at: folder.file("store.sqlite"))
    let shelf = repository.liveList("shelf", items: [Book.self])
    try fill(shelf)
    try like("dune", on: shelf)
    func titles() throws -> [String] {
      try repository.tree(of: "shelf").sections.flatMap(\.items).map {
        let book = try $0.value(as: Book.self)
        return (book.isLiked ? "♥ " : "") + book.title
      }
    }
    #expect(try titles() == ["♥ Dune", "Emma"])
    try shelf.undo()
    #expect(try titles() == ["Emma", "Dune"])
  }

  @MainActor @Test func theScreenShowsTheListAtOnce() throws {
    let folder = try TemporaryFolder()
    let file = folder.file("store.sqlite")
    do {
      let shelf = try Repository(at: file).liveList("shelf", items: [Book.self])
      try fill(shelf)
    }
    let controller = try ShelfController(Repository(existing: file))
    controller.view.frame = CGRect(x: 0, y: 0, width: 320, height: 480)
    UIWindow(frame: controller.view.frame).addSubview(controller.view)
    controller.view.layoutIfNeeded()
    let labels = controller.list.visibleCells.sorted { $0.frame.minY < $1.frame.minY }
      .map { cell in cell.contentView.subviews.compactMap { $0 as? UILabel }.first }
    #expect(labels.map(\.?.text) == ["Emma", "Dune"])
    #expect(labels.allSatisfy { $0.map { $0.frame.width == 320 && $0.frame.height > 0 } ?? false })
  }

  /// The widget has the store open on its own, as another process has.
  @MainActor @Test func theWidgetsEditIsOneBatchUpdateOfTheApp() async throws {
    let folder = try TemporaryFolder()
    let file = folder.file("store.sqlite")
    func shelf() throws -> LiveList {
      try Repository(at: file).liveList("shelf", items: [Book.self])
    }
    try fill(shelf())
    let view = UICollectionView(
      frame: CGRect(x: 0, y: 0, width: 320, height: 480),
      collectionViewLayout: ListCollectionLayout())
    let window = UIWindow(frame: view.frame)
    window.addSubview(view)
    let adapter = try show(shelf(), in: view)
    view.layoutIfNeeded()
    var updates: [BatchUpdate] = []
    adapter.onUpdate = { updates.append($0) }
    let widget = try shelf()
    try like("dune", on: widget)
    while updates.isEmpty {
      try await Task.sleep(nanoseconds: 1_000_000)
      view.headless.finishAnimations()
    }
    let update = try #require(updates.first)
    #expect(updates.count == 1)
    guard case .batch(let stages) = update.mode else {
      Issue.record("\(update.json)")
      return
    }
    #expect(stages.count == 2)
    #expect(stages.flatMap(\.moveItems).count == 1)
    #expect(stages.flatMap(\.reconfigureItems).count == 1)
    #expect(view.window === window, "it was on screen until here")
  }

  @Test func whoWatchesSeesTheEdit() async throws {
    let folder = try TemporaryFolder()
    let repository = try Repository(at: folder.file("store.sqlite"))
    let shelf = repository.liveList("shelf", items: [Book.self])
    let watching = Task { try await watch(shelf) }
    try fill(shelf)
    watching.cancel()
    try await watching.value
  }

  @Test func theCommandsRunAsWritten() throws {
    let folder = try TemporaryFolder()
    let lines = blocks("sh").joined().filter { $0.hasPrefix("cellar ") }
    #expect(lines.count == 6)
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
