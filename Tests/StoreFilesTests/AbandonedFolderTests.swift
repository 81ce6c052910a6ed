import Foundation
import StoreFiles
import StoreSchema
import StoreSupport
import TestSupport
import Testing

/// What a kill leaves behind goes with the next run, and nothing that anybody still has.
@Suite struct AbandonedFolderTests {
  private let bench: SchemaBench
  private var file: URL { bench.file }

  init() throws { bench = try SchemaBench() }

  private func exists(_ url: URL) -> Bool { FileManager.default.fileExists(atPath: url.path) }

  /// The path that a process says, and the process.
  private func start(_ mode: String) throws -> (KilledProcess, URL) {
    let process = try KilledProcess(file, mode, in: TemporaryFolder())
    let path = try process.said.trimmingCharacters(in: .newlines)
    return (process, URL(fileURLWithPath: path))
  }

  @Test func aPrivateCopyGoesWithItsProcess() throws {
    try bench.makeStore()
    let (killed, left) = try start("copy")
    let (living, kept) = try start("copy")
    let own = try PrivateCopy(of: file)
    killed.kill()
    let next = try PrivateCopy(of: file)
    #expect(!exists(left.deletingLastPathComponent()))
    #expect(exists(kept))
    #expect(exists(own.file))
    #expect(exists(next.file))
    living.kill()
    _ = try PrivateCopy(of: file)
    #expect(!exists(kept.deletingLastPathComponent()))
  }

  @Test func whatIsNoPrivateCopyStays() throws {
    try bench.makeStore()
    let folder = FileManager.default.temporaryDirectory
    let elsewhere = try TemporaryFolder()
    let diary = try elsewhere.write("Dear diary,", to: "diary")
    // Named as a copy is, with something else in it; a link; a file.
    let names = (0..<3).map { _ in
      folder.appendingPathComponent("cellar-copy-\(UUID().uuidString)")
    }
    defer { for name in names { try? FileManager.default.removeItem(at: name) } }
    try FileManager.default.createDirectory(at: names[0], withIntermediateDirectories: false)
    try FileManager.default.createSymbolicLink(
      at: names[0].appendingPathComponent("store.sqlite"), withDestinationURL: diary)
    try Data("mine".utf8).write(to: names[0].appendingPathComponent("mine"))
    try FileManager.default.createSymbolicLink(at: names[1], withDestinationURL: elsewhere.url)
    try Data().write(to: names[2])
    _ = try PrivateCopy(of: file)
    #expect(exists(names[0].appendingPathComponent("mine")))
    #expect(exists(names[1]))
    #expect(exists(names[2]))
    #expect(exists(diary))
  }

  @Test func aDraftOfAStoreGoesWithItsProcess() throws {
    let (killed, left) = try start("draft")
    let (living, kept) = try start("draft")
    #expect(left.deletingLastPathComponent().path == bench.folder.url.path)
    killed.kill()
    #expect(exists(left))
    // A store that has a name which begins as this one's is another.
    let other = bench.folder.file(".store.sqlite.new-mine")
    try Data().write(to: other)
    #expect(try StoreFile.createIfAbsent(file))
    #expect(!exists(left))
    #expect(exists(kept))
    #expect(exists(other))
    living.kill()
    #expect(exists(kept))
    try FileManager.default.removeItem(at: file)
    #expect(try StoreFile.createIfAbsent(file))
    #expect(!exists(kept))
  }
}
