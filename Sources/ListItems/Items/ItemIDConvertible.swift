public import Foundation
public import ListModel

/// A type of which the ``/ListModel/ItemID`` of a ``ListItem`` can be made: `String`, an integer,
/// `UUID`, or a type of the app.
///
/// A type that is a `LosslessStringConvertible` needs nothing more:
///
/// ```swift
/// struct ISBN: LosslessStringConvertible, ItemIDConvertible { … }
/// ```
///
/// A `UUID` is stored in upper case, as Foundation writes it. A server that sends items of such a type
/// has to write their ids so, too.
public protocol ItemIDConvertible: Hashable, Codable, Sendable {
  /// The text of the id: 1 to 256 bytes of UTF-8. Equal values have the same.
  var itemIDText: String { get }

  /// The value of an id; `nil` if it is not the text of one.
  ///
  /// No initialiser: `Int.init` would become ambiguous in every app.
  static func value(ofItemIDText text: String) -> Self?
}

extension ItemIDConvertible where Self: LosslessStringConvertible {
  /// The description.
  public var itemIDText: String { description }

  /// The value with a description.
  public static func value(ofItemIDText text: String) -> Self? { Self(text) }
}

extension String: ItemIDConvertible {}
extension Int: ItemIDConvertible {}
extension Int64: ItemIDConvertible {}
extension UInt64: ItemIDConvertible {}

extension UUID: ItemIDConvertible {
  /// The `uuidString`, in upper case.
  public var itemIDText: String { uuidString }

  /// The UUID of a `uuidString`.
  public static func value(ofItemIDText text: String) -> Self? { UUID(uuidString: text) }
}

extension ListItem {
  /// The id of the item that the value is.
  ///
  /// - Throws: ``/ListModel/FormatError`` if the text of ``id`` is empty, longer than 256 bytes or
  ///   contains U+0000.
  public var itemID: ItemID { get throws(FormatError) { try ItemID(id.itemIDText) } }

  /// Whether the value is that of an item.
  package func isValue(of item: ItemID) -> Bool {
    id.itemIDText == item.rawValue || ID.value(ofItemIDText: item.rawValue) == id
  }

  /// The id of an item as contents have it.
  static func content(ofID item: ItemID) -> JSON {
    let text = JSON(string: item.rawValue)
    guard ID.self != String.self, let id = ID.value(ofItemIDText: item.rawValue) else {
      return text
    }
    // What can't be encoded can't be decoded either, which says what is wrong.
    do { return try JSON(encoding: id) } catch { return text }
  }
}
