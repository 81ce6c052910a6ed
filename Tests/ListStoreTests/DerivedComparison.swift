import ListModel
import ListStore
import TestSupport
import Testing

extension Repository {
  /// Expects the list `d` to be what a definition makes of the list `l`, and the store to be sound.
  func expectDerived(_ line: String, _ comment: Comment) throws {
    let wanted = try DerivedOracle(line).tree(of: tree(of: "l"))
    let found = try tree(of: "d")
    #expect(found.sections.map(\.id) == wanted.sections.map(\.id), comment)
    #expect(
      found.sections.map { $0.items.map(\.id) } == wanted.sections.map { $0.items.map(\.id) },
      comment)
    let problems = try checkInvariants()
    #expect(problems == [], comment)
  }
}
