public import Foundation

/// A folder of a test's own, removed with this object.
public final class TemporaryFolder: Sendable {
  /// Where it is.
  public let url: URL

  /// Makes a new folder.
  public init() throws {
    url = FileManager.default.temporaryDirectory
      .appendingPathComponent("cellar-test-\(UUID().uuidString)", isDirectory: true)
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(at: url) }

  /// A file in the folder, which need not exist.
  public func file(_ name: String) -> URL { url.appendingPathComponent(name) }

  /// Writes a file into the folder.
  public func write(_ text: String, to name: String) throws -> URL {
    let file = file(name)
    try Data(text.utf8).write(to: file)
    return file
  }

  /// The bytes of every file in the folder, by name.
  public func contents() throws -> [String: Data] {
    var contents: [String: Data] = [:]
    for name in try FileManager.default.contentsOfDirectory(atPath: url.path) {
      contents[name] = try Data(contentsOf: file(name))
    }
    return contents
  }
}
