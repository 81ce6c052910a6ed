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

  /// Decodes the value of a member of an object; `nil` if the object has no such member.
  ///
  /// - Throws: ``/ListModel/FormatError`` if this is not an object, or has two members of the name;
  ///   or what the decoder throws.
  public func value<Value: Decodable>(
    of name: String, as type: Value.Type = Value.self
  ) throws -> Value? {
    try member(name)?.decoded(as: type)
  }

  /// Sets a member of an object to what a value encodes; a new one comes last.
  ///
  /// - Throws: ``/ListModel/FormatError``, as for a value that is JSON already; or what the encoder
  ///   throws. Nothing is changed then.
  public mutating func set(_ name: String, to value: some Encodable) throws {
    try set(name, to: JSON(encoding: value))
  }
}
