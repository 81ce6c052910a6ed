import Foundation
import ListInspection
import ListModel
import ListStore
import StoreFiles
import StoreSchema
import SuiteSupport
import TestSupport
import Testing

/// A file with holes takes neither their room nor their time.
@Suite struct SparseFileTests {
  private let bench: InspectionBench
  private var file: URL { bench.file }
  private static let hundredGigabytes = 100 << 30

  init() throws { bench = try InspectionBench() }

  private func grow(_ path: String, to byteCount: Int) throws {
    #expect(truncate(path, off_t(byteCount)) == 0)
  }

  private func refusal(_ look: () throws -> Void) -> StoreError.Code? {
    #expect(throws: StoreError.self) { try look() }?.code
  }

  @Test(.timeLimit) func aFileOfHolesIsNoStore() throws {
    try Data().write(to: file)
    try grow(file.path, to: Self.hundredGigabytes)
    let start = ContinuousClock.now
    for look in [
      { _ = try Inspection(of: file) }, { _ = try Inspection(of: file, inPlace: true) },
      { _ = try StoreRecovery.recover(file, to: bench.folder.file("new")) },
      { _ = try StoreBackup.make(of: file) }, { _ = try Repository(existing: file) },
      { _ = try SchemaInspection.read(file) },
      { _ = try RepairPlan(of: file, accepting: []) },
    ] { #expect(refusal(look) == .notAStore) }
    #expect(ContinuousClock.now - start < .seconds(30))
    let names = try FileManager.default.contentsOfDirectory(atPath: bench.folder.url.path)
    #expect(names == ["store.sqlite"])
  }

  /// What has lost its header is no such file.
  @Test(.timeLimit) func aHurtStoreBeforeAHoleIsLookedAt() throws {
    let trees = try bench.makeStore()
    let handle = try FileHandle(forUpdating: file)
    try handle.write(contentsOf: Data(count: 100))
    try handle.close()
    try grow(file.path, to: 1 << 30)
    #expect(try Inspection(of: file).findings.contains { $0.code == .header })
    let recovered = bench.folder.file("new")
    let recovery = try StoreRecovery.recover(file, to: recovered)
    #expect(recovery.isHeaderDamaged)
    let repository = try Repository(existing: recovered)
    for (list, tree) in trees { #expect(try repository.tree(of: list).json() == tree.json()) }
  }

  @Test(.timeLimit) func holesStayHoles() throws {
    let trees = try bench.makeStore()
    try grow(file.path, to: Self.hundredGigabytes)
    let copy = try PrivateCopy(copying: file)
    let status = try #require(FileStatus(of: copy.file.path))
    #expect(status.byteCount == Self.hundredGigabytes)
    #expect(status.allocatedByteCount < 16 << 20)
    #expect(try copy.isLike(file))
    // Neither a byte in its data nor one in a hole can differ without a word.
    for offset in [5_000, 1 << 35] {
      let handle = try FileHandle(forUpdating: copy.file)
      try handle.seek(toOffset: UInt64(offset))
      let former = try handle.read(upToCount: 1) ?? Data([0])
      try handle.seek(toOffset: UInt64(offset))
      try handle.write(contentsOf: Data([(former.first ?? 0) ^ 1]))
      #expect(try !copy.isLike(file))
      try handle.seek(toOffset: UInt64(offset))
      try handle.write(contentsOf: former)
      try handle.close()
      #expect(try copy.isLike(file))
    }
    let inspection = try Inspection(of: file)
    #expect(inspection.check().map(\.code) == [.longer])
    for (list, tree) in trees { #expect(try inspection.export(list) == tree.json()) }
    try inspection.requireUnchanged()
    let backup = try StoreBackup.make(of: file)
    #expect(backup.byteCount < 16 << 20)
  }

  /// As if it took the room of its data, and the time.
  @Test func onlyDataCounts() throws {
    try bench.makeStore()
    let byteCount = try #require(FileStatus(of: file.path)).byteCount
    #expect(FileExtents.byteCount(ofStore: file.path) == byteCount)
    try grow(file.path, to: Self.hundredGigabytes)
    #expect(FileExtents.byteCount(ofStore: file.path) < byteCount + 1 << 20)
    #expect(TimeLimit.seconds(for: file) < 30)
  }
}
