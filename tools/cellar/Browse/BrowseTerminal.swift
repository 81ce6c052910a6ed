import Dispatch
import Foundation
import ListModel

/// The terminal while the browser has it: raw, with a screen of its own.
///
/// Signals that would end the process come as events, so that the terminal and the private copy of
/// the store are tidied up first.
final class BrowseTerminal {
  enum Event {
    case bytes([UInt8])
    /// Nothing came for as long as was waited.
    case quiet
    case resized
    /// The terminal is gone.
    case ended
    case signal(Int32)
  }

  private let before: termios
  private let signals: (read: Int32, write: Int32)
  private var sources: [any DispatchSourceSignal] = []
  private let hasColor: Bool
  private var isClosed = false

  private static let input: Int32 = 0
  private static let output: Int32 = 1
  private static let handled = [SIGINT, SIGTERM, SIGHUP, SIGWINCH]

  /// Whether there is a terminal that can show pages.
  static var isThere: Bool {
    isatty(input) == 1 && isatty(output) == 1
      && ProcessInfo.processInfo.environment["TERM"] != "dumb"
  }

  /// Takes the terminal.
  ///
  /// - Throws: `StoreError` if it can't be taken; it is then as it was.
  init() throws(StoreError) {
    var state = termios()
    var ends: [Int32] = [0, 0]
    guard tcgetattr(Self.input, &state) == 0, pipe(&ends) == 0 else {
      throw StoreError(writing: "the terminal", failed: errno)
    }
    before = state
    signals = (ends[0], ends[1])
    let color = ProcessInfo.processInfo.environment["NO_COLOR"] ?? ""
    hasColor = color.isEmpty
    for number in Self.handled { listen(to: number) }
    cfmakeraw(&state)
    // Keys that were typed ahead count.
    guard tcsetattr(Self.input, TCSADRAIN, &state) == 0 else {
      let number = errno
      close()
      throw StoreError(writing: "the terminal", failed: number)
    }
    // The other screen; long lines are cut, not broken.
    try write("\u{1B}[?1049h\u{1B}[?7l\u{1B}[?25l\u{1B}[2J")
  }

  deinit { close() }

  /// Gives the terminal back as it was.
  func close() {
    if isClosed { return }
    isClosed = true
    // If this fails, there is no terminal left.
    try? write("\u{1B}[0m\u{1B}[?25h\u{1B}[?7h\u{1B}[?1049l")
    var state = before
    tcsetattr(Self.input, TCSAFLUSH, &state)
    for source in sources { source.cancel() }
    for number in Self.handled { signal(number, SIG_DFL) }
    // The pipe stays open: a signal may be on its way to it.
  }

  /// Makes a signal a byte in a pipe, which is waited for like a key.
  private func listen(to number: Int32) {
    signal(number, SIG_IGN)
    let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
    let pipe = SystemFile(descriptor: signals.write)
    source.setEventHandler { _ = pipe.put([UInt8(number)]) }
    source.resume()
    sources.append(source)
  }

  // MARK: Input

  /// The size in characters.
  var size: BrowseScreen {
    var size = winsize()
    guard ioctl(Self.output, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0, size.ws_row > 0 else {
      return BrowseScreen(width: 80, height: 24)
    }
    return BrowseScreen(width: Int(size.ws_col), height: Int(size.ws_row))
  }

  /// Waits for a key or a signal; without a limit if there is no time.
  func wait(milliseconds: Int32 = -1) -> Event {
    var polled = [Self.input, signals.read].map {
      pollfd(fd: $0, events: Int16(POLLIN), revents: 0)
    }
    let count = poll(&polled, nfds_t(polled.count), milliseconds)
    if count == 0 { return .quiet }
    // A signal that no source handles.
    guard count > 0 else { return errno == EINTR ? .quiet : .ended }
    if polled[1].revents != 0, let number = Self.read(signals.read, atMost: 1).first {
      return Int32(number) == SIGWINCH ? .resized : .signal(Int32(number))
    }
    let bytes = Self.read(Self.input, atMost: 1_024)
    return bytes.isEmpty ? .ended : .bytes(bytes)
  }

  private static func read(_ descriptor: Int32, atMost limit: Int) -> [UInt8] {
    [UInt8](unsafeUninitializedCapacity: limit) { buffer, count in
      count = max(0, Foundation.read(descriptor, buffer.baseAddress, limit))
    }
  }

  // MARK: Output

  /// Shows lines from the top of the screen.
  func draw(_ lines: [BrowseScreen.Line]) throws(StoreError) {
    var text = ""
    for (index, line) in lines.enumerated() {
      text +=
        "\u{1B}[\(index + 1);1H\u{1B}[0m" + style(line.style) + line.text + "\u{1B}[0m\u{1B}[K"
    }
    try write(text)
  }

  private func style(_ style: BrowseScreen.Style) -> String {
    switch style {
    case .plain: ""
    case .title: "\u{1B}[1m"
    case .heading: "\u{1B}[4m"
    case .chosen: "\u{1B}[7m"
    case .warning: hasColor ? "\u{1B}[31m" : "\u{1B}[1m"
    case .dim: hasColor ? "\u{1B}[36m" : ""
    }
  }

  private func write(_ text: String) throws(StoreError) {
    let failure = SystemFile(descriptor: Self.output).put(Array(text.utf8)).errorNumber
    if let failure { throw StoreError(writing: "the terminal", failed: failure) }
  }
}
