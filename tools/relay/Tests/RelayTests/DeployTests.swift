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
    #expect(words.count == 1 && words[0].contains(#""$five $asked $http_authorization";"#))
    #expect(try text("nginx.conf").contains("map $request_uri $asked {\n    default $request_uri;"))
  }

  /// Only an address that can be nothing else than a list's next lines has the word of its list.
  @Test func whatElseAnAddressSaysIsAskedFor() throws {
    let line = try #require(
      try text("nginx.conf").components(separatedBy: "\n").first { $0.hasSuffix("$\" $list;") })
    let pattern = line.split(separator: "\"")[1].dropFirst()
    let shape = try NSRegularExpression(pattern: String(pattern))
    func list(_ address: String) -> String? {
      let match = shape.firstMatch(in: address, range: NSRange(address.startIndex..., in: address))
      return match.flatMap { Range($0.range(withName: "list"), in: address) }
        .map { String(address[$0]) }
    }
    let hash = String(repeating: "0a", count: 16)
    for rest in ["0", "17&wait=25", "9:\(hash)", "9:\(hash)&wait=25"] {
      #expect(list("/feed?list=user%2F42&after=\(rest)") == "/feed?list=user%2F42", "\(rest)")
    }
    for other in [
      "/feed?list=a&after=0&list=b", "/feed?list=a&list=b&after=0", "/feed?list=a&after=0&of=b",
      "/feed?list=a&after=0#b", "/feed?list=a&after=01", "/feed?list=a&after=0&wait=12345",
      "/feed?list=a&after=0&wait=1&wait=2", "/feed?list=a;b&after=0", "/feed?list=&after=0",
      "/feed?list=a&after=9:0a", "//feed?list=a&after=0", "/feed/?list=a&after=0",
      "/list?list=a&after=0",
      "/feed?of=a&after=0", "/feed?list=a&after=0&to=5",
    ] {
      #expect(list(other) == nil, "\(other)")
    }
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
