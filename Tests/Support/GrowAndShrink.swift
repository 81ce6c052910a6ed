import Foundation
package import ListModel

/// A list that grows and shrinks for ever.
///
/// Each commit is a function of its revision alone, and so is the list: a process that was killed
/// can go on, and a test knows every revision without having seen it. Ids die and come back.
package struct GrowAndShrink: Sendable {
  /// What a process is asked for by.
  package let name: String
  /// Items that stay.
  private let permanent: Int
  /// Items that one commit inserts or deletes, all at one spot.
  private let chunk: Int
  /// Commits that insert, before as many that delete.
  private let chunks: Int
  /// The changes that the log keeps.
  package let retainedChanges: Int
  /// After how many commits the log is truncated.
  package let truncationInterval: Int
  /// Made once: a test asks for many revisions of thousands of items.
  private let made = MadeItems()

  /// 20 to 164 items, one level of blocks and two; the log is truncated after every commit.
  package static let short = GrowAndShrink(
    name: "short", permanent: 20, chunk: 6, chunks: 24, retainedChanges: 30,
    truncationInterval: 1)

  /// 4,000 to 14,000 items, two levels of blocks and three.
  ///
  /// What the log drops at a time is more than one transaction deletes.
  package static let long = GrowAndShrink(
    name: "long", permanent: 4_000, chunk: 500, chunks: 20, retainedChanges: 1_500,
    truncationInterval: 14)

  package static let all = [short, long]

  /// The changes of a commit.
  package func changes(ofRevision revision: Int) -> [Change] {
    guard revision > 1 else {
      return [.insertSection("a"), .insertSection("b")]
        + stayers.map { .insertItem($0, in: "a") } + [.insertItem(Self.marker, in: "a")]
    }
    let (step, isGrowing) = phase(ofRevision: revision)
    let items = items(ofChunk: step)
    var changes: [Change]
    if isGrowing {
      let place = place(ofChunk: step)
      changes = items.map { .insertItem($0, in: "a", at: place) }
    } else {
      // Every other one first, so that blocks are thin before they are empty.
      let order = stride(from: 0, to: chunk, by: 2).map(\.self) + stride(from: 1, to: chunk, by: 2)
      changes = order.map { .deleteItem(items[$0].id) }
    }
    changes.append(.moveSection("b", to: revision % 2 == 0 ? .start : .end))
    changes.append(
      .moveItem(Self.marker.id, in: revision % 2 == 0 ? "b" : "a", to: .end))
    return changes
  }

  /// The list after a commit.
  package func tree(_ list: ListID, atRevision revision: Int) -> ListTree {
    guard revision > 0 else { return ListTree(list: list) }
    var present: Range<Int> = 0..<0
    if revision > 1 {
      let (step, isGrowing) = phase(ofRevision: revision)
      present = isGrowing ? 0..<(step + 1) : (step + 1)..<chunks
    }
    // Each item was put before the one before it, but those before the anchor.
    func reversed(_ spot: Int) -> [Item] {
      present.filter { $0 % 3 == spot }.flatMap { items(ofChunk: $0) }.reversed()
    }
    let stayers = stayers
    var placed = reversed(0) + stayers[..<(permanent / 2)] + reversed(1)
    placed += present.filter { $0 % 3 == 2 }.flatMap { items(ofChunk: $0) }
    placed += stayers[(permanent / 2)...]
    let isMarkerInB = revision % 2 == 0
    let a = ListTree.Section(id: "a", items: placed + (isMarkerInB ? [] : [Self.marker]))
    let b = ListTree.Section(id: "b", items: isMarkerInB ? [Self.marker] : [])
    return ListTree(list: list, revision: revision, sections: isMarkerInB ? [b, a] : [a, b])
  }

  private static let marker = Item(id: "marker", cell: "Cell", content: "null")

  private var stayers: [Item] {
    made[-1] { (0..<permanent).map { Self.item("p\($0)", $0) } }
  }

  private func phase(ofRevision revision: Int) -> (chunk: Int, isGrowing: Bool) {
    let step = (revision - 2) % (chunks * 2)
    return step < chunks ? (step, true) : (step - chunks, false)
  }

  private func place(ofChunk number: Int) -> Place<ItemID> {
    switch number % 3 {
    case 0: .start
    case 1: .after(ItemID(stringLiteral: "p\(permanent / 2 - 1)"))
    default: .before(ItemID(stringLiteral: "p\(permanent / 2)"))
    }
  }

  private func items(ofChunk number: Int) -> [Item] {
    made[number] { (0..<chunk).map { Self.item("c\(number)-\($0)", $0) } }
  }

  /// Items by the number of their chunk.
  private final class MadeItems: @unchecked Sendable {
    private let lock = NSLock()
    /// Guarded by the lock.
    private var items: [Int: [Item]] = [:]

    subscript(chunk: Int, make: () -> [Item]) -> [Item] {
      lock.withLock {
        if let known = items[chunk] { return known }
        let made = make()
        items[chunk] = made
        return made
      }
    }
  }

  private static func item(_ id: String, _ number: Int) -> Item {
    Item(
      id: ItemID(stringLiteral: id), cell: "Cell", content: JSON(stringLiteral: "\(number)"))
  }
}
