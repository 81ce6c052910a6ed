import Cellar
import CellarUIKit
import Foundation

// Article: begin
func backUp(_ repository: Repository, in folder: URL) async throws -> URL {
  let copy = folder.appendingPathComponent("books \(UUID().uuidString).sqlite")
  try await repository.backup(to: copy)
  return copy
}
// Article: end

// Article: begin
func replaceStore(_ repository: Repository, by copy: URL) throws -> Repository {
  let file = repository.file
  try repository.close()
  try FileManager.default.removeItem(at: file)
  try FileManager.default.copyItem(at: copy, to: file)
  return try Repository(existing: file)
}
// Article: end

/// The examples of an article, line by line; ``ScreenArticleTests`` compares and runs them.
@MainActor enum BackupAndCloseExample {
  static func tell(_ adapter: ListAdapter, openAnew: @escaping @MainActor () -> Void) {
    // Article: begin
    adapter.onProblem = { problem in
      let error = (problem as? UnreadableItems)?.cause ?? problem as? StoreError
      if error?.code == .closed { openAnew() } else { print(problem) }
    }
    // Article: end
  }
}

// Article: begin
@MainActor func didEnterBackground(_ adapter: ListAdapter) throws {
  try adapter.saveViewState()
  adapter.list.repository.suspend()
}

@MainActor func willEnterForeground(_ adapter: ListAdapter) {
  adapter.list.repository.resume()
}
// Article: end
