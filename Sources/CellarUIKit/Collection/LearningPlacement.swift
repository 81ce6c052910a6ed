import BatchUpdates
import Foundation
import ListLayout
import ListModel

struct DecoratedSection {
  var measured: MeasuredSection
  var decorations: [Decoration]
}

/// A placement that starts with mean sizes, and replaces them by the items' own sizes as they
/// become visible.
struct LearningPlacement {
  private(set) var placement: ListPlacement
  private var sections: [TrackedSection]
  private var nextKey: Int

  fileprivate struct TrackedSection {
    /// The items whose sizes were asked for.
    var known = IndexSet()
    /// Those of them whose cells size themselves, and were not on display yet.
    var assumed = IndexSet()
    var metrics: SectionMetrics
    /// The same wherever the section moves.
    var key: Int
    var decorations: [Decoration] = []
    /// Whether the section was just inserted, and only a placeholder is placed for it.
    var isNew = false
    /// Whether the section's header, footer or layout may have changed.
    var isUpdated = false
  }

  /// Places sections, with mean sizes for all items.
  init(_ sections: [DecoratedSection], in container: LayoutContainer, sectionSpacing: Double) {
    placement = ListPlacement(
      sections.lazy.map(\.measured), in: container, sectionSpacing: sectionSpacing)
    self.sections = sections.enumerated().map { index, section in
      TrackedSection(
        metrics: section.measured.metrics, key: index, decorations: section.decorations)
    }
    nextKey = sections.count
  }

  func decorations(ofSection index: Int) -> [Decoration] {
    sections.indices.contains(index) ? sections[index].decorations : []
  }

  /// What stays the same when the section at an index moves.
  func key(ofSection index: Int) -> Int? {
    sections.indices.contains(index) ? sections[index].key : nil
  }

  // MARK: Learning

  /// Gives the items in a rectangle their own sizes.
  ///
  /// `size`: Returns `nil` for an item whose cell sizes itself: its size stays what it is until
  /// ``learn(_:at:)``.
  mutating func learn(in rectangle: Frame, _ size: (ItemPath) -> Size?) {
    // Items that are shorter than the mean make room for further items in the rectangle.
    while let unknown = unknownItems(in: rectangle) {
      placement.update { edits in
        for (section, items) in unknown {
          for item in items where !sections[section].known.contains(item) {
            let path = ItemPath(section: section, item: item)
            if let size = size(path) {
              _ = edits.setSize(size, at: path)
              sections[section].assumed.remove(item)
            } else {
              sections[section].assumed.insert(item)
            }
          }
          sections[section].known.insert(integersIn: items)
        }
      }
    }
  }

  /// Gives an item the size that its cell has on display.
  ///
  /// `size`: `nil` leaves the size as it is.
  mutating func learn(_ size: Size?, at path: ItemPath) {
    guard sections.indices.contains(path.section) else { return }
    if let size { placement.update { _ = $0.setSize(size, at: path) } }
    sections[path.section].known.insert(path.item)
    sections[path.section].assumed.remove(path.item)
  }

  /// Whether an item is placed with its own size.
  func isKnown(_ path: ItemPath) -> Bool {
    sections.indices.contains(path.section) && sections[path.section].known.contains(path.item)
      && !sections[path.section].assumed.contains(path.item)
  }

  /// Whether an item in a rectangle still has a mean size.
  func hasUnknownItems(in rectangle: Frame) -> Bool { unknownItems(in: rectangle) != nil }

  private func unknownItems(in rectangle: Frame) -> [(section: Int, items: Range<Int>)]? {
    let unknown = placement.itemRanges(in: rectangle).filter {
      !sections[$0.section].known.contains(integersIn: $0.items)
    }
    return unknown.isEmpty ? nil : unknown
  }

  /// The first item in a rectangle that has its own size, and that comes after another one.
  func firstKnownItem(in rectangle: Frame, after path: ItemPath? = nil) -> ItemPath? {
    for (section, items) in placement.itemRanges(in: rectangle) {
      for item in items.lazy.map({ ItemPath(section: section, item: $0) }) where isKnown(item) {
        guard let path, item <= path else { return item }
      }
    }
    return nil
  }

  /// Makes the placement ask for the size of an item again when the item is visible.
  mutating func forget(_ path: ItemPath) {
    guard sections.indices.contains(path.section) else { return }
    sections[path.section].known.remove(path.item)
  }

  /// Makes the placement ask for the sizes of all items again when they are visible.
  mutating func forgetSizes() {
    for index in sections.indices { sections[index].known = IndexSet() }
  }

  // MARK: Updates

  /// Applies a stage of an update.
  ///
  /// Items keep their own sizes, also when they move.
  ///
  /// `section`: Returns a section of the list after the stage. `estimate`: Returns the assumed size
  /// of a new item, by the index of its section.
  mutating func apply(
    _ stage: Stage, section: (Int) -> DecoratedSection, estimate: (Int) -> Size
  ) {
    var estimates: [Int: Size] = [:]
    func estimated(_ index: Int) -> Size {
      if let size = estimates[index] { return size }
      let size = estimate(index)
      estimates[index] = size
      return size
    }
    placement.update { edits in
      for operation in stage.sequentialOperations {
        switch operation {
        case .deleteItem(let path): sections.removeItem(at: path, &edits)
        case .insertItem(let path):
          sections.insertItem(at: path, estimated(path.section), &edits)
        case .moveItem(let from, let to):
          sections.removeItem(at: from, &edits)
          sections.insertItem(at: to, estimated(to.section), &edits)
        case .deleteSection(let index):
          sections.remove(at: index)
          _ = edits.removeSection(at: index)
        case .insertSection(let index, _):
          sections.insert(
            TrackedSection(metrics: SectionMetrics(), key: nextKey, isNew: true), at: index)
          nextKey += 1
          _ = edits.insertSection(MeasuredSection(metrics: SectionMetrics()), at: index)
        case .moveSection(let from, let to):
          sections.insert(sections.remove(at: from), at: to)
          _ = edits.moveSection(at: from, to: to)
        case .reloadItem(let path), .reconfigureItem(let path):
          sections[path.section].known.remove(path.item)
        case .updateSection(let index): sections[index].isUpdated = true
        }
      }
      sections.refresh(&edits, section)
    }
  }

  /// Places sections again whose headers, footers or layouts may have changed.
  mutating func update(_ indexes: [Int], section: (Int) -> DecoratedSection) {
    for index in indexes where sections.indices.contains(index) {
      sections[index].isUpdated = true
    }
    placement.update { sections.refresh(&$0, section) }
  }
}

extension [LearningPlacement.TrackedSection] {
  /// Places new sections and sections with another layout; sets the header and footer lengths of
  /// other updated ones.
  fileprivate mutating func refresh(
    _ edits: inout ListEdits, _ section: (Int) -> DecoratedSection
  ) {
    for index in indices where self[index].isNew || self[index].isUpdated {
      let next = section(index)
      let measured = next.measured
      self[index].decorations = next.decorations
      if self[index].isNew || self[index].metrics != measured.metrics {
        _ = edits.replaceSection(at: index, with: measured)
        self[index] = .init(
          metrics: measured.metrics, key: self[index].key, decorations: next.decorations)
      } else {
        _ = edits.setLength(measured.headerLength, of: .header, inSection: index)
        _ = edits.setLength(measured.footerLength, of: .footer, inSection: index)
        self[index].isUpdated = false
      }
    }
  }

  fileprivate mutating func removeItem(at path: ItemPath, _ edits: inout ListEdits) {
    _ = edits.removeItems(path.item..<(path.item + 1), inSection: path.section)
    self[path.section].known.remove(path.item)
    self[path.section].known.shift(startingAt: path.item + 1, by: -1)
    self[path.section].assumed.remove(path.item)
    self[path.section].assumed.shift(startingAt: path.item + 1, by: -1)
  }

  fileprivate mutating func insertItem(
    at path: ItemPath, _ size: Size, _ edits: inout ListEdits
  ) {
    _ = edits.insertItems(ItemSizes(repeating: size, count: 1), at: path)
    self[path.section].known.shift(startingAt: path.item, by: 1)
    self[path.section].assumed.shift(startingAt: path.item, by: 1)
  }
}
