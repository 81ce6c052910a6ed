public import ListModel
import StoreSchema

/// Whose list a nested one is: an item of another list, under a name.
public struct ListOwner: Hashable, Sendable {
  /// The list that has the item; it may be a nested one itself.
  public let list: ListID
  /// The item.
  public let item: ItemID
  /// What the item calls the list.
  public let name: NestedName

  /// An owner.
  public init(list: ListID, item: ItemID, name: NestedName) {
    self.list = list
    self.item = item
    self.name = name
  }

  /// The id of the nested list, the same everywhere and for ever.
  ///
  /// U+001F, the word `nested`, the lengths in bytes of the list's and the item's ids, then the three
  /// names: `nested 5,4:shelf/emma/chapters`. So different owners give different ids. Where that is
  /// longer than 256 bytes, its SHA-256 in hexadecimal stands in its place, as `nested sha256:…`.
  ///
  /// No list of another kind has such an id: a store refuses to make one.
  public var nestedList: ListID {
    let (listCount, itemCount) = (list.rawValue.utf8.count, item.rawValue.utf8.count)
    let text =
      Self.prefix + "\(listCount),\(itemCount):" + list.rawValue + "/" + item.rawValue + "/"
      + name.rawValue
    do {
      return try ListID(
        text.utf8.count <= ListID.maximumByteCount
          ? text : Self.prefix + "sha256:" + Digest.sha256Hexadecimal(Array(text.utf8)))
    } catch {
      preconditionFailure("made of identifiers, and not too long: \(error)")
    }
  }

  /// What the ids of nested lists begin with, and no others.
  private static let prefix = "\u{1F}nested "

  /// Whether an id is one of a nested list.
  static func isNested(_ list: ListID) -> Bool { list.rawValue.utf8.starts(with: prefix.utf8) }
}
