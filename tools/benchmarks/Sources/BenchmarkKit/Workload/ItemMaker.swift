import BatchUpdates
import ListItems
import ListLayout
import ListModel
import ListStore
import ListSync
import Providers
import StoreSchema

/// Makes items that were never there before.
struct ItemMaker {
  private var made: UInt64 = 0

  /// An item whose id says nothing about when it was made.
  mutating func item() throws -> Item {
    made += 1
    return Item(
      id: try ItemID(Self.text(SeededGenerator.mix(made))), cell: "EpisodeCell",
      content: try content(version: 0))
  }

  /// A content unlike any other.
  mutating func content(version: Int) throws -> JSON {
    made += 1
    return try JSON(parsing: "{\"title\":\"Episode \(made)\",\"version\":\(version)}")
  }

  /// 20 characters, too long to be stored without an allocation.
  static func text(_ number: UInt64) -> String {
    let digits = Array("0123456789abcdefghijklmnopqrstuv".utf8)
    var rest = number
    var bytes = Array("episode".utf8)
    for _ in 0..<13 {
      bytes.append(digits[Int(rest & 31)])
      rest >>= 5
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}
