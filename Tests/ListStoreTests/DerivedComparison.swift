import ListModel
import ListStore
import TestSupport
import Testing

extension Repository {
  /// Expects a derived list to be what its definition makes of its source, and the store to be sound.
  func expectDerived(_ line: String, _ comment: Comment) throws {
    try expectTree(line, comment)
    let problems = try checkInvariants()
    #expect(problems == [], comment)
  }

  /// As ``expectDerived(_:_:)``, without a check of the store.
  func expectTree(_ line: String, _ comment: Comment) throws {
    let oracle = try DerivedOracle(line)
    let wanted = oracle.tree(of: try tree(of: oracle.source))
    let found = try tree(of: oracle.derived)
    #expect(found.sections.map(\.id) == wanted.sections.map(\.id), comment)
    #expect(
      found.sections.map { $0.items.map(\.id) } == wanted.sections.map { $0.items.map(\.id) },
      comment)
  }
}
