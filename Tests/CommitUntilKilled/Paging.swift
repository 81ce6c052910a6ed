import Foundation
import GRDB
import ListItems
import ListModel
import ListStore
import ListSync
import Pages
import TestSupport

/// Loads the page of a gap, beside other processes that may load the same.
func loadPage(of gap: ItemID, in list: ListID, _ file: URL, answeredBy signal: URL) async throws {
  var options = Repository.Options()
  options.prepareConnection = { db in
    db.trace { event in if "\(event)".contains("INSERT INTO pageRequest") { say("noting") } }
  }
  let repository = try Repository(existing: file, options: options)
  try await repository.liveList(list, pages: WaitingServer(signal: signal)).loadPage(of: gap)
  say("loaded")
}

/// A server with one more page, and others after it.
private struct WaitingServer: PageLoader {
  let signal: URL

  func page(_ request: PageRequest) async throws -> Page {
    say("asked")
    while !FileManager.default.fileExists(atPath: signal.path) {
      try await Task.sleep(for: .milliseconds(1))
    }
    let number = Int(request.cursor ?? "") ?? 0
    let items = (number + 1...number + 10).map {
      Item(id: ItemID(stringLiteral: "i\($0)"), cell: "C", content: JSON(stringLiteral: "\($0)"))
    }
    return Page(items: items, after: "\(number + 10)")
  }
}
