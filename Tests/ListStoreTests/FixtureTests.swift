import Foundation
import ListModel
import ListStore
import ListSync
import StoreFiles
import StoreSchema
import TestSupport
import Testing

/// A store of every schema version becomes one of the newest that exports the same.
@Suite struct FixtureTests {
  private static let feeds = [
    1: PackageFiles.releases, 2: PackageFiles.releases, 3: PackageFiles.releases,
    4: PackageFiles.fixture("v0004.ndjson"), 5: PackageFiles.fixture("v0005.ndjson"),
    6: PackageFiles.fixture("v0006.ndjson"), 7: PackageFiles.fixture("v0006.ndjson"),
    8: PackageFiles.fixture("v0006.ndjson"),
  ]

  @Test func everyVersionBeforeTheNewestHasAFixture() {
    #expect(Self.feeds.keys.sorted() == Array(1..<Migration.latestVersion))
  }

  @Test(arguments: 1..<Migration.latestVersion, [true, false])
  func aMigratedFixtureExportsWhatItsFeedMakesToday(
    _ version: Int, _ isAtOnce: Bool
  ) throws {
    let folder = try TemporaryFolder()
    let file = folder.file("old.sqlite")
    try FileManager.default.copyItem(
      at: PackageFiles.fixture("v000\(version).sqlite"), to: file)
    #expect(try StoreHeader(of: file).schemaVersion == version)
    for step in isAtOnce ? [] : Array(version..<Migration.latestVersion) {
      #expect(try Migrator.up(file, to: step + 1).names == [Migration.all[step].name])
    }
    let migrated = try Repository(existing: file)
    let today = try Repository(at: folder.file("today.sqlite"))
    _ = try today.apply(FeedReader(file: #require(Self.feeds[version])))
    #expect(try migrated.lists() == today.lists())
    for list in try today.lists() {
      #expect(try migrated.tree(of: list).json() == today.tree(of: list).json())
      #expect(
        try migrated.commits(of: list).map(\.entries) == today.commits(of: list).map(\.entries))
    }
    #expect(try migrated.checkInvariants().isEmpty)
  }
}
