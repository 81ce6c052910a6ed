import BatchUpdates
import ListItems
import ListLayout
import ListModel
import ListStore
import ListSync
import Providers
import StoreSchema

/// A list that changes come from: random ones, made on the list as it is.
///
/// The Provider serves as the model that knows what stands where; each change is replayed into it
/// alone, so that the next one carries the right paths.
struct SampleList {
  /// The list as the changes so far left it.
  private(set) var provider: Provider
  /// How many items there were at first, which aging leaves almost so.
  let nominalSize: Int
  private var items = ItemMaker()
  private var generator: SeededGenerator

  static let list: ListID = "episodes"
  /// How many changes open the order of a list that is to be an aged one.
  static let agingChanges = 4_096

  /// What happens to an item.
  enum Kind: CaseIterable {
    case insert
    case delete
    case move
    case update
  }

  /// - Parameters:
  ///   - count: How many items.
  ///   - sections: How many sections they are in, in equal parts.
  ///   - seed: Of the changes.
  /// - Throws: If an id is refused, which none is.
  init(items count: Int, sections: Int = 1, seed: UInt64) throws {
    generator = SeededGenerator(seed: seed)
    nominalSize = count
    provider = Provider(try Self.tree(items: count, sections: sections, from: &items))
  }

  /// A list of items that were never changed.
  static func tree(items count: Int) throws -> ListTree {
    var items = ItemMaker()
    return try tree(items: count, sections: 1, from: &items)
  }

  private static func tree(
    items count: Int, sections: Int, from items: inout ItemMaker
  ) throws -> ListTree {
    var tree = ListTree(list: list)
    for index in 0..<sections {
      var section = ListTree.Section(id: try sectionID(index))
      let size = count / sections + (index < count % sections ? 1 : 0)
      section.items.reserveCapacity(size)
      for _ in 0..<size { section.items.append(try items.item()) }
      tree.sections.append(section)
    }
    return tree
  }

  static func sectionID(_ index: Int) throws -> SectionID { try SectionID("section \(index)") }

  /// How many items there are.
  var size: Int { provider.numberOfItems }

  /// How many items each section holds.
  var counts: SectionCounts {
    SectionCounts((0..<provider.numberOfSections).map(provider.numberOfItems(inSection:)))
  }

  /// Inserts, deletes and moves some thousands of items, which leaves about as many as there were.
  mutating func age() throws {
    for index in 0..<Self.agingChanges {
      try change(Kind.allCases[index % 3])
    }
  }

  /// Changes the list: insertions, deletions, moves and updates in equal parts, in random order
  /// and random places.
  ///
  /// - Parameters:
  ///   - count: How many changes.
  ///   - first: The kind that a single change is.
  /// - Returns: What happened.
  /// - Throws: ``BenchmarkError`` if the library refuses a change.
  mutating func changes(_ count: Int, startingWith first: Int = 0) throws -> [LogEntry] {
    let kinds = (0..<count).map { Kind.allCases[($0 + first) % Kind.allCases.count] }
    return try kinds.shuffled(using: &generator).map { try change($0) }
  }

  /// Changes one random item.
  @discardableResult
  mutating func change(_ kind: Kind) throws -> LogEntry {
    let entry = try entry(kind)
    let update = try provider.apply(CollectionOfOne(commit([entry], after: provider)))
    if case .reload(let why) = update.mode { throw BenchmarkError("a change was refused: \(why)") }
    return entry
  }

  /// Entries as the commit that follows a Provider's revision.
  func commit(_ entries: [LogEntry], after provider: Provider) -> Commit {
    Commit(
      list: Self.list, revision: provider.revision + 1, author: .app, time: nil, entries: entries)
  }

  private mutating func entry(_ kind: Kind) throws -> LogEntry {
    let section = Int.random(in: 0..<provider.numberOfSections, using: &generator)
    let count = provider.numberOfItems(inSection: section)
    if kind == .insert || count == 0 {
      return .insertItem(try items.item(), at: place(in: section, of: count))
    }
    let path = ItemPath(section: section, item: Int.random(in: 0..<count, using: &generator))
    guard let item = provider.item(at: path) else { throw BenchmarkError("no item at \(path)") }
    switch kind {
    case .insert, .delete: return .deleteItem(item, at: path)
    case .move:
      let target = Int.random(in: 0..<provider.numberOfSections, using: &generator)
      let room = target == section ? count - 1 : provider.numberOfItems(inSection: target)
      return .moveItem(item.id, from: path, to: place(in: target, of: room))
    case .update:
      var state = item.state
      state.contentRevision += 1
      state.content = try items.content(version: state.contentRevision)
      return .updateItem(item.id, at: path, before: item.state, after: state)
    }
  }

  private mutating func place(in section: Int, of count: Int) -> ItemPath {
    ItemPath(section: section, item: Int.random(in: 0...count, using: &generator))
  }

  /// A random path.
  mutating func randomPath() -> ItemPath {
    let section = Int.random(in: 0..<provider.numberOfSections, using: &generator)
    let count = provider.numberOfItems(inSection: section)
    return ItemPath(section: section, item: Int.random(in: 0..<max(1, count), using: &generator))
  }

  /// The items of all sections as a differ sees them.
  ///
  /// - Parameter fetchedAgain: Whether the ids are to be new texts.
  /// - Returns: Rows in the order of the list.
  func rows(fetchedAgain: Bool) -> [Row] {
    provider.tree.sections.flatMap(\.items).map { item in
      Row(
        id: fetchedAgain
          ? String(decoding: Array(item.id.rawValue.utf8), as: UTF8.self) : item.id.rawValue,
        content: item.state.content.hashValue)
    }
  }
}

/// What keeps a case from being measured: a fault of the library or of the benchmark.
struct BenchmarkError: Error, CustomStringConvertible {
  let description: String

  init(_ description: String) { self.description = description }
}
