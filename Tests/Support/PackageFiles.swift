public import Foundation

/// The files that tests read besides their own.
public enum PackageFiles {
  /// The package's root folder.
  public static let root = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

  /// A file of `../shared/data` beside the package, `nil` where that folder is absent.
  ///
  /// A test that reads it has the trait `.enabled(if:_:)` with the comment "needs
  /// ../shared/data/…", so that the summary names it where it is skipped.
  public static func shared(_ name: String) -> URL? {
    let file = root.deletingLastPathComponent().appendingPathComponent("shared/data/\(name)")
    return FileManager.default.fileExists(atPath: file.path) ? file : nil
  }

  /// A store that an earlier release wrote; see `Tests/Fixtures/README.md`.
  public static func fixture(_ name: String) -> URL {
    root.appendingPathComponent("Tests/Fixtures/\(name)")
  }

  /// The release calendar, which is part of the package.
  public static let releases = root.appendingPathComponent(
    "tools/cellar/Resources/releases.ndjson")

  /// The Swift files under a folder of the package, in the order of their paths.
  public static func swiftFiles(under folder: String) throws -> [URL] {
    let folder = root.appendingPathComponent(folder)
    return try FileManager.default.subpathsOfDirectory(atPath: folder.path)
      .filter { $0.hasSuffix(".swift") }.sorted().map(folder.appendingPathComponent)
  }
}
