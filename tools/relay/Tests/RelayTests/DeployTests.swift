import Foundation
import Testing

/// What is deployed: what nginx does not say when it starts, and where a node may write.
@Suite struct DeployTests {
  private func text(_ name: String) throws -> String {
    let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .appendingPathComponent("../../deploy/\(name)").standardizedFileURL
    return try String(contentsOf: file, encoding: .utf8)
  }

  /// The locations, each by its text.
  private func locations() throws -> [Substring] {
    try text("nginx.conf").split(separator: "\n    location ").dropFirst().map { $0[...] }
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

  // The default of the logs is a file in the folder that a node is started in.
  @Test func aNodeMayWriteWhereItIsStarted() throws {
    let unit = try text("cellar-relay.service").components(separatedBy: "\n")
    #expect(unit.contains("WorkingDirectory=/var/lib/cellar-relay"))
    #expect(unit.contains("StateDirectory=cellar-relay"))
    // Its user is a new one each time, and the key file is root's.
    #expect(unit.contains("DynamicUser=yes"))
    #expect(unit.contains { $0.hasPrefix("LoadCredential=keys.json:") })
    #expect(unit.contains("Environment=CELLAR_RELAY_KEYS=%d/keys.json"))
    let container = try text("Containerfile")
    #expect(container.contains("--home /var/lib/cellar-relay --create-home relay"))
    #expect(container.contains("\nWORKDIR /var/lib/cellar-relay\n"))
    // What may be deleted is not the folder with the logs.
    for text in [unit.joined(separator: "\n"), container] {
      #expect(text.contains("CELLAR_RELAY_FOLDER=/var/lib/cellar-relay/node\n"))
    }
  }
}
