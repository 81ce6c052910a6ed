import Foundation
import StoreFiles
import TestSupport
import Testing

/// What a log holds is told apart: commits, what no commit follows, what is torn, what is stale.
@Suite struct WriteAheadLogTests {
  private let folder: TemporaryFolder
  private let frame = 24 + 512

  init() throws { folder = try TemporaryFolder() }

  private func read(_ bytes: [UInt8]) throws -> WriteAheadLog? {
    let database = folder.file("store.sqlite").path
    try Data(bytes).write(to: URL(fileURLWithPath: database + "-wal"))
    return try WriteAheadLog(ofDatabase: database, naming: database)
  }

  private func log(_ salt: UInt8 = 1, frames: Int, commitEvery step: Int) -> [UInt8] {
    var log = CraftedLog(pageSize: 512, salts: Array(repeating: salt, count: 8))
    for number in 1...frames {
      let page = (0..<512).map { UInt8(truncatingIfNeeded: $0 &* number &+ Int(salt)) }
      log.append(page: number, page, pageCount: number % step == 0 ? 100 + number : 0)
    }
    return log.bytes
  }

  @Test func commitsAreCounted() throws {
    let log = try #require(try read(log(frames: 12, commitEvery: 3)))
    #expect(log.pageSize == 512)
    #expect(log.frameCount == 12)
    #expect(log.commitCount == 4)
    #expect(log.pageCount == 112)
    #expect(log.committedByteCount == 32 + 12 * frame)
    #expect(log.byteCount == log.committedByteCount)
    #expect(log.uncommittedByteCount + log.tornByteCount + log.staleByteCount == 0)
  }

  @Test func framesThatNoCommitFollowsAreTold() throws {
    let log = try #require(try read(log(frames: 11, commitEvery: 4)))
    #expect(log.commitCount == 2)
    #expect(log.frameCount == 8)
    #expect(log.uncommittedByteCount == 3 * frame)
  }

  @Test func tornBytesAreTold() throws {
    let whole = log(frames: 8, commitEvery: 2)
    var log = try #require(try read(Array(whole.dropLast(100))))
    #expect(log.commitCount == 3)
    #expect(log.uncommittedByteCount == frame)
    #expect(log.tornByteCount == frame - 100)
    var flipped = whole
    flipped[32 + 4 * frame + 300] ^= 1
    log = try #require(try read(flipped))
    #expect(log.commitCount == 2)
    #expect(log.tornByteCount == 4 * frame)
    #expect(log.staleByteCount == 0)
    log = try #require(try read(Array(repeating: 0, count: 5_000)))
    #expect(log.commitCount == 0)
    #expect(log.committedByteCount == 0)
    #expect(log.tornByteCount == 5_000)
  }

  /// A process is killed between the two writes of a frame.
  @Test func aFrameOfWhichOnlyTheHeadIsWrittenBelongsToNoCommit() throws {
    let whole = log(frames: 8, commitEvery: 2)
    for missing in [1, 2] {
      let cut = whole.prefix(32 + (8 - missing) * frame + 24)
      let log = try #require(try read(Array(cut)))
      #expect(log.commitCount == 3)
      #expect(log.uncommittedByteCount == (missing == 1 ? frame : 0) + 24)
      #expect(log.tornByteCount == 0)
    }
    // What is one byte longer, or shorter, was cut off by something else.
    for count in [23, 25] {
      let log = try #require(try read(Array(whole.prefix(32 + 6 * frame + count))))
      #expect(log.tornByteCount == count)
    }
  }

  /// The same where the file was longer before: an old page is behind the head.
  @Test func aFrameWithAnOldPageThatEndsNoCommitIsNotTorn() throws {
    let old = log(7, frames: 8, commitEvery: 2)
    let new = log(frames: 8, commitEvery: 2)
    for (written, isTorn) in [(4, false), (5, true)] {
      let end = 32 + written * frame
      let log = try #require(try read(Array(new[..<(end + 24)] + old[(end + 24)...])))
      #expect(log.commitCount == 2)
      #expect(log.tornByteCount == (isTorn ? frame : 0))
      #expect(log.uncommittedByteCount == frame)
      #expect(log.staleByteCount == (7 - written) * frame)
    }
  }

  @Test func whatIsLeftOverFromBeforeTheLogWasBegunAgainIsStale() throws {
    let old = log(7, frames: 8, commitEvery: 2)
    let new = log(frames: 4, commitEvery: 4)
    let log = try #require(try read(new + old[new.count...]))
    #expect(log.commitCount == 1)
    #expect(log.frameCount == 4)
    #expect(log.tornByteCount == 0)
    #expect(log.staleByteCount == 4 * frame)
  }

  @Test func allBytesAreAccountedFor() throws {
    let whole = log(frames: 9, commitEvery: 2) + log(7, frames: 3, commitEvery: 1)[32...]
    var generator = SeededGenerator(seed: 3)
    for round in 0..<300 {
      var bytes = Array(whole.prefix(generator.number(32..<(whole.count + 1))))
      bytes[generator.number(0..<bytes.count)] ^= 1 << UInt8(generator.number(0..<8))
      let log = try #require(try read(bytes))
      let committed = max(log.committedByteCount, log.pageSize == 0 ? 0 : 32)
      #expect(
        committed + log.uncommittedByteCount + log.tornByteCount + log.staleByteCount
          == bytes.count, "round \(round)")
    }
  }

  @Test func aDatabaseWithoutALogHasNone() throws {
    let database = folder.file("other.sqlite").path
    #expect(try WriteAheadLog(ofDatabase: database, naming: database) == nil)
  }
}
