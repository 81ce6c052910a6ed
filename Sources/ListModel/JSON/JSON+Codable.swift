// For items with JSON members. A coder knows no text: what it decodes is written anew.
extension JSON: Codable {
  /// Reads any value; the members of objects are sorted by name then.
  ///
  /// - Throws: `DecodingError` for a value that nests deeper than 32 levels.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    var writer = JSONWriter()
    if container.decodeNil() {
      writer.value(.null)
    } else if let flag = try? container.decode(Bool.self) {
      writer.value(flag)
    } else if let integer = try? container.decode(Int64.self) {
      writer.value(JSON(minified: String(integer)))
    } else if let integer = try? container.decode(UInt64.self) {
      writer.value(JSON(minified: String(integer)))
    } else if let number = try? container.decode(Double.self) {
      writer.value(number)
    } else if let text = try? container.decode(String.self) {
      writer.value(text)
    } else if let elements = try? container.decode([JSON].self) {
      writer.array(elements) { $0.value($1) }
    } else {
      let members = try container.decode([String: JSON].self)
      writer.object { writer in
        for (name, value) in members.sorted(by: { $0.key < $1.key }) { writer.member(name, value) }
      }
    }
    do { try self.init(parsing: writer.text) } catch {
      throw DecodingError.dataCorruptedError(in: container, debugDescription: "\(error)")
    }
  }

  /// Writes the value.
  ///
  /// Numbers that are no integers of 64 bits are written as `Double`.
  ///
  /// - Throws: What the encoder throws.
  public func encode(to encoder: any Encoder) throws {
    try JSONNode(parsing: Array(text.utf8)).encode(to: encoder)
  }
}

extension JSONNode {
  fileprivate func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    switch kind {
    case .null: try container.encodeNil()
    case .bool: try container.encode(value() == JSON(minified: "true"))
    case .string: try container.encode(string())
    case .number:
      let text = try numberText()
      if let integer = Int64(text) {
        try container.encode(integer)
      } else if let integer = UInt64(text) {
        try container.encode(integer)
      } else {
        try container.encode(double())
      }
    case .array: try container.encode(array().map { $0.value() })
    case .object:
      let members = try object().members.map { (try $0.name.string(), $0.value.value()) }
      try container.encode(Dictionary(members) { $1 })
    }
  }
}
