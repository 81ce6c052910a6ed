import BatchUpdates
import Foundation
import ListModel
import TestSupport
import Testing

/// The cases that peers' tests are made of, each with the fewest operations and stages known.
@Suite struct BatchCaseTests {
  struct Case: Decodable, Sendable, CustomTestStringConvertible {
    var name: String
    var old: [Part]
    var new: [Part]
    var updated: [String]?
    var updatedSections: [String]?
    var minimal: Minimal

    struct Part: Decodable {
      var section: String
      var items: [String]
    }

    struct Minimal: Decodable {
      var sd: Int, si: Int, sm: Int, id: Int, ii: Int, im: Int, stages: Int
    }

    var testDescription: String { name }

    func tree(_ parts: [Part], isNew: Bool) -> ListTree {
      func isUpdated(_ id: String, _ ids: [String]?) -> Bool { isNew && ids?.contains(id) == true }
      return ListTree(
        list: "list", revision: isNew ? 1 : 0,
        sections: parts.map { part in
          ListTree.Section(
            id: SectionID(stringLiteral: part.section),
            attributes: SectionAttributes(
              meta: isUpdated(part.section, updatedSections) ? "1" : nil),
            items: part.items.map { id in
              Item(
                id: ItemID(stringLiteral: id), cell: "Cell",
                content: isUpdated(id, updated) ? "1" : "0")
            })
        })
    }
  }

  static let cases: [Case] = {
    guard let file = PackageFiles.shared("batch-cases.json"),
      let data = try? Data(contentsOf: file),
      let cases = try? JSONDecoder().decode([Case].self, from: data)
    else { return [] }
    return cases
  }()

  @Test(
    .enabled(
      if: PackageFiles.shared("batch-cases.json") != nil, "needs ../shared/data/batch-cases.json"))
  func everyCaseIsRead() { #expect(Self.cases.count == 48) }

  @Test(
    .enabled(
      if: PackageFiles.shared("batch-cases.json") != nil, "needs ../shared/data/batch-cases.json"),
    arguments: cases)
  func takesNoMoreOperationsAndStagesThanKnown(_ example: Case) throws {
    let old = example.tree(example.old, isNew: false)
    let new = example.tree(example.new, isNew: true)
    let update = BatchUpdate(from: old, to: new)
    let found = MinimalOperations(of: update)
    #expect(found.deleteSections <= example.minimal.sd)
    #expect(found.insertSections <= example.minimal.si)
    #expect(found.moveSections <= example.minimal.sm)
    #expect(found.deleteItems <= example.minimal.id)
    #expect(found.insertItems <= example.minimal.ii)
    #expect(found.moveItems <= example.minimal.im)
    #expect(found.stages <= example.minimal.stages)
    #expect(found == MinimalOperations(from: old, to: new))
    var view = CheckingView(showing: old)
    try view.perform(update, showing: new)
  }
}
