import Foundation
import Testing

/// Schedules in which something was wrong once, as `cellar-simulate shrink` prints them.
@Suite struct ScheduleTests {
  /// A misspelt word would make a test that holds because it does nothing.
  @Test(arguments: [
    ("device a table half", "line 3: expected"),
    ("device a table full\n-5 a edit 3", "line 4: expected"),
    ("device a table full\n0 b edit 5", "line 4: no device b"),
    ("device a table full\n0 server edit 7", "line 4: server has no step edit"),
    ("device a table full\n0 a compact 7", "line 4: a has no step compact"),
    ("", "line 1: a schedule has a device"),
  ]) func aScheduleOfWhichAPartWouldDoNothingIsRefused(
    _ lines: String, _ expected: String
  ) throws {
    let (status, output) = try replay("cellar-schedule 1\nseed 1\n" + lines)
    #expect(status == 64)
    #expect(output.contains(expected), "\(output)")
  }

  /// Power failures, one right after the other, lose no note of a store that is durable in full.
  @Test func notesOutlastTwoPowerFailures() throws {
    try expectHolds(
      """
      cellar-schedule 1
      seed 16
      device a flow full
      0 a note 3847
      0 a power 7371
      0 a power 4960
      """)
  }

  /// What the relay has answered is on its disk.
  @Test func editsOutlastAPowerFailureOfTheRelay() throws {
    try expectHolds(
      """
      cellar-schedule 1
      seed 129
      relay 2
      device b table full
      1764 server power 5483
      0 b widget 7621
      """)
  }

  /// A disk that fails while a screen reads leaves a tree without some items, which is no update.
  @Test func batchesAreTheLeastPossibleAlsoWhereTheDiskFails() throws {
    try expectHolds(
      """
      cellar-schedule 1
      seed 44
      device a flow full
      0 server change 5951
      103 a undo 1761
      0 a edit 3614
      0 a edit 2278
      0 a fail 6776
      0 a note 1320
      37 a full 8970
      """)
  }

  /// The server deletes lines before the device has got those that have its edits.
  @Test func anEditWhoseLineIsDeletedIsAnswered() throws {
    try expectHolds(
      """
      cellar-schedule 1
      seed 5
      device b table normal
      0 server compact 3159
      0 b edit 9962
      """)
  }

  /// The view announces items of a section that the next commit deletes.
  @Test func whatIsReadAheadIsOfItsOwnRevision() throws {
    try expectHolds(
      """
      cellar-schedule 1
      seed 1089
      device a table normal
      0 server change 4475
      0 server change 6220
      1540 server change 1219
      17051 a widget 3290
      0 a search 3306
      1 a search 9591
      0 a note 591
      """)
  }

  /// An item can't be read while its cell is configured anew.
  @Test func aCellStaysWhereItsItemCannotBeRead() throws {
    try expectHolds(
      """
      cellar-schedule 1
      seed 4651
      device a flow full
      device b placed normal
      0 server change 2523
      30895 b scroll 9188
      419 a edit 7819
      0 server change 3294
      787 a edit 3054
      0 b fail 937
      113 a fail 7210
      """)
  }

  /// No commit comes after the one that could not be read.
  @Test func aScreenIsReadAgainWhenTheDiskWorks() throws {
    try expectHolds(
      """
      cellar-schedule 1
      seed 516
      device a placed full
      12646 a undo 5424
      0 a note 2189
      24070 a fail 226
      32412 a scroll 660
      0 server change 4316
      114 a discard 9427
      """)
  }

  /// A search comes and goes while somebody else edits.
  @Test func aListThatWasShownBeforeDoesNotComeBack() throws {
    try expectHolds(
      """
      cellar-schedule 1
      seed 2893
      device a placed full
      1192 a search 4701
      """)
  }

  /// The view goes to another list, and sections of it can't be read.
  @Test func whatCannotBeReadIsNotCompared() throws {
    try expectHolds(
      """
      cellar-schedule 1
      seed 7842
      device a placed full
      0 a edit 1606
      112 a fail 6576
      0 a show 2116
      """)
  }

  /// A user who drags an item lets go of it before the view may be updated.
  @Test func dropsComeAfterTheDrag() throws {
    try expectHolds(
      """
      cellar-schedule 1
      seed 50
      device b placed full
      794 b hold 1860
      0 b drag 1996
      """)
  }

  /// All that a user does with pages and searches runs the same each time.
  @Test func pagesAndSearchesRunTheSameTwice() throws {
    try expectHolds(
      """
      cellar-schedule 1
      seed 12
      device a flow full
      device b table normal
      900 a inbox 1
      900 a scroll 2
      40 a flag 3
      10 server mail 4
      10 a refresh 5
      700 a link 6
      500 a flag 7
      300 b search 8
      200 b edit 9
      100 b search 10
      100 b inbox 11
      100 a kill 12
      100 a launch 13
      """)
  }
}

private func expectHolds(
  _ schedule: String, _ location: SourceLocation = #_sourceLocation
) throws {
  let (status, output) = try replay(schedule)
  #expect(status == 0, "\(output)", sourceLocation: location)
}

/// Runs a schedule twice in the program that stands beside the tests.
private func replay(_ schedule: String) throws -> (status: Int32, output: String) {
  let products = Bundle.main.bundleURL
  let known = [products, products.deletingLastPathComponent()]
    .map { $0.appendingPathComponent("cellar-simulate") }
    .first { FileManager.default.isExecutableFile(atPath: $0.path) }
  let program: URL = try #require(known, "swift build makes it")
  let process = Process()
  process.executableURL = program
  process.arguments = ["replay", "--twice", "-"]
  let (input, output) = (Pipe(), Pipe())
  process.standardInput = input
  process.standardOutput = output
  process.standardError = output
  try process.run()
  input.fileHandleForWriting.write(Data((schedule + "\n").utf8))
  try input.fileHandleForWriting.close()
  let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
  process.waitUntilExit()
  return (process.terminationStatus, text)
}
