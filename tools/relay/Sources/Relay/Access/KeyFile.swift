import Foundation
import Logging

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// Reads the keys of tokens, and reads them again when there may be others.
enum KeyFile {
  private static let mostBytes = 1 << 20

  /// The key set as text.
  static func text(_ source: RelayConfiguration.KeySource) async throws -> Data {
    switch source {
    case .file(let file): return try Data(contentsOf: file)
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
