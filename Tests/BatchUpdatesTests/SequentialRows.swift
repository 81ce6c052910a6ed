import BatchUpdates
import ListModel

/// Sections of rows in plain arrays, which follow operations one after another.
struct SequentialRows: Equatable {
  /// `nil`: new, or to be drawn again.
  var rows: [[String?]]
  /// `nil`: new, or to be drawn again.
  var sections: [String?]

  /// What does not fit the rows.
  struct Misfit: Error, CustomStringConvertible {
    let description: String
  }

  init(_ sections: [(id: String, items: [String])]) {
    self.sections = sections.map(\.id)
    rows = sections.map(\.items)
  }

  /// What a tree shows.
  init(_ tree: ListTree) {
    self.init(tree.sections.map { ($0.id.rawValue, $0.items.map(\.id.rawValue)) })
  }

  var counts: [Int] { rows.map(\.count) }

  /// Applies operations in their order; refuses one that an array would trap on.
  mutating func apply(_ operations: [SequentialOperation]) throws(Misfit) {
    for (step, operation) in operations.enumerated() {
      guard fits(operation) else { throw Misfit(description: "\(step): \(operation), \(counts)") }
      applyToSections(operation)
      apply((sequentialOperations: [operation], ()))
    }
  }

  /// The example of ``SequentialOperation``; a test compares the two.
  private mutating func apply(_ update: (sequentialOperations: [SequentialOperation], Void)) {
    for operation in update.sequentialOperations {
      switch operation {
      case .deleteItem(let path):
        rows[path.section].remove(at: path.item)
      case .insertItem(let path):
        rows[path.section].insert(nil, at: path.item)
      case .moveItem(let from, let to):
        let row = rows[from.section].remove(at: from.item)
        rows[to.section].insert(row, at: to.item)
      case .deleteSection(let index):
        rows.remove(at: index)
      case .insertSection(let index, let itemCount):
        rows.insert(Array(repeating: nil, count: itemCount), at: index)
      case .moveSection(let from, let to):
        let section = rows.remove(at: from)
        rows.insert(section, at: to)
      case .reloadItem(let path), .reconfigureItem(let path):
        rows[path.section][path.item] = nil
      case .updateSection:
        break
      }
    }
  }

  /// The same for the sections alone, to tell them apart even when they are empty.
  private mutating func applyToSections(_ operation: SequentialOperation) {
    switch operation {
    case .deleteSection(let index): sections.remove(at: index)
    case .insertSection(let index, _): sections.insert(nil, at: index)
    case .moveSection(let from, let to): sections.insert(sections.remove(at: from), at: to)
    case .updateSection(let index): sections[index] = nil
    case .deleteItem, .insertItem, .moveItem, .reloadItem, .reconfigureItem: break
    }
  }

  private func fits(_ operation: SequentialOperation) -> Bool {
    switch operation {
    case .deleteItem(let path), .reloadItem(let path), .reconfigureItem(let path): isRow(path)
    case .insertItem(let path): isPlace(path)
    case .moveItem(let from, let to):
      isRow(from)
        && isPlace(to, sinceLeaving: from.section == to.section ? 1 : 0)
    case .deleteSection(let index), .updateSection(let index): rows.indices.contains(index)
    case .insertSection(let index, let itemCount):
      (0...rows.count).contains(index) && itemCount >= 0
    case .moveSection(let from, let to): rows.indices.contains(from) && rows.indices.contains(to)
    }
  }

  private func isRow(_ path: ItemPath) -> Bool {
    rows.indices.contains(path.section) && rows[path.section].indices.contains(path.item)
  }

  private func isPlace(_ path: ItemPath, sinceLeaving left: Int = 0) -> Bool {
    rows.indices.contains(path.section)
      && (0...(rows[path.section].count - left)).contains(path.item)
  }
}
