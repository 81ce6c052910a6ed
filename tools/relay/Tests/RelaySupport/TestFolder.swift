package import Foundation

/// Folders of the tests of one process, removed when it ends.
package enum TestFolder {
  /// Holds all others.
  private static let root: URL = {
    let root = FileManager.default.temporaryDirectory
      .appendingPathComponent("cellar-relay-tests-\(UUID().uuidString)", isDirectory: true)
    rootToRemove = root
    atexit {
      if let root = TestFolder.rootToRemove { try? FileManager.default.removeItem(at: root) }
    }
    return root
  }()

  // Written once, before anything reads it: by the initialiser of a static.
  nonisolated(unsafe) private static var rootToRemove: URL?

  /// Makes a new folder.
  package static func make() throws -> URL {
    let folder = root.appendingPathComponent(UUID().uuidString, isDirectory: true)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    return folder
  }
}
