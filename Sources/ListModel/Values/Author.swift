/// Who wrote a commit: the app, a widget, a feed.
///
/// 1 to 64 bytes of UTF-8 without U+0000.
public struct Author: Hashable, Sendable, CustomStringConvertible, ExpressibleByStringLiteral {
  /// The name as it was given.
  public let name: String

  /// - Throws: ``FormatError`` if the name is empty, longer than 64 bytes or contains U+0000.
  public init(_ name: String) throws(FormatError) {
    guard (1...64).contains(name.utf8.count), !name.utf8.contains(0) else {
      throw FormatError("an author is 1 to 64 bytes of UTF-8 without U+0000")
    }
    self.name = name
  }

  /// Makes an author from a literal in code.
  ///
  /// - Precondition: The literal is a valid name.
  public init(stringLiteral value: String) {
    do { try self.init(value) } catch { preconditionFailure(error.description) }
  }

  /// The app itself.
  public static let app: Author = "app"
  /// A feed whose lines name no author.
  public static let feed: Author = "feed"

  /// Compares bytes of UTF-8.
  public static func == (lhs: Author, rhs: Author) -> Bool { lhs.name.hasSameBytes(as: rhs.name) }
  /// Hashes bytes of UTF-8.
  public func hash(into hasher: inout Hasher) { hasher.combine(bytesOf: name) }
  /// The name itself.
  public var description: String { name }
}
