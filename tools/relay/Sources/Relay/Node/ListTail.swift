import FeedServing
import NIOCore

/// The last lines of a list.
struct ListTail {
  private var lines: [ServedLine] = []
  private var byteCount = 0
  private let mostBytes: Int
  /// The position that the first of the lines follows; `nil` if it is the first of the list.
  private var start: LinePosition?
  /// The last answer, which all who wait at one position share.
  private var lastAnswer: (after: Int, through: Int, bytes: ByteBuffer)?

  init(mostBytes: Int) { self.mostBytes = mostBytes }

  /// The end of the list; `nil` if it has no line.
  var end: LinePosition? { lines.last?.position ?? start }

  /// Begins with the lines after a position.
  mutating func begin(after position: LinePosition?) {
    forget()
    start = position
  }

  mutating func forget() {
    lines = []
    byteCount = 0
    start = nil
    lastAnswer = nil
  }

  mutating func append(_ line: ServedLine) {
    // What came before a snapshot of a later number is not what it follows.
    if let end, line.position.sequence != end.sequence + 1 { forget() }
    lines.append(line)
    byteCount += line.text.count
    lastAnswer = nil
    guard byteCount > 2 * mostBytes, lines.count > 1 else { return }
    var dropped = 0
    while byteCount > mostBytes, dropped < lines.count - 1 {
      byteCount -= lines[dropped].text.count
      dropped += 1
    }
    start = lines[dropped - 1].position
    lines.removeFirst(dropped)
  }

  /// Whether a position is in it.
  func contains(_ position: LinePosition) -> Bool {
    if position == start { return true }
    guard let first = lines.first else { return false }
    let index = position.sequence - first.position.sequence
    return lines.indices.contains(index) && lines[index].position == position
  }

  /// The lines after a number up to another, each with a line feed; `nil` if not all are here.
  mutating func bytes(after sequence: Int, through last: Int) -> ByteBuffer? {
    if let lastAnswer, lastAnswer.after == sequence, lastAnswer.through == last {
      return lastAnswer.bytes
    }
    guard let first = lines.first, sequence + 1 >= first.position.sequence,
      let end = lines.last?.position.sequence, last <= end
    else { return nil }
    let start = sequence + 1 - first.position.sequence
    let range = start..<max(start, last + 1 - first.position.sequence)
    var bytes = ByteBuffer()
    for line in lines[range] {
      bytes.writeBytes(line.text)
      bytes.writeInteger(UInt8(ascii: "\n"))
    }
    lastAnswer = (sequence, last, bytes)
    return bytes
  }
}
