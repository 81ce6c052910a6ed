import Foundation
import ListItems
import ListModel
import ListStore
import Providers
import TestSupport
import Testing

// Sections with their items, and values of several types at once.
extension ListEditorTests {
  @Test func aBuiltSectionIsInsertedWithItsItems() throws {
    let stored = [Self.item("i0"), Self.item("i1")]
    try edit { list throws in
      let index = try list.insertSection(
        ListSection("built", SectionAttributes(meta: "1")) {
          Book(id: "x", title: "")
          for id in ["y", "z"] { Book(id: id, title: "") }
          stored
        }, at: .start)
      #expect(index == 0)
      #expect(try list.tree().itemCounts == [5, 3, 2, 0])
    }
    #expect(try text() == "built: x y z i0 i1 | a: a0 a1 a2 | b: b0 b1 | empty:")
    #expect(try repository.tree(of: "list").sections[0].attributes.meta == "1")
    #expect(try repository.checkInvariants().isEmpty)
  }

  @Test func aBuiltSectionThatCannotBeStoredChangesNothing() throws {
    try edit { list throws in
      let failure = #expect(throws: StoreError.self) {
        try list.insertSection(ListSection("c") { Book(id: "", title: "") })
      }
      #expect(failure?.code == .invalidValue)
      #expect(try list.numberOfSections() == 3)
    }
  }

  @Test func aBuiltSectionIsInsertedAtTheFirstLaunchAlone() throws {
    func setUp() throws -> Bool {
      try edit { list throws in
        try list.insertSectionIfMissing(
          ListSection("built", SectionAttributes(meta: "1")) { Book(id: "x", title: "") },
          at: .start)
      }
    }
    #expect(try setUp())
    try edit { list throws in
      try list.updateSection("built") { $0.meta = "2" }
      try list.delete("x")
      try list.insert(Self.item("y"), in: "built")
    }
    #expect(try !setUp())
    #expect(try text() == "built: y | a: a0 a1 a2 | b: b0 b1 | empty:")
    #expect(try repository.tree(of: "list").sections[0].attributes.meta == "2")
    #expect(try repository.revision(of: "list") == 3)
  }

  @Test func valuesOfSeveralTypesAreInsertedAtOnce() throws {
    let quotes = ["q0", "q1"].map { Quote(id: $0) }
    try edit { list throws in
      let paths = try list.insert(in: "a", at: .after("a0")) {
        Book(id: "x", title: "")
        for quote in quotes { quote }
        Self.item("i")
      }
      #expect(paths == (1...4).map { Self.path(0, $0) })
      #expect(try list.insert(at: .before("b1")) { Book(id: "y", title: "") } == [Self.path(1, 1)])
    }
    #expect(try text() == "a: a0 x q0 q1 i a1 a2 | b: b0 y b1 | empty:")
    #expect(try repository.tree(of: "list").sections[0].items[2].state.type == "Quote")
    #expect(try repository.checkInvariants().isEmpty)
  }

  @Test func valuesOfSeveralTypesAreInsertedWhereAViewShowsThem() throws {
    try edit { list throws in
      try list.updateSection("a") { $0.visibility = .hidden }
      let paths = try list.insert(at: [0, 1]) {
        Book(id: "x", title: "")
        Quote(id: "q")
      }
      #expect(paths == [Self.path(1, 1), Self.path(1, 2)])
      let error = #expect(throws: StoreError.self) {
        try list.insert(at: [0, 9]) { Quote(id: "z") }
      }
      #expect(error?.code == .placeOutOfBounds)
    }
    #expect(try text() == "a: a0 a1 a2 | b: b0 x q b1 | empty:")
  }

  @Test func valuesOfWhichOneCannotBeStoredAreNotInserted() throws {
    try edit { list throws in
      let unusable = #expect(throws: StoreError.self) {
        try list.insert(in: "a") {
          Book(id: "x", title: "")
          Quote(id: "")
        }
      }
      #expect(unusable?.code == .invalidValue)
      let homeless = #expect(throws: StoreError.self) { try list.insert { Quote(id: "q") } }
      #expect(homeless?.code == .invalidValue)
    }
    #expect(try text() == "a: a0 a1 a2 | b: b0 b1 | empty:")
  }
}
