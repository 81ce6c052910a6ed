package import Foundation

/// The files that tests read besides their own.
package enum PackageFiles {
  /// The package's root folder.
  package static let root = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

  /// A file of `../shared/data` beside the package, `nil` where that folder is absent.
  package static func shared(_ name: String) -> URL? {
    let file = root.deletingLastPathComponent().appendingPathComponent("shared/data/\(name)")
    return FileManager.default.fileExists(atPath: file.path) ? file : nil
  }

  /// A store that an earlier release wrote; see `Tests/Fixtures/README.md`.
  package static func fixture(_ name: String) -> URL {
    root.appendingPathComponent("Tests/Fixtures/\(name)")
  }

  /// The release calendar, which is part of the package.
  package static let releases = root.appendingPathComponent(
    "tools/cellar/Resources/releases.ndjson")

  /// The release calendar and, where `CELLAR_SEEDS` asks for more than usual, the history of a
  /// repository's files from `../shared/data`: 20 times as long.
  package static var histories: [URL] {
    SeededGenerator.count(1) > 1 ? allHistories : [releases]
  }

  /// Both histories, as far as they are there.
  package static var allHistories: [URL] {
    [releases, shared("repository-history.ndjson")].compactMap(\.self)
  }
}
