import Foundation
import TestSupport
import Testing

/// `cellar inspect report`: the file that it writes.
@Suite struct ReportCommandTests {
  private let bench: CommandBench

  init() throws {
    bench = try CommandBench()
    try bench.fill(commit(1, insertSection("s"), insertItem("a", #"{"title":"Secret"}"#)))
  }

  private func page(_ name: String = "r.html") throws -> String {
    try String(contentsOf: bench.folder.file(name), encoding: .utf8)
  }

  @Test func itWritesAPageThatOnlyItsOwnerMayRead() throws {
    let outcome = try bench.cellar(
      "inspect", "report", bench.store, "--out", "r.html", expecting: 0)
    #expect(outcome.output.hasPrefix("r.html: \(try page().utf8.count) bytes\n"))
    #expect(try page().hasPrefix("<!DOCTYPE html>"))
    #expect(try !page().contains("Secret"))
    let attributes = try FileManager.default.attributesOfItem(
      atPath: bench.folder.file("r.html").path)
    #expect((attributes[.posixPermissions] as? NSNumber)?.intValue == 0o600)
    let names = try FolderSnapshot(of: bench.folder.url).names
    let reports = names.filter { $0.contains("r.html") }
    #expect(reports == ["r.html"], "no draft is left")
  }

  @Test func contentsAreShownOnRequest() throws {
    try bench.cellar(
      "inspect", "report", bench.store, "--out", "r.html", "--content", "full", expecting: 0)
    #expect(try page().contains("Secret"))
  }

  @Test func aFileThatIsThereStaysUnlessForced() throws {
    _ = try bench.folder.write("mine", to: "r.html")
    let refused = try bench.cellar(
      "inspect", "report", bench.store, "--out", "r.html", expecting: 1)
    #expect(refused.errors.contains("--force"))
    #expect(try page() == "mine")
    try bench.cellar("inspect", "report", bench.store, "--out", "r.html", "--force", expecting: 0)
    #expect(try page().hasPrefix("<!DOCTYPE html>"))
  }

  @Test func thePageNeverReplacesTheStore() throws {
    try FileManager.default.createSymbolicLink(
      at: bench.folder.file("link"), withDestinationURL: URL(fileURLWithPath: bench.store))
    let before = try FolderSnapshot(of: bench.folder.url)
    for out in [bench.store, "./store.sqlite", "link"] {
      let outcome = try bench.cellar(
        "inspect", "report", bench.store, "--out", out, "--force", expecting: 1)
      #expect(outcome.errors.contains("store itself"), "\(out)")
    }
    #expect(before.changes(to: try FolderSnapshot(of: bench.folder.url)) == [])
  }

  @Test func jsonSaysWhatWasWritten() throws {
    let outcome = try bench.cellar(
      "inspect", "report", bench.store, "--out", "r.html", "--json", expecting: 0)
    let object = try outcome.output.object()
    #expect(object["formatVersion"] as? Int == 1)
    #expect(object["page"] as? String == "r.html")
    #expect(object["byteCount"] as? Int == (try page().utf8.count))
    #expect(object["isSound"] as? Bool == true)
    #expect(object["findings"] is [Any])
  }

  @Test func aDamagedStoreHasAPageAndExitsWith2() throws {
    try bench.change("DELETE FROM item")
    let outcome = try bench.cellar(
      "inspect", "report", bench.store, "--out", "r.html", expecting: 2)
    #expect(outcome.output.contains("error: "))
    #expect(try page().contains("Something is wrong"))
  }
}
