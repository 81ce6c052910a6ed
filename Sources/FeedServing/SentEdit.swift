public import ListModel
import ListTables

/// Changes to a list as a client sends them: a commit of a feed without `t` and `seq`.
public struct SentEdit: Sendable {
  /// The list.
  public let list: ListID
  /// The edit's id; `nil` if the sender does not mind that a copy is made twice.
  public let id: String?
  /// Who made it, as the sender says.
  public let author: Author?
  /// When it was made, in milliseconds since 1970, as the sender says.
  public let time: Int?
  /// About how many bytes it has.
  public let byteCount: Int
  let changes: [EditedChange]

  /// The most bytes of an id.
  public static let maximumIDByteCount = 256
  /// The most operations.
  static let maximumChangeCount = 100_000

  /// Reads an edit: one JSON object of `list`, `at`, `by`, `edit` and `ops`.
  ///
  /// - Parameters:
  ///   - body: The object; unknown members are ignored.
  ///   - list: The list that it is about where it names none.
  /// - Throws: `FormatError` with the place of what is wrong.
  /// - Complexity: O(*n*), *n* bytes.
  public init(parsing body: [UInt8], about list: ListID? = nil) throws(FormatError) {
    let object = try JSONNode(parsing: body).object()
    if let list {
      self.list = try object.optional("list") ?? list
    } else {
      self.list = try object.required("list")
    }
    id = try object.optional("edit")
    author = try object.optional("by")
    time = try object.optional("at")
    byteCount = body.count
    try self.list.requireServable()
    if let id, !(1...Self.maximumIDByteCount).contains(id.utf8.count) || id.utf8.contains(0) {
      throw FormatError(
        "an edit's id has 1 to \(Self.maximumIDByteCount) bytes without U+0000", at: "edit")
    }
    let operations = try object.required("ops")
    var changes: [EditedChange] = []
    do throws(FormatError) {
      for (index, operation) in try operations.elements().enumerated() {
        guard index < Self.maximumChangeCount else {
          throw FormatError(
            "more than \(Self.maximumChangeCount) operations", isBeyondLimit: true)
        }
        do throws(FormatError) { changes.append(try EditedChange(operation)) } catch {
          throw error.inside("[\(index)]")
        }
      }
    } catch { throw error.inside("ops") }
    self.changes = changes
  }
}

extension ListID {
  /// Refuses an id that is reserved for the list of an item.
  func requireServable() throws(FormatError) {
    guard !ListOwner.isNested(self) else {
      throw FormatError(
        "\(ShownText.quoted(rawValue)) is reserved for a list that an item owns", at: "list")
    }
  }
}

/// Why an edit is refused: a sentence for its author.
public struct EditRefusal: Error, Hashable, Sendable, CustomStringConvertible {
  /// The reason.
  public let why: String

  /// A refusal.
  public init(why: String) { self.why = why }

  /// The reason.
  public var description: String { why }
}
