import Foundation
import ListInspection
import ListModel

/// A list at the revision that is shown: its sections, what made the revision, and whether the list
/// agrees with its digest.
struct BrowsedList {
  let list: ListID
  /// `nil` for the newest.
  let revision: Int?
  /// The list as it is now, without its items.
  let outline: Inspection.Outline.List?
  private(set) var findings: [Finding] = []
  private var facts: Result<Inspection.RevisionFacts, StoreError>
  /// The whole list; `nil` if it is too long to read it whole.
  private var tree: Result<ListTree, StoreError>?
  private let isBypassed: Bool

  /// The most items of a list, and the most changes to take back, for which it is read whole.
  private static let mostWhole = 5_000

  /// - Throws: `StoreError` if the list is not there.
  init(
    _ list: ListID, at revision: Int?, of inspection: Inspection,
    outline: Inspection.Outline.List?, content: Inspection.ContentDetail
  ) throws(StoreError) {
    self.list = list
    self.revision = revision
    if let outline {
      self.outline = outline
    } else {
      let read = try inspection.outline(of: list, items: 0..<0)
      self.outline = read.lists.first
      findings = read.findings
    }
    isBypassed = inspection.findings.contains { $0.code == .bypassed }
    facts = Result { () throws(StoreError) in
      try inspection.facts(ofRevision: revision, in: list, entries: 0, content: .none)
    }
    guard case .success(let facts) = facts,
      max(self.outline?.itemCount ?? .max, facts.laterChangeCount) <= Self.mostWhole
    else { return }
    tree = Result { () throws(StoreError) in try inspection.tree(of: list, at: revision) }
  }

  /// Whether the log is short enough to be read for each item that is shown.
  var hasShortLog: Bool {
    guard case .success(let facts) = facts else { return true }
    return facts.logChangeCount <= Self.mostWhole
  }

  var revisions: BrowsePage.Revisions? {
    guard case .success(let facts) = facts else {
      // The log can't be read there; the newest revision still can be gone back to.
      guard let newest = outline?.revision else { return nil }
      return .init(shown: revision ?? newest, all: 0...newest)
    }
    return .init(shown: facts.revision, all: facts.floor...max(facts.floor, facts.newest))
  }

  // MARK: Words

  /// "revision 2 of 2, digest agrees: 1 insertItem by server 2024-04-05T19:34:39.000Z".
  var words: String {
    switch facts {
    case .success(let facts):
      "revision \(facts.revision) of \(facts.newest), \(verdict)"
        + (facts.commit.map { ": " + $0.headline(isCut: facts.isCut) } ?? ": the log begins here")
    case .failure(let error):
      "revision \(revision.map(String.init) ?? "?"): " + error.message
    }
  }

  var isWrong: Bool {
    if case .failure = facts { return true }
    if case .failure = tree { return true }
    return isBypassed
  }

  private var verdict: String {
    switch tree {
    case nil: "digest not compared, it is long"
    case .success where isBypassed && revision == nil:
      "digest not compared, another program has written to the store"
    case .success: "digest agrees"
    case .failure(let error): "DIGEST DOES NOT AGREE: \(error.message)"
    }
  }

  // MARK: Rows

  /// The sections; the newest ones as their rows have them, also where the digest does not agree.
  var sections: [BrowsePage.Row] {
    guard revision != nil else { return (outline?.sections ?? []).map { $0.row(in: list) } }
    guard let sections = whole?.sections else {
      return [.init(["", "too long to be shown at an earlier revision"])]
    }
    return sections.enumerated().map { index, section in
      .init(
        [
          "\(index)", section.id.rawValue, "\(section.items.count)",
          section.attributes.visibility == .shown ? "" : section.attributes.visibility.rawValue,
        ], target: .section(section.id, in: list))
    }
  }

  /// The items of a section at an earlier revision.
  func items(of id: SectionID, _ content: Inspection.ContentDetail) -> [BrowsePage.Row] {
    let items = whole?.sections.first { $0.id == id }?.items ?? []
    return items.enumerated().map { index, item in
      let state = Inspection.StateFacts(item.state, content)
      return .init(
        ["\(index)", item.id.rawValue, state.cell, "", state.content?.shown ?? ""],
        target: .item(item.id, in: list))
    }
  }

  /// An item at an earlier revision.
  func lines(of id: ItemID, _ content: Inspection.ContentDetail) -> [String] {
    guard let place = place(of: id),
      let item = whole?.sections[place.section].items[place.item]
    else { return ["The list does not have item \"\(id)\" at this revision."] }
    return [
      "item \"\(id)\" of list \"\(list)\"",
      "  at [\(place.section), \(place.item)] in \"\(place.name)\"",
      "  " + Inspection.StateFacts(item.state, content).shown,
      "  Sizes and history are told at the newest revision.",
    ]
  }

  /// Where an item is at an earlier revision.
  func place(of item: ItemID) -> (section: Int, name: String, item: Int)? {
    for (index, section) in (whole?.sections ?? []).enumerated() {
      if let place = section.items.firstIndex(where: { $0.id == item }) {
        return (index, section.id.rawValue, place)
      }
    }
    return nil
  }

  private var whole: ListTree? { try? tree?.get() }
}
