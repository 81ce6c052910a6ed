import Foundation
import ListModel
import StoreFiles

/// Where the command's words go: facts to standard output, the rest to standard error.
///
/// Names and files are people's data: all of it goes through ``ShownText``, a line at a time, so
/// that none can drive a terminal or forge a line.
enum Output {
  /// Writes lines of facts for people.
  static func lines(_ lines: [String]) throws(StoreError) {
    try write(lines.map(ShownText.line).joined(separator: "\n"))
  }

  /// Writes rows of facts for people, with tabs between the columns.
  static func rows(_ rows: [[String]]) throws(StoreError) {
    // Tabs of the values are escaped: a value can't pretend to be two.
    try write(
      rows.map { $0.map(ShownText.line).joined(separator: "\t") }.joined(separator: "\n"))
  }

  /// Writes rows as RFC 4180 has them: a field with a comma, a quote or a line end stands in quotes.
  ///
  /// A terminal gets fields with escapes, since a program is to get them as they are.
  static func csv(_ rows: [[String]]) throws(StoreError) {
    let isShown = isatty(SystemFile.standardOutput.descriptor) == 1
    try write(
      rows.map { row in
        row.map { field in
          let field = isShown ? ShownText.line(field) : field
          let isPlain = !field.utf8.contains { [0x22, 0x2C, 0x0A, 0x0D].contains($0) }
          return isPlain ? field : "\"" + field.replacing("\"", with: "\"\"") + "\""
        }.joined(separator: ",") + "\r"
      }.joined(separator: "\n"))
  }

  /// Writes a line of facts for people.
  static func line(_ text: String) throws(StoreError) { try lines([text]) }

  /// Writes JSON.
  static func json(_ text: String) throws(StoreError) { try write(ShownText.json(text)) }

  /// Writes a part of JSON, which ends between two values.
  static func part(ofJSON text: String) throws(StoreError) {
    try write(ShownText.json(text), end: "")
  }

  private static func write(_ text: String, end: String = "\n") throws(StoreError) {
    let failure = SystemFile.standardOutput.put(Array((text + end).utf8)).errorNumber
    guard let failure else { return }
    throw StoreError(writing: "standard output", failed: failure)
  }

  /// Writes lines about what is going on.
  static func notes(_ lines: [String]) {
    let text = lines.map(ShownText.line).joined(separator: "\n") + "\n"
    // There is nowhere left to report to if this fails.
    _ = SystemFile.standardError.put(Array(text.utf8))
  }

  /// Writes a line about what is going on.
  static func note(_ text: String) { notes([text]) }

  /// Writes JSON about what is going on.
  static func note(json: String) {
    _ = SystemFile.standardError.put(Array((ShownText.json(json) + "\n").utf8))
  }

  /// A value as indented JSON with sorted members.
  static func json(of value: some Encodable) throws -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    return String(decoding: try encoder.encode(value), as: UTF8.self)
  }

  /// A value as JSON on one line, with sorted members.
  static func jsonLine(of value: some Encodable) throws -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    return String(decoding: try encoder.encode(value), as: UTF8.self)
  }

  /// A time in milliseconds since 1970, in UTC.
  static func date(_ milliseconds: Int) -> String {
    Date(timeIntervalSince1970: Double(milliseconds) / 1_000).formatted(.iso8601)
  }

  /// A time in milliseconds since 1970 as ISO 8601, with the milliseconds.
  static func time(_ milliseconds: Int) -> String {
    Date(timeIntervalSince1970: Double(milliseconds) / 1_000)
      .formatted(Date.ISO8601FormatStyle(includingFractionalSeconds: true))
  }

  /// "1 commit", "2 commits".
  static func count(_ number: Int, _ noun: String) -> String {
    "\(number) \(noun)\(number == 1 ? "" : "s")"
  }
}

/// A line on a terminal that says how far a long command is; silent where nobody watches.
struct ProgressLine {
  private let isShown = isatty(FileHandle.standardError.fileDescriptor) == 1
  private var lastShown = Date.distantPast
  private var hasText = false

  /// Shows a text in place of the one before, at most ten times a second.
  mutating func show(_ text: @autoclosure () -> String) {
    guard isShown, Date().timeIntervalSince(lastShown) > 0.1 else { return }
    lastShown = Date()
    hasText = true
    _ = SystemFile.standardError.put(Array("\r\u{1B}[K\(ShownText.line(text()))".utf8))
  }

  /// Takes the line away.
  mutating func clear() {
    guard hasText else { return }
    hasText = false
    _ = SystemFile.standardError.put(Array("\r\u{1B}[K".utf8))
  }
}

extension StoreError {
  /// A file, a pipe or a device that can't be written.
  init(writing name: String, failed number: Int32) {
    let isFull = number == ENOSPC || number == EDQUOT
    self.init(
      isFull ? .storeFull : .notWritable,
      "\(name) can't be written: \(StoreError.reason(errorNumber: number))"
        + (isFull ? "; free some room, then try again" : ""))
  }

  /// A file that can't be read.
  init(reading path: String, failed number: Int32) {
    self =
      number == ENOENT
      ? .fileNotFound(path)
      : StoreError(
        .notReadable, "can't be read: \(StoreError.reason(errorNumber: number))", file: path)
  }
}

extension String {
  /// The text with spaces before it, up to a width.
  func leftPadded(to width: Int) -> String {
    String(repeating: " ", count: max(0, width - count)) + self
  }

  /// The text with spaces after it, up to a width.
  func padded(to width: Int) -> String {
    self + String(repeating: " ", count: max(1, width - count))
  }
}
