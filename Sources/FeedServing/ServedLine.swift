public import ListModel
import ListSync

/// A line of a list's log, checked: a commit or a snapshot.
public struct ServedLine: Sendable {
  /// The list.
  public let list: ListID
  /// The line's number and hash.
  public let position: LinePosition
  /// Whether the line holds the whole list.
  public let isSnapshot: Bool
  /// The id of the edit that the line answers; `nil` if it answers none.
  public let edit: String?
  /// The line as JSON without white space between its parts, and without a line feed.
  public let text: [UInt8]
  /// Who made it.
  public let author: Author
  /// The time of the commit, in milliseconds since 1970; `nil` if the line names none.
  public let time: Int?
  let content: FeedMessage.Content

  /// Reads a line; `nil` for one that is no commit and no snapshot.
  ///
  /// - Parameter text: One JSON object, as the article "The feed format" of `ListSync` describes it.
  /// - Throws: `FormatError` with the place of what is wrong.
  /// - Complexity: O(*n*), *n* bytes.
  public init?(parsing text: [UInt8]) throws(FormatError) {
    guard text.count <= FeedLines.maximumByteCount else {
      throw FormatError("the line is longer than 16 MiB", isBeyondLimit: true)
    }
    guard let message = try FeedMessage(parsing: text) else { return nil }
    switch message.content {
    case .commit, .snapshot: break
    case .reset, .rejection: return nil
    }
    try message.list.requireServable()
    let isMinified = message.isMinified
    self.text =
      isMinified ? text : Array(try JSON(parsing: String(decoding: text, as: UTF8.self)).text.utf8)
    position = LinePosition(message.sequence, of: self.text)
    list = message.list
    isSnapshot = message.isSnapshot
    edit = message.edit
    content = message.content
    author = message.author
    time = message.time
  }

  /// A line that was just written.
  init(
    _ text: [UInt8], _ list: ListID, _ sequence: Int, edit: String? = nil,
    _ content: FeedMessage.Content, by author: Author, time: Int?
  ) throws(EditRefusal) {
    guard text.count <= FeedLines.maximumByteCount else {
      throw EditRefusal(
        why: "the line would have \(text.count) bytes, and a line has at most 16 MiB")
    }
    let levelCount = JSON.levelCount(of: text)
    guard levelCount <= FeedLines.maximumLevelCount else {
      throw EditRefusal(
        why: "the line would nest \(levelCount) levels deep, and a line has at most "
          + "\(FeedLines.maximumLevelCount)")
    }
    self.text = text
    self.list = list
    self.edit = edit
    self.content = content
    self.author = author
    self.time = time
    position = LinePosition(sequence, of: text)
    isSnapshot = if case .snapshot = content { true } else { false }
  }
}
