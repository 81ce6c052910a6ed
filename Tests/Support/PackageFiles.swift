public import Foundation

/// The files that tests read besides their own.
public enum PackageFiles {
  /// The package's root folder.
  public static let root = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

  /// A file of `shared/data` beside the package, `nil` where that folder is absent.
  public static func shared(_ name: String) -> URL? {
    let file = root.deletingLastPathComponent().appendingPathComponent("shared/data/\(name)")
    return FileManager.default.fileExists(atPath: file.path) ? file : nil
  }

  /// The release calendar, which is part of the package.
  public static let releases = root.appendingPathComponent(
    "tools/cellar/Resources/releases.ndjson")
}
