import ListModel

/// What a report's page shows, as the JSON value that is in it.
///
/// The page's script draws everything from it.
package struct ReportValue: Codable, Sendable {
  /// The version of the format: 1.
  package var formatVersion = 1
  package var title: String
  /// How much of contents is in ``ReportedList/contents`` and ``ReportedList/texts``.
  package var content: Inspection.ContentDetail
  /// The store in numbers, with what was found; of many lists the longest.
  package var summary: StoreSummary
  package var listCount: Int
  package var itemCount: Int
  /// What the store's bytes are used for; absent if files are not shown.
  package var space: StoreSpace?
  /// The files; absent likewise.
  package var files: [StoreEvidence.File]?
  /// The measured sizes of the most frequent cells.
  package var sizes: [Sizes] = []
  /// Why a size is an estimate; ``ReportedList/sizes`` has indexes into it.
  package var reasons = SizeAnswer.EstimateReason.allCases.map(\.description)
  /// The lists that can be looked at, by their ids.
  package var lists: [ReportedList] = []

  /// The sizes of a cell or a view in a list, measured for one length; lengths are in points.
  package struct Sizes: Codable, Sendable {
    package var list: String
    package var cell: String
    /// The kind of a section's view; absent for a cell.
    package var kind: String?
    package var isVertical: Bool
    /// The length across the direction of scrolling, in device pixels.
    package var fittingPixels: Int
    package var variant: String
    package var count: Int
    /// How many of them hold no longer, because something has changed.
    package var staleCount: Int
    package var least: Double
    package var median: Double
    package var greatest: Double
    package var histogram: [Int]
  }
}

/// A list at its newest revision, and how to walk back from there.
///
/// Everything that occurs several times has a number: its index in an array. Arrays of numbers take
/// the place of objects, so that a list of 100,000 items is about 5 MB of JSON.
package struct ReportedList: Codable, Hashable, Sendable {
  package var list: String
  /// The item that owns it; absent if none does.
  package var owner: Inspection.OwnerFacts?
  package var revision: Int
  /// The number of items of the newest revision, those included that are not here.
  package var itemCount = 0
  /// Where the list is drawn.
  package var view: View
  package var cells: [String] = []
  package var authors: [String] = []
  /// Attributes of sections, and the list's own data, as JSON; contents in them as in ``contents``.
  package var texts: [String] = []

  /// The ids of sections.
  package var sections: [String] = []
  /// The ids of items: those of the newest revision in their order, then deleted ones.
  package var items: [String] = []
  /// The last state of each item that is not in the newest revision.
  ///
  /// The newest state of another item has the item's own number.
  package var lastStates: [Int] = []
  /// A cell and a content revision each.
  package var kinds: [[Int]] = []
  /// The kind of each state of an item.
  package var states: [Int] = []
  /// The content of each state: JSON, cut if it is long, or its length and its hash; absent if
  /// contents are not shown, or there was no room.
  package var contents: [String?] = []
  /// Types and actions by the number of the state, as JSON, if contents are shown in full.
  package var details: [String: String] = [:]
  /// What gaps say, by the number of the state.
  package var gaps: [String: Inspection.GapFacts] = [:]
  /// Different sizes: width, height, and the reason why it is an estimate or -1.
  package var sizes: [[Double]] = []
  /// The size of each item of the newest revision; -1 for one that was not measured.
  package var itemSizes: [Int] = []

  /// The sections of the newest revision: section, text, number of items, and the sizes of header
  /// and footer.
  package var head: [[Int]] = []
  /// The list's own data, as the number of a text; -1 for none.
  package var meta = -1

  /// The commits before the newest revision, the newest first: their times in milliseconds since
  /// 1970, their authors, and their changes.
  package var times: [Int?] = []
  package var commitAuthors: [Int] = []
  /// A change is a code (``ReportedList/Operation``) with its numbers.
  package var changes: [[[Int]]] = []
  /// Why there are no earlier commits; absent if the list's first one is here.
  package var logEnd: String?
  /// Why not all items are here; absent if they are.
  package var cut: String?

  /// A view in which the list is drawn.
  package struct View: Codable, Hashable, Sendable {
    package var isVertical: Bool
    /// The length across the direction of scrolling, in points.
    package var breadth: Double
    package var scale: Double
    package var isMirrored: Bool
    /// Which view it is, for people.
    package var words: String
  }

  /// A change of the log.
  ///
  /// A place is a section and an index in it.
  package enum Operation: Int, Sendable {
    /// Text before, text after; -1 for none.
    case updateList
    /// Section, index.
    case insertSection
    /// Section, index, its items.
    case deleteSection
    /// Section, index before, index after.
    case moveSection
    /// Section, text before, text after.
    case updateSection
    /// Section, index, first item; how many items with the numbers from there on, if not one.
    case insertItems
    /// Section, index, item.
    case deleteItem
    /// Item, place before, place after.
    case moveItem
    /// Item, place, state before, state after.
    case updateItem
    /// Item, place.
    case touchItem
    /// Section, text before, text after: it was deleted with one and inserted with the other.
    case returnSection
    /// Item, state before, state after: likewise.
    case returnItem
  }
}
