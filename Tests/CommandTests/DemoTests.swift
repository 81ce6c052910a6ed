import Foundation
import StoreFiles
import TestSupport
import Testing

/// `cellar demo`: from the first commit to a page that needs no network.
@Suite struct DemoTests {
  private let bench: CommandBench

  init() throws { bench = try CommandBench() }

  private func text(_ name: String) throws -> String {
    try String(contentsOf: bench.folder.file(name), encoding: .utf8)
  }

  private func part(of text: String, between start: String, and end: String) throws -> String {
    let from = try #require(text.range(of: start), "\(start)")
    let to = try #require(text.range(of: end, range: from.upperBound..<text.endIndex), "\(end)")
    return String(text[from.upperBound..<to.lowerBound])
  }

  @Test func itWritesAStoreUpdatesAndAPageAndCanBeRunAgain() throws {
    for run in 1...2 {
      let outcome = try bench.cellar("demo", "--out", "out", expecting: 0)
      #expect(outcome.errors == "")
      #expect(outcome.output.contains("no reload"))
      #expect(outcome.output.contains("there already") == (run == 2))
      let names = try FolderSnapshot(of: bench.folder.file("out")).names
      #expect(names == ["releases.ndjson", "report.html", "store.sqlite", "updates.ndjson"])
      let updates = try text("out/updates.ndjson").objects()
      #expect(updates.count == (try text("out/releases.ndjson").split(separator: "\n").count))
      #expect(updates.allSatisfy { $0["mode"] as? String == "batch" })
    }
    // What it says to look at next.
    let summary = try bench.cellar("inspect", "summary", "out/store.sqlite", expecting: 0)
    #expect(summary.output.contains("integrity: ok"))
    let export = try bench.cellar(
      "inspect", "export", "out/store.sqlite", "--list", "debian", "--at", "20", expecting: 0)
    #expect(try export.output.object()["revision"] as? String == "20")
  }

  @Test func theSamePageIsMadeTwice() throws {
    try bench.cellar("demo", "--out", "out", expecting: 0)
    let page = try text("out/report.html")
    let updates = try text("out/updates.ndjson")
    try bench.cellar("demo", "--out", "out", expecting: 0)
    #expect(try text("out/report.html") == page)
    #expect(try text("out/updates.ndjson") == updates)
  }

  @Test func thePageNeedsNoNetworkAndItsScriptIsTheOneItAllows() throws {
    try bench.cellar("demo", "--out", "out", expecting: 0)
    let page = try text("out/report.html")
    for reference in ["http:", "https:", "src=", "@import", "//cdn"] {
      #expect(!page.contains(reference), "\(reference)")
    }
    #expect(page.contains("default-src 'none'"))
    let allowed = try part(of: page, between: "script-src 'sha256-", and: "'")
    // The script that runs; the data is a block of another type.
    let script = try part(of: page, between: "<script>", and: "</script>")
    #expect(Data(Digest.sha256(Array(script.utf8))).base64EncodedString() == allowed)
    #expect(page.components(separatedBy: "<script").count == 3, "one script and one block of data")
    let data = try part(of: page, between: "type=\"application/json\"", and: "</script>")
    let json = try #require(data.firstIndex(of: ">"))
    let object = try String(data[data.index(after: json)...]).object()
    #expect(object["formatVersion"] as? Int == 1)
    let lists = try #require(object["lists"] as? [[String: Any]])
    #expect(lists.map { $0["list"] as? String } == ["debian", "ubuntu"])
    let counts = lists.map { ($0["changes"] as? [Any])?.count }
    #expect(counts == [37, 89], "every revision")
    #expect(page.contains("Bookworm"))
    #expect(!page.contains(bench.folder.url.path), "it tells nothing of the machine")
  }

  @Test func embeddedTextsAreTheFiles() throws {
    try bench.cellar("demo", "--out", "out", expecting: 0)
    #expect(
      try Data(contentsOf: bench.folder.file("out/releases.ndjson"))
        == Data(contentsOf: PackageFiles.releases), "run tools/embed")
    let page = try text("out/report.html")
    let folder = PackageFiles.root.appendingPathComponent("Sources/ListInspection/Report/Page")
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
    #expect(names.count == 7)
    for name in names {
      let text = try String(contentsOf: folder.appendingPathComponent(name), encoding: .utf8)
      #expect(page.contains(text), "\(name): run tools/embed")
    }
  }

  @Test func everyItemHasAMeasuredSizeThatHolds() throws {
    for _ in 1...2 {
      try bench.cellar("demo", "--out", "out", expecting: 0)
      let sizes = try bench.cellar(
        "inspect", "sizes", "out/store.sqlite", "--json", expecting: 0
      ).output.object()
      let lists = try #require(sizes["lists"] as? [[String: Any]])
      let groups = lists.flatMap { $0["groups"] as? [[String: Any]] ?? [] }
      let exact = groups.filter { $0["kind"] == nil }.reduce(0) { sum, group in
        // Columns of other widths have other keys.
        let stale = (group["staleCounts"] as? [String: Int] ?? [:]).filter { $0.key != "key" }
        return sum + (group["count"] as? Int ?? 0) - stale.values.reduce(0, +)
      }
      #expect(exact == 63)
      #expect(
        Set(groups.compactMap { $0["cell"] as? String })
          == ["DraftCell", "ReleaseCell", "ArchiveCell", "TitleHeader"])
      #expect(groups.contains { $0["distinctCount"] as? Int ?? 0 > 1 }, "not all alike")
    }
  }

  @Test func aFolderThatCannotBeMadeIsAFailure() throws {
    _ = try bench.folder.write("", to: "file")
    let outcome = try bench.cellar("demo", "--out", "file", expecting: 1)
    #expect(outcome.errors.contains("file"))
    #expect(outcome.output == "")
    try bench.cellar("demo", "--out", "file/inside", expecting: 1)
    #expect(try FolderSnapshot(of: bench.folder.url).names == ["file"])
  }
}
