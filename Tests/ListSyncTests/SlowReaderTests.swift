import BatchUpdates
import Foundation
import ListModel
import ListStore
import ListSync
import Providers
import SuiteSupport
import TestSupport
import Testing

/// A reader of `updates()` that takes longer than commits come.
@Suite(.timeLimit) struct SlowReaderTests {
  @Test func whatWasCommittedMeanwhileIsOneUpdate() async throws {
    let folder = try TemporaryFolder()
    let repository = try Repository(at: folder.file("store.sqlite"))
    let list = repository.liveList("list")
    var updates = list.updates().makeAsyncIterator()
    try await list.edit { try $0.insertSection("a") }
    #expect(try await updates.next()?.batch.to == 1)
    for section in ["b", "c", "d"] as [SectionID] {
      try await list.edit { try $0.insertSection(section) }
      // Long enough for a stream that would read ahead.
      try await Task.sleep(for: .milliseconds(20))
    }
    let update = try #require(try await updates.next())
    #expect(update.batch.from == 1)
    #expect(update.batch.to == 4)
    #expect(update.provider.numberOfSections == 4)
  }
}
