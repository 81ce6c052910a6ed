public import Foundation
public import ListModel

extension JSON {
  /// Encodes a value, with sorted keys.
  ///
  /// - Parameters:
  ///   - value: The value.
  ///   - encoder: The encoder; its output formatting gets sorted keys.
  /// - Throws: What the encoder throws, or ``/ListModel/FormatError`` for a value that nests deeper
  ///   than 32 levels.
  public init(encoding value: some Encodable, with encoder: JSONEncoder = JSONEncoder()) throws {
    encoder.outputFormatting.insert(.sortedKeys)
    try self.init(parsing: String(decoding: encoder.encode(value), as: UTF8.self))
  }

  /// Decodes a value.
  ///
  /// - Parameters:
  ///   - type: The type of the value.
  ///   - decoder: The decoder.
  /// - Returns: The value.
  /// - Throws: What the decoder throws.
  public func decoded<Value: Decodable>(
    as type: Value.Type = Value.self, with decoder: JSONDecoder = JSONDecoder()
  ) throws -> Value {
    try decoder.decode(type, from: Data(text.utf8))
  }
}
