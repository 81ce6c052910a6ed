import Foundation
import ListInspection
import ListModel

// Facts as rows and lines of the browser.

extension Inspection.Outline.List {
  var row: BrowsePage.Row {
    BrowsePage.Row(
      [
        String(repeating: "  ", count: min(depth, 20)) + list, revision.map(String.init) ?? "?",
        sectionCount.map(String.init) ?? "?", itemCount.map(String.init) ?? "?",
      ], target: (try? ListID(list)).map(BrowsePlace.list))
  }
}

extension Inspection.Outline.Section {
  func row(in list: ListID) -> BrowsePage.Row {
    let facts = [layout?.shown, visibility == "shown" ? nil : visibility].compactMap(\.self)
    return BrowsePage.Row(
      [
        index.map(String.init) ?? "?", section, "\(itemCount)", facts.joined(separator: ", "),
      ], target: (try? SectionID(section)).map { .section($0, in: list) })
  }
}

extension Inspection.Outline.Item {
  func row(in list: ListID) -> BrowsePage.Row {
    BrowsePage.Row(
      ["\(index)", item, cell, shownSize, content?.shown ?? ""],
      target: (try? ItemID(item)).map { .item($0, in: list) })
  }

  /// The size that was used last; `~` before an estimate.
  private var shownSize: String {
    guard let size = sizes?.max(by: { $0.usedAt < $1.usedAt }) else { return "" }
    func shown(_ length: Double) -> String {
      length.formatted(
        .number.precision(.fractionLength(0...2)).grouping(.never).locale(Locale(identifier: "en")))
    }
    return (size.isExact ? "" : "~") + "\(shown(size.width))×\(shown(size.height))"
  }
}

extension Inspection.Timeline.Commit {
  /// "1 insertItem by server 2024-04-05T19:34:39.000Z".
  func headline(isCut: Bool) -> String {
    let what = counts.sorted { $0.key < $1.key }.map { "\($0.value) \($0.key)" }
    return (what.isEmpty ? "empty" : what.joined(separator: ", ")) + (isCut ? " and more" : "")
      + " by \(author)" + (time.map { " " + Output.time($0) } ?? "")
  }
}

extension Inspection.RevisionFacts {
  /// The commit with its changes.
  var lines: [String] {
    guard let commit else {
      return [revision == 0 ? "The list begins here." : "The log begins here."]
    }
    return commit.lines + (isCut ? ["  … more changes than are counted here"] : [])
  }
}

extension BrowseSource {
  /// What the keys do.
  static let help = [
    "up, down, k, j         the row before, the row after",
    "page up, page down     a screen up or down; also space, ^B, ^F",
    "home, end, g, G        the first row, the last row",
    "enter, right, l        open the row",
    "backspace, left, h     back",
    "[ and ]                the list at the revision before, and after",
    "c                      what this revision has changed",
    "t                      the whole history of an item",
    "/                      find a list, or an item or a section of this list, by its whole id",
    "f                      what is wrong with the store, as far as it was read",
    "q                      quit",
    "",
    "A size with ~ is an estimate: open the item to see why. Contents are a length and a hash; "
      + "--content full shows them.",
    "Lists of more than 5,000 items are not compared with their digests and not shown at earlier "
      + "revisions; cellar inspect check and export do that.",
  ]
}
