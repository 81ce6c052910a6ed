import CellarCommand
import TestSupport
import Testing

/// How a page is laid out for terminals of all sizes.
@Suite struct BrowseScreenTests {
  private func page(_ rows: [[String]]) -> BrowsePage {
    var page = BrowsePage(path: ["store.sqlite", "home"])
    page.facts = "revision 2 of 2, digest agrees"
    page.headings = ["", "item", "cell"]
    page.take(rows.map { BrowsePage.Row($0) }, in: 0..<rows.count)
    return page
  }

  private func texts(
    _ page: BrowsePage, _ width: Int, _ height: Int, _ state: BrowseState = BrowseState()
  ) -> [String] {
    BrowseScreen(width: width, height: height).lines(of: page, state).map(\.text)
  }

  @Test func aTableHasAlignedColumns() {
    let lines = texts(page([["0", "世界", "BookCell"], ["1", "emma", "C"]]), 40, 8)
    #expect(lines[0] == "store.sqlite › home")
    #expect(lines[1] == "revision 2 of 2, digest agrees")
    #expect(lines[2] == "    item  cell".padding(40))
    #expect(lines[3] == ">0  世界  BookCell".padding(38))
    #expect(lines[4] == " 1  emma  C".padding(40))
    #expect(lines[7].hasPrefix("1 of 2  ? help"))
  }

  @Test func wideColumnsAreCutBeforeLastOnesAreLeftOut() {
    let long = String(repeating: "long", count: 20)
    let lines = texts(page([["0", long, "BookCell"]]), 30, 8)
    #expect(lines[3] == ">0  longlonglonglon…  BookCell")
    #expect(texts(page([["0", long, "BookCell"]]), 18, 8)[3] == ">0  longlonglongl…")
  }

  @Test func everySizeHasItsLinesAndNoneIsTooWide() {
    var generator = SeededGenerator(seed: 5)
    let cells = ["", "a", "界界界界", "🎉 party", "\u{1B}[2J", String(repeating: "x", count: 300)]
    for width in 1...50 {
      for height in 1...12 {
        let rows = (0..<generator.number(0..<20)).map { _ in
          (0..<3).map { _ in cells[generator.number(0..<cells.count)] }
        }
        var state = BrowseState()
        _ = state.handle(.character("/"), on: page(rows), height: 1)
        for state in [state, BrowseState()] {
          let lines = texts(page(rows), width, height, state)
          #expect(lines.count == height)
          for line in lines {
            #expect(TerminalText.columns(of: line) <= width, "\(width)×\(height): \(line)")
          }
        }
      }
    }
  }

  @Test func aLowScreenLeavesOutTheHeadingsAndShowsTheRow() {
    let screen = BrowseScreen(width: 20, height: 5)
    #expect(screen.rowCount(isText: false) == 2)
    let lines = texts(page([["0", "a", "C"], ["1", "b", "C"], ["2", "c", "C"]]), 20, 5)
    #expect(lines[2].hasPrefix(">0  a"))
    #expect(lines[3].hasPrefix(" 1  b"))
  }

  @Test func aLongPathKeepsItsEnd() {
    var page = page([])
    page.path = ["a-long-name-of-a-store.sqlite", "a-list", "a-section"]
    #expect(texts(page, 30, 8)[0] == "… › a-list › a-section")
    #expect(texts(page, 5, 8)[0] == "a-se…")
  }

  @Test func whatIsWrongIsAWarning() {
    var page = page([])
    page.isWrong = true
    let lines = BrowseScreen(width: 40, height: 8).lines(of: page, BrowseState())
    #expect(lines[1].style == .warning)
  }
}

extension String {
  fileprivate func padding(_ count: Int) -> String {
    self + String(repeating: " ", count: max(0, count - self.count))
  }
}
