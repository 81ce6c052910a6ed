/// What a check has found.
final class Problems: @unchecked Sendable {
  // Sendable: one task adds, and another reads after it has ended.
  private(set) var all: [String] = []

  func add(_ problem: String) { all.append(problem) }
}
