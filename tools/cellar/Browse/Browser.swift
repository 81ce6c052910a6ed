import ListModel

/// Shows pages and takes keys until the user has seen enough.
struct Browser {
  private var source: BrowseSource
  private let terminal: BrowseTerminal
  private var state = BrowseState()
  private var parser = KeyParser()
  private var page = BrowsePage(path: [])
  /// What ``page`` was read for.
  private var answered: Request?

  private struct Request: Hashable {
    var place: BrowsePlace
    var revision: Int?
    var first: Int
    var width: Int
    var height: Int
  }

  /// How long an escape waits for the rest of a sequence, in milliseconds.
  private static let patience: Int32 = 50

  init(_ source: BrowseSource, _ terminal: BrowseTerminal) {
    self.source = source
    self.terminal = terminal
  }

  /// Whether nothing wrong was found in what was shown.
  var isSound: Bool { source.isSound }

  /// Runs until a key or a signal ends it; the terminal is then as it was.
  ///
  /// - Returns: The signal; `nil` for a key, or if the terminal is gone.
  mutating func run() throws(StoreError) -> Int32? {
    defer { terminal.close() }
    try show()
    while true {
      var keys: [BrowseKey] = []
      switch parser.isWaiting ? terminal.wait(milliseconds: Self.patience) : terminal.wait() {
      case .bytes(let bytes): keys = parser.feed(bytes)
      case .quiet: keys = parser.flush()
      case .resized: break
      case .ended: return nil
      case .signal(let number): return number
      }
      for key in keys where !take(key) { return nil }
      try show()
    }
  }

  /// - Returns: Whether to go on.
  private mutating func take(_ key: BrowseKey) -> Bool {
    // The key is about what the keys before it lead to, which need not be on the screen yet.
    read()
    switch state.handle(key, on: page, height: height) {
    case .none: return true
    case .quit: return false
    case .find(let text):
      do throws(StoreError) {
        state.go(to: try source.find(text, from: state.level.place, at: state.revision))
      } catch { state.message = error.message }
      return true
    }
  }

  private mutating func show() throws(StoreError) {
    read()
    try terminal.draw(terminal.size.lines(of: page, state))
  }

  private var height: Int { terminal.size.rowCount(isText: page.isText) }

  private mutating func read() {
    readRows()
    // Its number of rows is known only now.
    if state.fit(page, height: height) { readRows() }
  }

  private mutating func readRows() {
    let size = terminal.size
    let request = Request(
      place: state.level.place, revision: state.revision, first: state.level.top,
      width: size.width, height: size.height)
    if request == answered { return }
    answered = request
    page = source.page(
      of: request.place, at: request.revision,
      rows: request.first..<request.first + size.rowCount(isText: true), width: request.width)
  }
}
