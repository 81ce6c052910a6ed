import Foundation
import TestSupport
import Testing

/// A program that runs in a terminal which the test plays.
final class Pseudoterminal {
  let process = Process()
  private let keyboard: Int32
  private let line: Int32
  private(set) var width: Int
  private(set) var height: Int
  /// Everything that the program has written.
  private(set) var output: [UInt8] = []
  private var state = termios()

  /// Starts `cellar`.
  init(
    _ arguments: [String], width: Int, height: Int, environment: [String: String] = [:],
    in folder: URL
  ) throws {
    (self.width, self.height) = (width, height)
    var (keyboard, line) = (CInt(-1), CInt(-1))
    try #require(openpty(&keyboard, &line, nil, nil, nil) == 0)
    (self.keyboard, self.line) = (keyboard, line)
    // No other program that a test starts may hold it open.
    for end in [keyboard, line] { try #require(fcntl(end, F_SETFD, FD_CLOEXEC) == 0) }
    try #require(tcgetattr(line, &state) == 0)
    process.executableURL = BuiltProducts.program("cellar")
    process.arguments = arguments
    process.currentDirectoryURL = folder
    process.environment = ProcessInfo.processInfo.environment.merging(
      ["TERM": "xterm", "NO_COLOR": ""].merging(environment) { _, new in new }
    ) { _, new in new }
    let handle = FileHandle(fileDescriptor: line)
    (process.standardInput, process.standardOutput) = (handle, handle)
    process.standardError = FileHandle.nullDevice
    try setSize(width, height)
    try process.run()
  }

  deinit {
    if process.isRunning { kill(process.processIdentifier, SIGKILL) }
    close(keyboard)
    close(line)
  }

  private func setSize(_ width: Int, _ height: Int) throws {
    var size = winsize(
      ws_row: UInt16(height), ws_col: UInt16(width), ws_xpixel: 0, ws_ypixel: 0)
    try #require(ioctl(keyboard, UInt(TIOCSWINSZ), &size) == 0)
    (self.width, self.height) = (width, height)
  }

  /// Gives the terminal another size.
  ///
  /// It is no session's, so the system tells nobody.
  func resize(to width: Int, _ height: Int) throws {
    try setSize(width, height)
    kill(process.processIdentifier, SIGWINCH)
  }

  /// Whether the terminal is as it was before the program.
  var isAsBefore: Bool {
    var now = termios()
    return tcgetattr(line, &now) == 0 && now.c_lflag == state.c_lflag
      && now.c_iflag == state.c_iflag && now.c_oflag == state.c_oflag
  }

  func press(_ keys: String) {
    let bytes = Array(keys.utf8)
    #expect(write(keyboard, bytes, bytes.count) == bytes.count)
  }

  /// Waits until the screen shows a text.
  ///
  /// - Returns: The lines of the screen.
  @discardableResult
  func wait(
    for text: String, sourceLocation: SourceLocation = #_sourceLocation
  ) throws -> [String] {
    var lines: [String] = []
    let isThere = try waitUntil {
      lines = screen
      return lines.joined(separator: "\n").contains(text)
    }
    try #require(
      isThere, "no \(text) in:\n\(lines.joined(separator: "\n"))", sourceLocation: sourceLocation)
    return lines
  }

  /// Waits for the end of the program.
  func waitForExit(sourceLocation: SourceLocation = #_sourceLocation) throws {
    let hasEnded = try waitUntil { !process.isRunning }
    try #require(hasEnded, "it goes on", sourceLocation: sourceLocation)
    process.waitUntilExit()
    _ = read(milliseconds: 100)
  }

  /// Reads until a condition holds, for half a minute at most.
  private func waitUntil(_ isDone: () -> Bool) throws -> Bool {
    let end = Date() + 30
    while !isDone() {
      if Date() > end { return false }
      _ = read(milliseconds: 20)
    }
    return true
  }

  private func read(milliseconds: Int32) -> Bool {
    var polled = pollfd(fd: keyboard, events: Int16(POLLIN), revents: 0)
    guard poll(&polled, 1, milliseconds) > 0 else { return false }
    var bytes = [UInt8](repeating: 0, count: 4_096)
    let count = Foundation.read(keyboard, &bytes, bytes.count)
    guard count > 0 else { return false }
    output += bytes[..<count]
    return true
  }

  /// The lines of the screen, as far as whole sequences tell; without the spaces at their ends.
  var screen: [String] {
    var lines = Array(repeating: "", count: height)
    var row = 0
    for part in String(decoding: output, as: UTF8.self).split(separator: "\u{1B}[").dropFirst() {
      guard let end = part.firstIndex(where: { $0.isLetter }) else { continue }
      let text = part[part.index(after: end)...]
      switch part[end] {
      // A line begins at its first column, and is written as a whole.
      case "H":
        row = (part.split(separator: ";").first.flatMap { Int($0) } ?? 1) - 1
        if lines.indices.contains(row) { lines[row] = "" }
      case "J": lines = Array(repeating: "", count: height)
      default: break
      }
      if lines.indices.contains(row) { lines[row] += text }
    }
    return lines.map { line in
      String(line.reversed().drop { $0 == " " || $0 == "\r\n" || $0 == "\n" }.reversed())
    }
  }
}
