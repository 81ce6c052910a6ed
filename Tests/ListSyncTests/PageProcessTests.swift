import Foundation
import ListItems
import ListModel
import ListStore
import ListSync
import Pages
import SuiteSupport
import TestSupport
import Testing

// Apps of the other systems start no programs.
#if os(macOS) || os(Linux)
  /// Processes that load the same page of the same store.
  @Suite(.timeLimit) struct PageProcessTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    /// Starts the program `CommitUntilKilled` in its mode `page`.
    private func start(_ gap: ItemID, writing output: URL, signal: URL) throws -> Process {
      try Data().write(to: output)
      let process = Process()
      process.executableURL = BuiltProducts.program("CommitUntilKilled")
      process.arguments = [
        folder.file("store.sqlite").path, "page", "l", gap.rawValue, signal.path,
      ]
      process.standardOutput = try FileHandle(forWritingTo: output)
      try process.run()
      return process
    }

    private func lines(_ output: URL) throws -> [Substring] {
      String(decoding: try Data(contentsOf: output), as: UTF8.self).split(separator: "\n")
    }

    @Test func aPageIsFetchedOnceByTwoProcesses() async throws {
      let repository = try Repository(at: folder.file("store.sqlite"))
      let gap: ItemID = "gap"
      try repository.commit(
        [
          .insertSection("s"), .insertItem(Item(id: "i0", cell: "C", content: "0"), in: "s"),
          .insertItem(
            Item(id: gap, cell: Gap.cell, content: Gap(after: "0").content), in: "s", at: .end),
        ], to: "l")
      let (outputs, signal) = (["A", "B"].map { folder.file($0) }, folder.file("answer"))
      let processes = try outputs.map { try start(gap, writing: $0, signal: signal) }
      defer { for process in processes where process.isRunning { process.terminate() } }
      // One asks the server; the other one was refused if it tries again, or it asks as well.
      while true {
        let all = try outputs.map(lines)
        let asking = all.count { $0.contains("asked") }
        let again = all.count { !$0.contains("asked") && $0.count { $0 == "noting" } >= 2 }
        if asking + again == 2, asking > 0 { break }
        if !processes.allSatisfy({ $0.isRunning }) { break }
        try await Task.sleep(for: .milliseconds(1))
      }
      try Data().write(to: signal)
      for process in processes {
        while process.isRunning { try await Task.sleep(for: .milliseconds(1)) }
        #expect(process.terminationStatus == 0)
      }
      let all = try outputs.map(lines)
      #expect(all.allSatisfy { $0.last == "loaded" })
      #expect(all.joined().count { $0 == "asked" } == 1)
      let items = try repository.tree(of: "l").sections.flatMap(\.items).map(\.id.rawValue)
      #expect(items == (0...10).map { "i\($0)" } + ["gap"])
      #expect(try repository.checkInvariants() == [])
    }
  }
#endif
