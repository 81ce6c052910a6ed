import Foundation
import ListModel
import ListStore

/// Listens to a list that nobody changes, and tells what that costs.
func listen(to file: URL, forSeconds seconds: UInt32) throws {
  let repository = try Repository(existing: file)
  let revisions = repository.revisions(of: "list")
  let listener = Task {
    for await revision in revisions { say("revision \(revision)") }
  }
  // Once it has begun.
  sleep(1)
  let start = clock()
  sleep(seconds)
  let ticks = Double(clock() - start)
  say("\(Int(ticks / Double(CLOCKS_PER_SEC) * 1_000_000))")
  listener.cancel()
}
