/// Where the browser is, and what each key makes of it.
package struct BrowseState: Sendable {
  /// A place on the way from the lists to what is shown.
  package struct Level: Hashable, Sendable {
    package var place: BrowsePlace
    /// The chosen row; in a text, the first one that is shown.
    package var cursor = 0
    /// The first row that is shown.
    package var top = 0

    /// A place with a row chosen.
    package init(_ place: BrowsePlace, cursor: Int = 0) {
      self.place = place
      self.cursor = cursor
    }
  }

  /// What is to be done for a key, beyond the state.
  package enum Effect: Hashable, Sendable {
    case none
    case quit
    /// An id is to be found.
    case find(String)
  }

  /// The way from the lists, which come first.
  package private(set) var levels = [Level(.lists)]
  /// The revision that is shown; `nil` for the newest.
  package private(set) var revision: Int?
  /// The id that is being typed; `nil` if none is.
  package private(set) var prompt: String?
  /// An answer to the last key.
  package var message: String?

  /// The browser at the lists.
  package init() {}

  /// The shown place.
  package var level: Level { levels[levels.count - 1] }

  /// The longest id that can be typed, in characters.
  private static let longestPrompt = 1_000

  /// Takes a key.
  ///
  /// - Parameters:
  ///   - key: The key.
  ///   - page: What is shown.
  ///   - height: How many rows are shown.
  /// - Returns: What is to be done for it.
  package mutating func handle(_ key: BrowseKey, on page: BrowsePage, height: Int) -> Effect {
    message = nil
    let place = level.place
    if key == .interrupt { return .quit }
    if let prompt { return type(key, after: prompt) }
    switch key {
    case .up, .character("k"): move(by: -1)
    case .down, .character("j"): move(by: 1)
    case .pageUp: move(by: -max(1, height - 1))
    case .pageDown, .character(" "): move(by: max(1, height - 1))
    case .home, .character("g"): move(to: 0)
    case .end, .character("G"): move(to: page.count - 1)
    case .enter, .right, .character("l"): open(page.row(at: level.cursor)?.target)
    case .backspace, .escape, .left, .character("h"): back()
    case .character("["): step(by: -1, in: page)
    case .character("]"): step(by: 1, in: page)
    case .character("c"): openChanges()
    case .character("t"): openHistory()
    case .character("f"): open(.findings)
    case .character("?"): open(.help)
    case .character("/"): prompt = ""
    case .character("q"): return .quit
    case .interrupt, .character: break
    }
    // Of another place the rows are not known yet.
    if level.place == place { fit(page, height: height) }
    return .none
  }

  /// Keeps the cursor on a row, and the row on the screen.
  ///
  /// - Returns: Whether other rows are shown now.
  @discardableResult
  package mutating func fit(_ page: BrowsePage, height: Int) -> Bool {
    var level = level
    let last = max(0, page.count - (page.isText ? height : 1))
    level.cursor = min(max(0, level.cursor), last)
    if page.isText {
      level.top = level.cursor
    } else {
      level.top = min(level.top, level.cursor, max(0, page.count - height))
      level.top = max(level.top, level.cursor - height + 1)
    }
    defer { levels[levels.count - 1] = level }
    return level.top != self.level.top
  }

  /// Goes to what was found, below the lists.
  package mutating func go(to found: [Level]) {
    levels = found.first?.place == .lists ? found : [levels[0]] + found
    if level.place == .lists { revision = nil }
  }

  // MARK: Keys

  private mutating func move(by rows: Int) { move(to: level.cursor + rows) }

  private mutating func move(to row: Int) { levels[levels.count - 1].cursor = row }

  private mutating func open(_ place: BrowsePlace?) {
    guard let place, place != level.place else { return }
    levels.append(Level(place))
  }

  private mutating func openChanges() {
    guard let list = level.place.list else { return message = "Open a list first." }
    open(.changes(list))
  }

  private mutating func openHistory() {
    guard case .item(let item, let list) = level.place else {
      return message = "Open an item first."
    }
    open(.history(item, in: list))
  }

  private mutating func back() {
    if levels.count > 1 { levels.removeLast() }
    if level.place == .lists { revision = nil }
  }

  private mutating func step(by count: Int, in page: BrowsePage) {
    guard let revisions = page.revisions else { return message = "Open a list first." }
    let next = revisions.shown + count
    if next > revisions.all.upperBound {
      message = "This is the newest revision."
    } else if next < revisions.all.lowerBound {
      message =
        next < 0
        ? "The list begins here." : "The log begins here; what was before is not kept."
    } else {
      revision = next == revisions.all.upperBound ? nil : next
    }
  }

  private mutating func type(_ key: BrowseKey, after text: String) -> Effect {
    switch key {
    case .character(let character):
      if text.count < Self.longestPrompt { prompt = text + String(character) }
    case .backspace: prompt = text.isEmpty ? nil : String(text.dropLast())
    case .escape: prompt = nil
    case .enter:
      prompt = nil
      if !text.isEmpty { return .find(text) }
    default: break
    }
    return .none
  }
}
