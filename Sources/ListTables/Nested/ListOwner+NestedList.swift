public import ListModel
import StoreFiles

extension ListOwner {
  /// The id of the nested list.
  ///
  /// It depends on the owner alone, so it is the same in every store. It consists of U+001F, the
  /// word `nested`, the lengths in bytes of the list's and the item's ids, and the three names:
  /// `nested 5,4:shelf/emma/chapters`. Different owners have different ids. If it would be longer
  /// than 256 bytes, it is the SHA-256 of that text in hexadecimal instead, as `nested sha256:…`.
  ///
  /// These ids are reserved: a store refuses to make any other list with such an id.
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

  /// The owner that the id of a nested list names; `nil` for an id that is a hash, or of another
  /// list.
  package init?(ofNested list: ListID) {
    guard Self.isNested(list) else { return nil }
    let text = Array(list.rawValue.utf8.dropFirst(Self.prefix.utf8.count))
    guard let colon = text.firstIndex(of: UInt8(ascii: ":")) else { return nil }
    let counts = String(decoding: text[..<colon], as: UTF8.self).split(separator: ",")
      .compactMap { Int($0) }
    let names = text[(colon + 1)...]
    guard counts.count == 2, counts.allSatisfy({ (1...names.count).contains($0) }),
      counts[0] + counts[1] + 2 < names.count
    else { return nil }
    func name(_ bytes: ArraySlice<UInt8>) -> String { String(decoding: bytes, as: UTF8.self) }
    do {
      self.init(
        list: try ListID(name(names.prefix(counts[0]))),
        item: try ItemID(name(names.dropFirst(counts[0] + 1).prefix(counts[1]))),
        name: try NestedName(name(names.dropFirst(counts[0] + counts[1] + 2))))
    } catch { return nil }
    guard nestedList == list else { return nil }
  }

  /// The beginning of the ids of nested lists, and of no others.
  private static let prefix = "\u{1F}nested "

  /// Whether an id is one of a nested list.
  package static func isNested(_ list: ListID) -> Bool {
    list.rawValue.utf8.starts(with: prefix.utf8)
  }
}
