import Foundation
import ListInspection
import ListModel
import ListStore
import TestSupport
import Testing

/// What lies in a folder is told as it is, and stays as it is: whole, in part, or damaged.
@Suite struct EvidenceTests {
  private let bench: InspectionBench
  private var file: URL { bench.file }
  private var log: URL { bench.log }

  init() throws { bench = try InspectionBench() }

  private struct Facts: Equatable {
    var codes: [StoreProblem.Code]
    var heads: [String: String] = [:]
    var log: Int?
  }

  /// What an inspection says, of a copy and then in place; nothing in the folder may change.
  ///
  /// `refusal`: The error with which the store is refused in place.
  private func look(inPlace refusal: StoreError.Code? = nil) throws -> Facts {
    let facts = try look(inPlace: false)
    if let refusal {
      let error = #expect(throws: StoreError.self) { try look(inPlace: true) }
      #expect(error?.code == refusal)
      #expect(error?.file == file.path)
      #expect(error?.message.contains("leave out --in-place") == true)
    } else {
      #expect(try look(inPlace: true) == facts)
    }
    return facts
  }

  private func look(inPlace: Bool) throws -> Facts {
    try bench.unchanged {
      let inspection = try Inspection(of: file, inPlace: inPlace)
      var facts = Facts(codes: inspection.check().map(\.code))
      for list in inspection.summary().lists {
        facts.heads[list.list] = try? inspection.export(ListID(list.list))
      }
      facts.log = inspection.evidence.log?.commitCount
      try inspection.requireUnchanged()
      return facts
    }
  }

  @Test func aClosedStoreHasNoLog() throws {
    let trees = try bench.makeStore()
    let found = try look()
    #expect(found.codes == [])
    #expect(try Inspection(of: file).evidence.lacksLog)
    #expect(found.heads == trees.exports)
  }

  @Test func aStoreThatIsOpenIsToldAndRead() throws {
    let repository = try Repository(at: file)
    let trees = try bench.fill(repository)
    let found = try look(inPlace: false)
    // The system tells of other processes only.
    #expect(found.codes.allSatisfy { $0 == .open })
    #expect(found.heads == trees.exports)
  }

  @Test func commitsThatAreOnlyInTheLogAreCountedAndRead() throws {
    let trees = try bench.makeStoreWithLog()
    let found = try look()
    #expect(found.codes == [])
    #expect(found.heads == trees.whole.exports)
    #expect(try #require(found.log) > 0)
  }

  /// Nothing tells a copy without its log from a store that was closed.
  @Test func aStoreWithoutItsLogIsAnEarlierOne() throws {
    let trees = try bench.makeStoreWithLog()
    try FileManager.default.removeItem(at: log)
    let found = try look()
    #expect(found.codes == [])
    #expect(found.heads == trees.earlier.exports)
  }

  @Test func anIndexWithoutItsLogSaysThatTheLogIsMissing() throws {
    let trees = try bench.makeStoreWithLog()
    try FileManager.default.removeItem(at: log)
    try Data(count: 32_768).write(to: bench.folder.file("store.sqlite-shm"))
    let found = try look()
    #expect(found.codes == [.logMissing])
    #expect(found.heads == trees.earlier.exports)
  }

  @Test func pagesOfTwoMomentsSayThatTheLogIsMissing() throws {
    _ = try bench.makeStoreWithLog()
    // The file was copied from its beginning while a checkpoint wrote into it.
    let frames = try [UInt8](Data(contentsOf: log)).dropFirst(32)
    var pages: [Int: ArraySlice<UInt8>] = [:]
    for start in stride(from: frames.startIndex, to: frames.endIndex, by: 24 + 4_096) {
      let number = frames[start..<start + 4].reduce(0) { $0 << 8 | Int($1) }
      pages[number] = frames[(start + 24)..<(start + 24 + 4_096)]
    }
    let handle = try FileHandle(forWritingTo: file)
    for (number, page) in pages.sorted(by: { $0.key > $1.key }).prefix(pages.count / 2) {
      try handle.seek(toOffset: UInt64((number - 1) * 4_096))
      try handle.write(contentsOf: page)
    }
    try handle.close()
    try FileManager.default.removeItem(at: log)
    let codes = try look().codes
    #expect(codes.contains(.pages) && codes.contains(.logMissing), "\(codes)")
  }

  @Test func aTornLogIsReadUpToItsLastWholeCommit() throws {
    _ = try bench.makeStoreWithLog()
    let whole = try Data(contentsOf: log)
    let commits = try #require(try look().log)
    try whole.dropLast(3_100).write(to: log)
    let found = try look()
    #expect(
      found.codes.first == .logTorn && Set(found.codes).isSubset(of: [.logTorn, .logUncommitted]))
    #expect(try #require(found.log) < commits)
    #expect(found.heads.count == 2, "the lists are read at the commit before")
  }

  @Test func aFlippedBitInTheLogIsToldAndEndsItThere() throws {
    _ = try bench.makeStoreWithLog()
    let commits = try #require(try look().log)
    var bytes = try Data(contentsOf: log)
    bytes[bytes.count / 2] ^= 4
    try bytes.write(to: log)
    let found = try look()
    #expect(
      found.codes.first == .logTorn && Set(found.codes).isSubset(of: [.logTorn, .logUncommitted]))
    #expect(try #require(found.log) < commits)
  }

  @Test func theLogOfAnotherStoreIsNotMixedIn() throws {
    let trees = try bench.makeStoreWithLog()
    let other = try InspectionBench()
    let repository = try Repository(at: other.file)
    try other.fill(repository, seed: 3)
    try FileManager.default.removeItem(at: log)
    try FileManager.default.copyItem(
      atPath: other.file.path + "-wal", toPath: log.path)
    let found = try look()
    #expect(found.codes.contains(.logForeign))
    #expect(found.heads == trees.earlier.exports)
    #expect(repository.file == other.file, "open until here")
  }

  @Test func anEmptyLogIsNone() throws {
    let trees = try bench.makeStoreWithLog()
    try Data().write(to: log)
    let found = try look()
    #expect(found.codes == [])
    #expect(found.heads == trees.earlier.exports)
  }

  @Test(arguments: [31, 4_096]) func aLogOfZerosIsNone(byteCount: Int) throws {
    let trees = try bench.makeStoreWithLog()
    try Data(count: byteCount).write(to: log)
    let found = try look()
    #expect(found.codes == [.logForeign])
    #expect(found.heads == trees.earlier.exports)
  }

  @Test func aTransactionThatWasCutOffIsTakenBackInTheCopy() throws {
    let trees = try bench.makeStore()
    try InspectionBench.cutOffTransaction(in: file)
    let found = try look(inPlace: .notReadable)
    #expect(found.codes.contains(.journal))
    #expect(found.heads == trees.exports)
  }

  @Test func aHeaderOfZerosIsToldAndNothingIsOpened() throws {
    try bench.makeStore()
    var bytes = try Data(contentsOf: file)
    bytes.replaceSubrange(0..<100, with: Data(count: 100))
    try bytes.write(to: file)
    let found = try look()
    #expect(found.codes == [.header])
    #expect(found.heads.isEmpty)
  }

  @Test func aFileThatWasCutOffSaysHowMuchIsThere() throws {
    try bench.makeStore()
    let bytes = try Data(contentsOf: file)
    try bytes.prefix(bytes.count * 38 / 100).write(to: file)
    let inspection = try Inspection(of: file)
    let finding = try #require(inspection.findings.first { $0.code == .truncated })
    #expect(finding.message.contains("of \(bytes.count / 4_096) pages"))
    #expect(try look().codes.contains(.truncated))
  }

  @Test func aFileThatIsLongerThanItsHeaderSaysIsTold() throws {
    let trees = try bench.makeStore()
    let handle = try FileHandle(forWritingTo: file)
    try handle.seekToEnd()
    try handle.write(contentsOf: Data("Somebody's own.".utf8))
    try handle.close()
    let found = try look()
    #expect(found.codes == [.longer])
    #expect(found.heads == trees.exports)
  }

  @Test(arguments: [false, true]) func aLinkIsTold(inPlace: Bool) throws {
    let trees = try bench.makeStore()
    let link = bench.folder.file("link")
    try FileManager.default.createSymbolicLink(at: link, withDestinationURL: file)
    let inspection = try Inspection(of: link, inPlace: inPlace)
    #expect(inspection.findings.map(\.code) == [.link])
    #expect(try inspection.export("first") == trees.exports["first"])
  }

  @Test func whateverChangesTheFilesMeanwhileIsTold() throws {
    try bench.makeStore()
    let inspection = try Inspection(of: file)
    try inspection.requireUnchanged()
    try Repository(existing: file).commit([], to: "first")
    let error = #expect(throws: StoreError.self) { try inspection.requireUnchanged() }
    #expect(error?.code == .changedMeanwhile)
    // Also if the file's size and time are as before.
    let second = try Inspection(of: file)
    let path = file.path
    var values = stat()
    #expect(stat(path, &values) == 0)
    let handle = try FileHandle(forUpdating: file)
    try handle.seek(toOffset: UInt64(values.st_size) - 1)
    let last = try #require(try handle.read(upToCount: 1)?.first)
    try handle.seek(toOffset: UInt64(values.st_size) - 1)
    try handle.write(contentsOf: Data([last ^ 1]))
    try handle.close()
    #expect(throws: StoreError.self) { try second.requireUnchanged() }
  }
}
