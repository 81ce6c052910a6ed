import Cellar

/// The examples of an article, line by line; ``TaskArticleTests`` compares and runs them.
enum LookingIntoAStoreExample {
  static func check(_ repository: Repository) throws -> Int {
    // Article: begin
    let problems = try repository.checkInvariants()
    for problem in problems { print(problem) }
    // Article: end
    return problems.count
  }
}
