import ListModel
import ListStore

/// Makes a list anew from what its damaged rows hold, by commits of the library.
struct ListRebuilding {
  private let source: SalvagedList
  private let target: Repository
  /// What was found so far.
  private(set) var result = Result()

  /// What was found of a list.
  struct Result {
    var sectionCount = 0
    /// Sections whose layout, views and meta are lost.
    var bareSectionCount = 0
    var itemCount = 0
    /// The items that the rows count; not fewer than were found.
    var expectedItemCount = 0
    /// The items that are lost for want of a part, by that part.
    var losses: [SalvagedList.Loss: Int] = [:]
    /// Items and sections that rows name twice, or that no list takes.
    var refusedCount = 0
    /// Items in blocks whose order is lost.
    var unorderedItemCount = 0
    /// The names of the items whose place is lost, and with it the rest.
    var itemsWithoutPlace: [String] = []
    /// The names of the items that have a place and lack another part.
    var incompleteItems: [String] = []
    fileprivate var placedItems: Set<Int> = []
  }

  /// About how many items a commit has, so that its changes fit into memory.
  private static let itemsInCommit = 20_000

  init(_ source: SalvagedList, into target: Repository) {
    self.source = source
    self.target = target
  }

  /// Commits the list.
  ///
  /// - Parameter meta: The list's own data.
  /// - Throws: An error of the new store; what the damaged one lacks is in ``result``.
  mutating func run(meta: JSON?) throws {
    let sections = try source.sections()
    result.expectedItemCount = sections.reduce(0) { $0 + $1.itemCount }
    var steps: [(section: SalvagedList.Section, leaf: Int?)] = []
    for section in sections {
      steps.append((section, nil))
      steps += section.leaves.map { (section, $0) }
    }
    var next = 0
    repeat {
      let limit = result.itemCount + Self.itemsInCommit
      var step = next
      var new = result
      try target.edit(source.list, by: "recovered") { editor in
        if next == 0 { try editor.setMeta(meta) }
        while step < steps.count, new.itemCount < limit {
          let (section, leaf) = steps[step]
          if let leaf {
            try insertItems(of: leaf, section, editor, &new)
          } else {
            try insert(section, editor, &new)
          }
          step += 1
        }
      }
      (next, result) = (step, new)
    } while next < steps.count
    try restoreItemsWithoutPlace(sections)
  }

  private func insert(
    _ section: SalvagedList.Section, _ editor: ListEditor, _ result: inout Result
  ) throws {
    let isNew = try Self.takes { try editor.insertSection(section.name, section.attributes) }
    if isNew { result.sectionCount += 1 } else { result.refusedCount += 1 }
    if !section.hasAttributes { result.bareSectionCount += 1 }
  }

  private func insertItems(
    of leaf: Int, _ section: SalvagedList.Section, _ editor: ListEditor, _ result: inout Result
  ) throws {
    for member in try source.members(of: leaf) {
      switch try source.item(member) {
      case .success(let item):
        if try Self.takes({ try editor.restore(item, in: section.name) }) {
          result.itemCount += 1
          if !section.isOrdered { result.unorderedItemCount += 1 }
        } else {
          result.refusedCount += 1
        }
      case .failure(let lost):
        result.losses[lost.part, default: 0] += 1
        result.incompleteItems.append(member.name)
      }
      result.placedItems.insert(member.id)
    }
  }

  /// Inserts the items whose block is lost, if the log has their last state: at the end of their
  /// section, or of one of their own.
  private mutating func restoreItemsWithoutPlace(_ sections: [SalvagedList.Section]) throws {
    let items = try source.itemsWithoutPlace(besides: result.placedItems)
    if items.isEmpty { return }
    let log = try SalvagedLog(source.db, list: source.id, of: Set(items.map(\.name)))
    let rows = try source.sectionsOfLostBlocks(Set(items.map(\.block)))
    let names = Dictionary(
      sections.compactMap { section in section.row.map { ($0, section.name) } },
      uniquingKeysWith: { first, _ in first })
    let other = SalvagedList.freeName(among: sections.map(\.name))
    for start in stride(from: 0, to: items.count, by: Self.itemsInCommit) {
      var new = result
      try target.edit(source.list, by: "recovered") { editor in
        for (name, block) in items[start..<min(start + Self.itemsInCommit, items.count)] {
          guard let state = log.states[name], state.isCurrent,
            case .success(let item) = try source.item(state.member)
          else {
            new.itemsWithoutPlace.append(name)
            continue
          }
          let section = rows[block].flatMap { names[$0] } ?? other
          if section == other { try editor.insertSectionIfMissing(other) }
          if try Self.takes({ try editor.restore(item, in: section) }) {
            new.itemCount += 1
            new.unorderedItemCount += 1
          } else {
            new.refusedCount += 1
          }
        }
      }
      result = new
    }
  }

  /// Whether a list takes a change; `false` for one that does not fit it.
  static func takes(_ change: () throws -> Void) throws -> Bool {
    do {
      try change()
      return true
    } catch let error as StoreError
      where [.duplicateID, .invalidValue, .sectionNotFound].contains(error.code)
    {
      return false
    }
  }
}
