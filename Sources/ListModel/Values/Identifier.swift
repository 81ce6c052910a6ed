/// An id or a name of one kind: of a list, a section, an item, a cell and so on.
///
/// It has 1 to 256 bytes of UTF-8 without U+0000. Two identifiers are equal if their **bytes** are
/// equal. `String` also treats canonically equivalent texts as equal, such as `é` as one scalar and
/// as two. A store that did so would lose one of two items that a server tells apart.
public struct Identifier<Tag: IdentifierTag>: Sendable {
  /// The text, exactly as it was given.
  public let rawValue: String

  /// The longest identifier, in bytes of UTF-8.
  public static var maximumByteCount: Int { 256 }

  /// Checks text from anywhere and makes an identifier of it.
  ///
  /// - Throws: ``FormatError`` if `rawValue` is empty, longer than 256 bytes or contains U+0000, or if it is
  ///   the name of a cell that is reserved: ``Gap/cell`` alone begins with `#`.
  public init(_ rawValue: String) throws(FormatError) {
    let count = rawValue.utf8.count
    guard count > 0 else { throw FormatError("\(Tag.noun) is empty; give it 1 to 256 bytes") }
    guard count <= Self.maximumByteCount else {
      throw FormatError("\(Tag.noun) is \(count) bytes long; the limit is 256 bytes")
    }
    guard !rawValue.utf8.contains(0) else {
      throw FormatError("\(Tag.noun) contains U+0000, which SQLite would cut it at")
    }
    if Tag.self == IdentifierTags.Cell.self, rawValue.utf8.first == UInt8(ascii: "#") {
      guard rawValue == "#gap" else {
        throw FormatError(
          "\(Tag.noun) \(ShownText.quoted(rawValue)) begins with #: such names are reserved, and only "
            + "#gap has a meaning")
      }
    }
    self.rawValue = rawValue
  }

  private init(checked rawValue: String) { self.rawValue = rawValue }
}

extension Identifier where Tag == IdentifierTags.List {
  /// The id of a list that a store has for another one's sake, and nobody sees: it begins with U+0000, as
  /// no id from anywhere else does.
  ///
  /// - Precondition: `name` has 1 to 255 bytes without U+0000.
  package init(hidden name: String) {
    precondition(1...255 ~= name.utf8.count && !name.utf8.contains(0), "a hidden id is too long")
    self.init(checked: "\0" + name)
  }

  /// Makes an id of text that a store has: those of hidden lists are among them.
  ///
  /// - Throws: ``FormatError`` if it is neither a valid identifier nor one of a hidden list.
  package init(stored text: String) throws(FormatError) {
    guard Self.isHidden(text) else {
      try self.init(text)
      return
    }
    let name = try Self(String(Substring(text.unicodeScalars.dropFirst())))
    guard name.rawValue.utf8.count < Self.maximumByteCount else {
      throw FormatError("\(Tag.noun) is longer than the limit of 256 bytes")
    }
    self.init(checked: text)
  }

  /// Whether nobody sees the list.
  package var isHidden: Bool { Self.isHidden(rawValue) }

  /// Whether nobody sees the list of an id that a store has.
  package static func isHidden(_ stored: String) -> Bool { stored.utf8.first == 0 }
}

extension Identifier: Codable {
  /// Reads the text.
  ///
  /// - Throws: `DecodingError` if the text is not a valid identifier.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    let text = try container.decode(String.self)
    do { try self.init(text) } catch {
      throw DecodingError.dataCorruptedError(in: container, debugDescription: "\(error)")
    }
  }

  /// Writes the text.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(rawValue)
  }
}

/// The kind of an ``Identifier``, so that a section's id can't be passed for an item's.
public protocol IdentifierTag: Sendable {
  /// The kind's name in error messages.
  static var noun: String { get }
}

/// The tags of ``Identifier``.
public enum IdentifierTags {
  /// Tags ``ListID``.
  public enum List: IdentifierTag {
    /// "list id".
    public static var noun: String { "list id" }
  }
  /// Tags ``SectionID``.
  public enum Section: IdentifierTag {
    /// "section id".
    public static var noun: String { "section id" }
  }
  /// Tags ``ItemID``.
  public enum Item: IdentifierTag {
    /// "item id".
    public static var noun: String { "item id" }
  }
  /// Tags ``CellName``.
  public enum Cell: IdentifierTag {
    /// "cell name".
    public static var noun: String { "cell name" }
  }
  /// Tags ``ViewName``.
  public enum View: IdentifierTag {
    /// "view name".
    public static var noun: String { "view name" }
  }
  /// Tags ``Supplementary/Kind``.
  public enum SupplementaryKind: IdentifierTag {
    /// "supplementary kind".
    public static var noun: String { "supplementary kind" }
  }
  /// Tags ``TypeName``.
  public enum ItemType: IdentifierTag {
    /// "item type".
    public static var noun: String { "item type" }
  }
}

/// The id of a list; unique in its store.
public typealias ListID = Identifier<IdentifierTags.List>
/// The id of a section; unique in its list.
public typealias SectionID = Identifier<IdentifierTags.Section>
/// The id of an item; unique in its whole list, not only in its section.
public typealias ItemID = Identifier<IdentifierTags.Item>
/// The stable name stored for a cell class, not the name of a class.
public typealias CellName = Identifier<IdentifierTags.Cell>
/// The stable name stored for a supplementary view.
public typealias ViewName = Identifier<IdentifierTags.View>
/// The stable name of the Swift type that an item's content decodes to.
public typealias TypeName = Identifier<IdentifierTags.ItemType>

extension Identifier: Hashable {
  /// Compares bytes of UTF-8.
  public static func == (lhs: Self, rhs: Self) -> Bool {
    lhs.rawValue.hasSameBytes(as: rhs.rawValue)
  }

  /// Hashes bytes of UTF-8.
  public func hash(into hasher: inout Hasher) { hasher.combine(bytesOf: rawValue) }
}

extension Identifier: Comparable {
  /// Orders by bytes, as SQLite's `BINARY` collation does.
  public static func < (lhs: Self, rhs: Self) -> Bool {
    lhs.rawValue.utf8.lexicographicallyPrecedes(rhs.rawValue.utf8)
  }
}

extension Identifier: CustomStringConvertible {
  /// The text itself.
  public var description: String { rawValue }
}

extension Identifier: ExpressibleByStringLiteral {
  /// Makes an identifier from a literal in code.
  ///
  /// - Precondition: The literal is a valid identifier.
  public init(stringLiteral value: String) {
    do { try self.init(value) } catch { preconditionFailure(error.description) }
  }
}

extension String {
  /// Whether both texts have the same bytes of UTF-8.
  func hasSameBytes(as other: String) -> Bool {
    let fast = utf8.withContiguousStorageIfAvailable { lhs in
      other.utf8.withContiguousStorageIfAvailable { rhs in
        UnsafeRawBufferPointer(lhs).hasSameBytes(as: UnsafeRawBufferPointer(rhs))
      }
    }
    if let same = fast ?? nil { return same }
    return utf8.elementsEqual(other.utf8)
  }
}

extension UnsafeRawBufferPointer {
  /// Compares 8 bytes at a time, where `elementsEqual` compares one.
  func hasSameBytes(as other: UnsafeRawBufferPointer) -> Bool {
    guard count == other.count else { return false }
    var offset = 0
    while offset + 8 <= count {
      let word = loadUnaligned(fromByteOffset: offset, as: UInt64.self)
      if word != other.loadUnaligned(fromByteOffset: offset, as: UInt64.self) { return false }
      offset += 8
    }
    while offset < count {
      if self[offset] != other[offset] { return false }
      offset += 1
    }
    return true
  }
}

extension Hasher {
  /// Hashes the bytes of UTF-8, so that texts of equal bytes have equal hashes.
  mutating func combine(bytesOf text: String) {
    let done: Void? = text.utf8.withContiguousStorageIfAvailable {
      combine(bytes: UnsafeRawBufferPointer($0))
    }
    if done == nil { for byte in text.utf8 { combine(byte) } }
  }
}
