import Foundation
import ListInspection
import ListModel
import ListStore
import TestSupport
import Testing

/// What a difference says leads from one state to the other, and is the least.
@Suite struct DifferenceTests {
  @Test(arguments: [UInt64(1), 2, 3, 4]) func anyTwoRevisionsDifferAsTheirTreesDo(
    _ seed: UInt64
  ) throws {
    let bench = try InspectionBench()
    try bench.makeStore(seed: seed, commits: 24)
    let inspection = try Inspection(of: bench.file)
    let trees = try [0, 3, 9, 16, 23, 24].map { try inspection.tree(of: "first", at: $0) }
    for old in trees {
      for new in trees {
        let difference = Inspection.Difference(from: old, to: new)
        #expect(difference.from == old.revision)
        #expect(difference.to == new.revision)
        #expect(difference.isMetaChanged == (old.meta != new.meta))
        expectItems(difference, old, new)
        expectSections(difference, old, new)
      }
    }
  }

  private func items(_ tree: ListTree) -> [String: (section: String, index: Int, item: Item)] {
    var items: [String: (section: String, index: Int, item: Item)] = [:]
    for section in tree.sections {
      for (index, item) in section.items.enumerated() {
        items[item.id.rawValue] = (section.id.rawValue, index, item)
      }
    }
    return items
  }

  private func expectItems(
    _ difference: Inspection.Difference, _ old: ListTree, _ new: ListTree
  ) {
    func named(_ kind: Inspection.Difference.Kind) -> Set<String> {
      Set(difference.items.filter { $0.kinds.contains(kind) }.map(\.item))
    }
    let (before, after) = (items(old), items(new))
    #expect(Set(difference.items.map(\.item)).count == difference.items.count)
    #expect(named(.inserted) == Set(after.keys).subtracting(before.keys))
    #expect(named(.deleted) == Set(before.keys).subtracting(after.keys))
    let common = Set(before.keys).intersection(after.keys)
    #expect(
      named(.updated)
        == common.filter {
          before[$0]?.item.state.isEquivalent(to: after[$0]?.item.state ?? .absent) == false
        })
    for item in difference.items {
      #expect(item.from?.section == before[item.item]?.section)
      #expect(item.from?.path.last == before[item.item]?.index)
      #expect(item.to?.section == after[item.item]?.section)
      #expect(item.to?.path.last == after[item.item]?.index)
    }
    // Those that are not said to move stand in the same section, in the same order.
    let moved = named(.moved)
    #expect(moved.isSubset(of: common))
    let still = common.subtracting(moved)
    for section in new.sections {
      let now = section.items.map(\.id.rawValue).filter(still.contains)
      let then = old.sections.first { $0.id == section.id }?.items.map(\.id.rawValue)
        .filter(still.contains)
      #expect(now == then ?? [])
      // And none could stay besides.
      for item in section.items.map(\.id.rawValue) where moved.contains(item) {
        guard before[item]?.section == section.id.rawValue else { continue }
        let with = still.union([item])
        let nowWith = section.items.map(\.id.rawValue).filter(with.contains)
        let thenWith = old.sections.first { $0.id == section.id }?.items.map(\.id.rawValue)
          .filter(with.contains)
        #expect(nowWith != thenWith)
      }
    }
  }

  private func expectSections(
    _ difference: Inspection.Difference, _ old: ListTree, _ new: ListTree
  ) {
    func named(_ kind: Inspection.Difference.Kind) -> Set<String> {
      Set(difference.sections.filter { $0.kinds.contains(kind) }.map(\.section))
    }
    let before = old.sections.map(\.id.rawValue)
    let after = new.sections.map(\.id.rawValue)
    #expect(named(.inserted) == Set(after).subtracting(before))
    #expect(named(.deleted) == Set(before).subtracting(after))
    let still = Set(before).intersection(after).subtracting(named(.moved))
    let (then, now) = (before.filter(still.contains), after.filter(still.contains))
    #expect(then == now)
    let updated = new.sections.filter { section in
      old.sections.contains {
        $0.id == section.id && !$0.attributes.isEquivalent(to: section.attributes)
      }
    }
    #expect(named(.updated) == Set(updated.map(\.id.rawValue)))
    for section in difference.sections {
      #expect(section.from == before.firstIndex(of: section.section))
      #expect(section.to == after.firstIndex(of: section.section))
    }
  }

  @Test func anItemThatMovesAndChangesSaysBoth() {
    let old = ListTree(
      list: "l", revision: 3,
      sections: [
        .init(
          id: "a",
          items: ["x", "y", "z"].map {
            Item(id: ItemID(stringLiteral: $0), cell: "C", content: #"{"n":1.0}"#)
          }), .init(id: "b"),
      ])
    var new = old
    new.revision = 5
    var moved = new.sections[0].items.remove(at: 0)
    moved.state.content = "2"
    new.sections[1].items = [moved]
    // The same value in other words.
    new.sections[0].items[0].state.content = #"{"n":1}"#
    new.sections.swapAt(0, 1)
    let difference = Inspection.Difference(from: old, to: new, content: .full)
    #expect(difference.items.map(\.item) == ["x"])
    #expect(difference.items[0].kinds == [.moved, .updated])
    #expect(difference.items[0].from?.path == [0, 0])
    #expect(difference.items[0].to?.path == [0, 0])
    #expect(difference.items[0].to?.section == "b")
    #expect(difference.items[0].before?.content?.text == #"{"n":1.0}"#)
    #expect(difference.items[0].after?.content?.text == "2")
    #expect(difference.sections.count == 1)
    #expect(difference.sections[0].kinds == [.moved])
  }
}

extension ItemState {
  fileprivate static let absent = ItemState(cell: "absent", content: .null)
}
