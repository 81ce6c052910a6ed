import CellarCommand
import ListModel
import Testing

/// What each key makes of the place, the chosen row and the revision.
@Suite struct BrowseStateTests {
  private var state = BrowseState()
  private let height = 10

  /// A table whose rows lead to lists.
  private func page(_ count: Int, revisions: BrowsePage.Revisions? = nil) -> BrowsePage {
    var page = BrowsePage(path: ["f"])
    page.headings = ["list"]
    page.revisions = revisions
    let rows = (0..<count).map {
      BrowsePage.Row(["\($0)"], target: .list(ListID(stringLiteral: "\($0)")))
    }
    page.take(rows, in: 0..<count)
    return page
  }

  @discardableResult
  private mutating func press(_ keys: BrowseKey..., on page: BrowsePage) -> BrowseState.Effect {
    var effect = BrowseState.Effect.none
    for key in keys { effect = state.handle(key, on: page, height: height) }
    return effect
  }

  @Test mutating func theChosenRowStaysOnTheScreen() {
    let page = page(35)
    press(.up, on: page)
    #expect(state.level.cursor == 0)
    press(.pageDown, .down, on: page)
    #expect((state.level.cursor, state.level.top) == (10, 1))
    press(.end, on: page)
    #expect((state.level.cursor, state.level.top) == (34, 25))
    press(.character("j"), .pageUp, .character("k"), on: page)
    #expect((state.level.cursor, state.level.top) == (24, 24))
    press(.character("g"), on: page)
    #expect((state.level.cursor, state.level.top) == (0, 0))
    press(.end, on: page)
    // There are fewer rows at another revision.
    let isOther = state.fit(self.page(3), height: height)
    #expect(isOther)
    #expect((state.level.cursor, state.level.top) == (2, 0))
    state.fit(self.page(0), height: height)
    #expect((state.level.cursor, state.level.top) == (0, 0))
  }

  @Test mutating func openingAndGoingBackKeepsTheRow() {
    press(.down, .down, .enter, on: page(5))
    #expect(state.level.place == .list("2"))
    #expect(state.level.cursor == 0)
    press(.backspace, on: page(1))
    #expect(state.level.place == .lists)
    #expect(state.level.cursor == 2)
    press(.left, .escape, .character("h"), on: page(5))
    #expect(state.levels.count == 1)
    press(.right, on: page(0))
    #expect(state.levels.count == 1)
  }

  @Test mutating func aTextScrollsByLines() {
    var text = BrowsePage(path: ["f"])
    text.count = 25
    press(.character("?"), on: page(1))
    press(.down, .down, on: text)
    #expect((state.level.cursor, state.level.top) == (2, 2))
    press(.end, on: text)
    #expect(state.level.top == 15)
    press(.character("?"), on: text)
    #expect(state.levels.count == 2, "the help is opened once")
  }

  @Test mutating func bracketsStepThroughTheRevisionsAndStopAtTheirEnds() {
    func at(_ shown: Int, from floor: Int = 1) -> BrowsePage {
      page(5, revisions: .init(shown: shown, all: floor...3))
    }
    press(.character("["), on: page(5))
    #expect(state.revision == nil && state.message == "Open a list first.")
    press(.enter, .character("["), on: at(3))
    #expect(state.revision == 2)
    press(.character("["), on: at(2))
    #expect(state.revision == 1)
    press(.character("["), on: at(1))
    #expect(state.revision == 1 && state.message?.contains("log begins here") == true)
    press(.character("]"), on: at(1))
    #expect(state.revision == 2 && state.message == nil)
    press(.character("]"), on: at(2))
    #expect(state.revision == nil, "the newest is read from the rows")
    press(.character("]"), on: at(3))
    #expect(state.revision == nil && state.message == "This is the newest revision.")
    press(.character("["), on: at(3))
    press(.left, on: at(2))
    #expect(state.revision == nil, "another list has other revisions")
  }

  @Test mutating func anIDIsTypedAndFound() {
    let page = page(5)
    var effect = press(.character("/"), .character("q"), .character("x"), on: page)
    #expect(effect == .none)
    #expect(state.prompt == "qx")
    press(.backspace, .character("界"), on: page)
    effect = press(.enter, on: page)
    #expect(effect == .find("q界"))
    #expect(state.prompt == nil)
    press(.character("/"), .character("a"), .escape, on: page)
    #expect(state.prompt == nil && state.levels.count == 1)
    press(.character("/"), .backspace, on: page)
    #expect(state.prompt == nil)
    state.go(to: [.init(.list("l"), cursor: 1), .init(.section("s", in: "l"), cursor: 4)])
    #expect(state.levels.map(\.place) == [.lists, .list("l"), .section("s", in: "l")])
    #expect(state.level.cursor == 4)
  }

  @Test mutating func quitAndInterruptEnd() {
    var effect = press(.character("q"), on: page(1))
    #expect(effect == .quit)
    effect = press(.character("/"), .interrupt, on: page(1))
    #expect(effect == .quit)
  }
}
