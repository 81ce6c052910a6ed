import ListModel

/// Lays a page out as the lines of a terminal.
package struct BrowseScreen: Sendable {
  /// How a line looks; what it says is in its text alone.
  package enum Style: Hashable, Sendable {
    case plain, title, heading, chosen, warning, dim
  }

  /// A line, at most as wide as the terminal.
  package struct Line: Hashable, Sendable {
    package var text: String
    package var style = Style.plain
  }

  /// The size of the terminal, in characters.
  package var width: Int
  package var height: Int

  /// A screen of at least one character.
  package init(width: Int, height: Int) {
    self.width = max(1, width)
    self.height = max(1, height)
  }

  /// Low screens have no headings.
  private var hasHeadings: Bool { height >= 8 }

  /// How many rows there is room for.
  package func rowCount(isText: Bool) -> Int {
    max(1, height - 3 - (hasHeadings && !isText ? 1 : 0))
  }

  /// The lines from top to bottom, as many as the terminal has.
  package func lines(of page: BrowsePage, _ state: BrowseState) -> [Line] {
    var lines = [Line(text: title(page.path), style: .title)]
    lines.append(
      Line(text: TerminalText.cut(page.facts, to: width), style: page.isWrong ? .warning : .dim))
    lines += page.isText ? text(page) : table(page, cursor: state.level.cursor)
    let room = height - 1
    lines = Array(lines.prefix(room))
    lines += Array(repeating: Line(text: ""), count: room - lines.count)
    return lines + [bottom(page, state)]
  }

  // MARK: Parts

  /// The path; its beginning is left out where it is too long.
  private func title(_ path: [String]) -> String {
    for start in path.indices.dropLast() {
      let parts = (start > 0 ? ["…"] : []) + path[start...]
      let title = parts.joined(separator: " › ")
      if TerminalText.columns(of: TerminalText.cut(title, to: width + 1)) <= width {
        return TerminalText.cut(title, to: width)
      }
    }
    return TerminalText.cut(path.last ?? "", to: width)
  }

  private func bottom(_ page: BrowsePage, _ state: BrowseState) -> Line {
    if let prompt = state.prompt {
      // The end of it is what is being typed.
      let room = max(0, width - 4)
      var text = ShownText.line(prompt)
      while TerminalText.columns(of: text) > room { text.removeFirst() }
      return Line(text: TerminalText.cut("/" + text + "_", to: width))
    }
    if let message = state.message {
      return Line(text: TerminalText.cut(message, to: width), style: .warning)
    }
    let keys = page.revisions == nil ? "/ find" : "[ ] revision  c changes  / find"
    let words = [position(page, state), "? help  q quit", keys].compactMap(\.self)
      .joined(separator: "  ")
    return Line(text: TerminalText.cut(words, to: width), style: .dim)
  }

  /// Which rows of how many; `nil` for a text that is shown whole.
  private func position(_ page: BrowsePage, _ state: BrowseState) -> String? {
    let (top, height) = (state.level.top, rowCount(isText: true))
    if page.isText {
      return page.count <= height
        ? nil : "lines \(top + 1)-\(min(page.count, top + height)) of \(page.count)"
    }
    return page.count == 0 ? "none" : "\(state.level.cursor + 1) of \(page.count)"
  }

  private func text(_ page: BrowsePage) -> [Line] {
    page.rows.prefix(rowCount(isText: true)).map {
      Line(text: TerminalText.cut($0.columns.first ?? "", to: width))
    }
  }

  private func table(_ page: BrowsePage, cursor: Int) -> [Line] {
    let rows = page.rows.prefix(rowCount(isText: false))
    let widths = columnWidths([page.headings] + rows.map(\.columns))
    var lines: [Line] = []
    if hasHeadings {
      lines.append(Line(text: line(page.headings, widths, marker: " "), style: .heading))
    }
    for (index, row) in zip(page.first..., rows) {
      let isChosen = index == cursor
      lines.append(
        Line(
          text: line(row.columns, widths, marker: isChosen ? ">" : " "),
          style: isChosen ? .chosen : .plain))
    }
    return lines
  }

  private func line(_ columns: [String], _ widths: [Int], marker: String) -> String {
    let cells = zip(columns, widths).map { TerminalText.padded($0, to: $1) }
    return TerminalText.padded(marker + cells.joined(separator: "  "), to: width)
  }

  /// The widths of the columns that fit: the last ones are left out if there is no room, the widest
  /// ones cut.
  private func columnWidths(_ rows: [[String]]) -> [Int] {
    var widths: [Int] = []
    for row in rows {
      for (index, cell) in row.enumerated() {
        if index == widths.count { widths.append(0) }
        widths[index] = max(
          widths[index], TerminalText.columns(of: TerminalText.cut(cell, to: width)))
      }
    }
    func total(_ widths: [Int]) -> Int { 1 + widths.reduce(0, +) + 2 * max(0, widths.count - 1) }
    let narrowest = 8
    while widths.count > 1, total(widths.map { min($0, narrowest) }) > width {
      widths.removeLast()
    }
    while total(widths) > width, let widest = widths.indices.max(by: { widths[$0] < widths[$1] }),
      widths[widest] > 0
    {
      widths[widest] -= 1
    }
    return widths
  }
}
