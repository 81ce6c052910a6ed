// Commits to a store for as long as it lives, and says so after each commit: the revision, on a line
// of its own, written to standard output in one call. For tests that kill it.

import Foundation
import ListModel
import ListStore

let repository = try Repository(at: URL(fileURLWithPath: CommandLine.arguments[1]))
let list: ListID = "list"
var number = (try? repository.revision(of: list)) ?? 0
if number == 0 {
  number = 1
  try acknowledge(repository.commit([.insertSection("s")], to: list))
}

while true {
  // The number of an item is the revision that brings it, also after a kill.
  number += 1
  let item = ItemID(stringLiteral: "i\(number)")
  var changes: [Change] = [
    .insertItem(Item(id: item, cell: "Cell", content: "{\"n\":1}"), in: "s", at: .start),
    .updateItem(item, ItemUpdate(content: .set("{\"n\":2}"))),
  ]
  if number > 22, number % 2 == 0 {
    changes.append(.moveItem(item, to: .index(5)))
    changes.append(.deleteItem(ItemID(stringLiteral: "i\(number - 20)")))
  }
  try acknowledge(repository.commit(changes, to: list))
}

func acknowledge(_ commit: Commit) {
  FileHandle.standardOutput.write(Data("\(commit.revision)\n".utf8))
}
