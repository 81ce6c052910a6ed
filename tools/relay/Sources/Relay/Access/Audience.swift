import RelayEngine

/// Whom a token is for: the claim `aud`, a text or several.
///
/// JWTKit's own traps for an empty array.
struct Audience: Codable, Sendable {
  private let names: [String]

  init(_ names: [String]) { self.names = names }

  init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    names = try (try? container.decode(String.self)).map { [$0] } ?? container.decode([String].self)
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    if names.count == 1 { try container.encode(names[0]) } else { try container.encode(names) }
  }

  func contains(_ name: String) -> Bool { names.contains { TextKey($0) == TextKey(name) } }
}
