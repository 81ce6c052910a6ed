import Foundation
import StoreSchema

/// Where the command's words go: facts to standard output, the rest to standard error.
enum Output {
  /// Writes a line of facts.
  static func line(_ text: String) throws {
    do {
      try FileHandle.standardOutput.write(contentsOf: Data((text + "\n").utf8))
    } catch {
      throw StoreError(
        .notWritable, "can't write to standard output: \(error.localizedDescription)", cause: error)
    }
  }

  /// Writes a line about what is going on.
  static func note(_ text: String) {
    // There is nowhere left to report to if this fails.
    try? FileHandle.standardError.write(contentsOf: Data((text + "\n").utf8))
  }

  /// A value as indented JSON with sorted members.
  static func json(_ value: some Encodable) throws -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    return String(decoding: try encoder.encode(value), as: UTF8.self)
  }

  /// Text from a file that must not drive the terminal: control characters are shown as escapes.
  static func plain(_ text: String) -> String {
    var plain = ""
    for scalar in text.unicodeScalars {
      switch scalar.properties.generalCategory {
      case .control, .format, .lineSeparator, .paragraphSeparator:
        plain += "\\u{\(String(scalar.value, radix: 16))}"
      default: plain.unicodeScalars.append(scalar)
      }
    }
    return plain
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
    try? FileHandle.standardError.write(contentsOf: Data("\r\u{1B}[K\(text())".utf8))
  }

  /// Takes the line away.
  mutating func clear() {
    guard hasText else { return }
    hasText = false
    try? FileHandle.standardError.write(contentsOf: Data("\r\u{1B}[K".utf8))
  }
}

/// A file that grows line by line.
final class LineWriter {
  private let handle: FileHandle
  private let name: String
  private var buffer = Data()

  /// Opens a file for writing, from its start; `-` is standard output.
  init(_ path: String) throws {
    name = path
    if path == "-" {
      handle = .standardOutput
      return
    }
    do {
      let file = URL(fileURLWithPath: path)
      try Data().write(to: file)
      handle = try FileHandle(forWritingTo: file)
    } catch {
      throw StoreError(
        .notWritable, "can't be written: \(error.localizedDescription)", file: path, cause: error)
    }
  }

  func write(_ line: String) throws {
    buffer.append(contentsOf: line.utf8)
    buffer.append(UInt8(ascii: "\n"))
    if buffer.count > 1 << 16 { try flush() }
  }

  func flush() throws {
    do {
      try handle.write(contentsOf: buffer)
      buffer.removeAll(keepingCapacity: true)
    } catch {
      throw StoreError(
        .notWritable, "can't be written: \(error.localizedDescription)", file: name, cause: error)
    }
  }
}

/// A whole file, or standard input for `-`.
func readInput(_ path: String) throws -> [UInt8] {
  do {
    if path == "-" { return [UInt8](try FileHandle.standardInput.readToEnd() ?? Data()) }
    return [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
  } catch {
    guard FileManager.default.fileExists(atPath: path) || path == "-" else {
      throw StoreError.fileNotFound(path)
    }
    throw StoreError(
      .notReadable, "can't be read: \(error.localizedDescription)", file: path, cause: error)
  }
}
