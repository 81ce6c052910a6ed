import Cellar

// Article: begin
func forget(_ person: ItemID, in repository: Repository) async throws {
  let erased = try await repository.erase([.item(person, of: "people")])
  for reason in erased.remaining { print("not yet: \(reason)") }
}
// Article: end

// Article: begin
func finish(_ repository: Repository) throws -> Bool {
  try repository.erase([]).isComplete
}
// Article: end
