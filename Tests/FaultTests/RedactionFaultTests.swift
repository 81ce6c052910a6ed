import Foundation
import ListInspection
import ListModel
import ListStore
import TestSupport
import Testing

/// A call to the file system fails while a redacted store is written: there is the whole store or
/// none, and nothing beside it.
@Suite struct RedactionFaultTests {
  @Test func thereIsAWholeStoreOrNone() throws {
    let folder = try TemporaryFolder()
    let file = folder.file("store.sqlite")
    try FaultyOperation.all.first { $0.testDescription == "write" }?.prepare(file)
    let elsewhere = try TemporaryFolder()
    let newFile = elsewhere.file("redacted.sqlite")
    let scope = try FaultScope(elsewhere.url)
    func redact() throws -> StoreRedaction {
      try? FileManager.default.removeItem(at: newFile)
      return try Inspection(of: file).redact(to: newFile)
    }
    func names() throws -> [String] {
      try FileManager.default.contentsOfDirectory(atPath: elsewhere.url.path)
    }
    scope.count()
    let expected = try redact().itemCount
    var generator = SeededGenerator(seed: 5)
    var failures = 0
    for (fault, count) in Fault.all.map({ ($0, scope.calls(of: $0)) }) {
      for call in FaultTests.calls(fault, of: count, in: "redact", using: &generator) {
        let hint = "\(fault), call \(call)"
        scope.arm(fault, at: call)
        let result = Result { try redact() }
        scope.disarm()
        switch result {
        case .success(let redaction):
          #expect(redaction.itemCount == expected, "\(hint)")
          #expect(try names() == ["redacted.sqlite"], "\(hint)")
          #expect(try Repository(inspecting: newFile).checkInvariants() == [], "\(hint)")
        case .failure(let error):
          failures += 1
          let error = try #require(error as? StoreError, "\(hint): \(error)")
          #expect(fault.codes.contains(error.code), "\(error.code): \(hint): \(error)")
          #expect(try names() == [], "\(hint)")
        }
      }
    }
    #expect(failures > 5 || FaultTests.wanted != nil, "the calls must fail")
  }
}
