import Foundation
import Testing

/// The configuration of nginx: what nginx does not say when it starts.
@Suite struct DeployTests {
  /// The locations, each by its text.
  private func locations() throws -> [Substring] {
    let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .appendingPathComponent("../../deploy/nginx.conf").standardizedFileURL
    let text = try String(contentsOf: file, encoding: .utf8)
    return text.split(separator: "\n    location ").dropFirst().map { $0[...] }
  }

  // A location with a header of its own inherits none. Without this one, nodes close connections that
  // nginx uses again, which counts as their failure.
  @Test func locationsWithHeadersOfTheirOwnKeepConnections() throws {
    let own = try locations().filter { $0.contains("proxy_set_header") }
    #expect(own.count == 2)
    for location in own {
      #expect(location.contains(#"proxy_set_header Connection "";"#))
      #expect(location.contains("proxy_set_header Host $host;"))
    }
  }

  // Else a refusal of one address is kept for others.
  @Test func whatIsKeptIsKeptByItsWholeAddress() throws {
    let cached = try locations().filter { $0.contains("proxy_cache_key") }
    #expect(cached.count == 2)
    for location in cached { #expect(location.contains("$request_uri")) }
    let words = cached.filter { $0.contains("proxy_cache words;") }
    #expect(words.count == 1 && words[0].contains(#""$request_uri $http_authorization";"#))
  }
}
