import Foundation

/// The examples of an article, line by line; ``TaskArticleTests`` compares and runs them.
enum DataProtectionExample {
  static func makeFolder(in parent: URL) throws -> URL {
    // Article: begin
    func folderOfTheStore(in parent: URL) throws -> URL {
      let folder = parent.appendingPathComponent("Shelf", isDirectory: true)
      var attributes: [FileAttributeKey: Any] = [.posixPermissions: 0o700]
      #if os(iOS)
        attributes[.protectionKey] = FileProtectionType.completeUntilFirstUserAuthentication
      #endif
      try FileManager.default.createDirectory(
        at: folder, withIntermediateDirectories: true, attributes: attributes)
      return folder
    }
    // Article: end
    return try folderOfTheStore(in: parent)
  }
}
