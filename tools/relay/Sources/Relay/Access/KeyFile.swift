package import Foundation
import Logging

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// Reads the keys of tokens, and reads them again when there may be others.
package enum KeyFile {
  private static let mostBytes = 1 << 20

  /// The key set in a file as text.
  ///
  /// - Throws: `RelayConfigurationError` if the file can't be read.
  package static func text(of file: URL) throws -> Data {
    do { return try Data(contentsOf: file) } catch {
      guard FileManager.default.fileExists(atPath: file.path) else {
        throw RelayConfigurationError(
          "there is no key file \(file.path); cellar-relay token --new --keys FILE makes one")
      }
      throw RelayConfigurationError(
        "the key file \(file.path) can't be read: is it a file, and whose?")
    }
  }

  /// Makes a key file with one new secret, which its owner alone may read.
  ///
  /// - Throws: `RelayConfigurationError` if there is such a file already, or it can't be written.
  package static func make(at file: URL) throws {
    guard !FileManager.default.fileExists(atPath: file.path) else {
      throw RelayConfigurationError(
        "there is a key file \(file.path) already, and tokens of its keys would be refused without it; name "
          + "another file, or remove this one first")
    }
    // Empty first: nobody else may open it before it has its rights.
    guard
      FileManager.default.createFile(
        atPath: file.path, contents: nil, attributes: [.posixPermissions: 0o600])
    else {
      throw RelayConfigurationError(
        "the key file \(file.path) can't be made: is its folder there, and may you write to it?")
    }
    do { try TokenMint.newKeys().write(to: file) } catch {
      throw RelayConfigurationError("the key file \(file.path) can't be written: is the disk full?")
    }
  }

  /// The key set as text.
  static func text(_ source: RelayConfiguration.KeySource) async throws -> Data {
    switch source {
    case .file(let file): return try text(of: file)
    case .address(let url):
      guard url.scheme == "https" else {
        throw RelayConfigurationError("keys come from a file or an address of https")
      }
      let (data, response) = try await URLSession.shared.data(from: url)
      guard (response as? HTTPURLResponse)?.statusCode == 200, data.count <= mostBytes else {
        throw RelayConfigurationError("there is no key set at \(url.absoluteString)")
      }
      return data
    }
  }

  /// Has a gatekeeper take other keys when they change, until the task is cancelled.
  ///
  /// Keys that can't be read leave those that are used.
  static func follow(
    _ source: RelayConfiguration.KeySource, _ gatekeeper: Gatekeeper, _ logger: Logger
  ) async {
    let pause: Duration =
      if case .file = source { .seconds(5) } else { .seconds(300) }
    var last = try? await text(source)
    while !Task.isCancelled {
      try? await Task.sleep(for: pause)
      do {
        let found = try await text(source)
        if found == last || Task.isCancelled { continue }
        gatekeeper.use(try await TokenKeys(parsing: found))
        last = found
        logger.notice("other keys are used")
      } catch {
        logger.error("the keys can't be read", metadata: ["error": "\(error)"])
      }
    }
  }
}
