public import Foundation
public import ListModel

extension JSON {
  /// Encodes a value as an item's content, its members sorted by name.
  ///
  /// - Parameters:
  ///   - value: What the item shows.
  ///   - encoder: How dates, data and names are written; sorted members are added to it.
  /// - Throws: What the encoder throws, or ``/ListModel/FormatError`` for a value that nests deeper
  ///   than 32 levels.
  public init(encoding value: some Encodable, with encoder: JSONEncoder = JSONEncoder()) throws {
    encoder.outputFormatting.insert(.sortedKeys)
    try self.init(parsing: String(decoding: encoder.encode(value), as: UTF8.self))
  }

  /// Decodes content.
  ///
  /// - Parameters:
  ///   - type: What the content was encoded from.
  ///   - decoder: How dates, data and names were written.
  /// - Returns: The value.
  /// - Throws: What the decoder throws.
  public func decoded<Value: Decodable>(
    as type: Value.Type = Value.self, with decoder: JSONDecoder = JSONDecoder()
  ) throws -> Value {
    try decoder.decode(type, from: Data(text.utf8))
  }
}
