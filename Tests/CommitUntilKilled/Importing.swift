import Foundation
import ListModel
import ListStore
import TestSupport

/// Leaves edits in the store's edit folder and imports them, for ever.
///
/// "ITEM"
func importUntilKilled(_ file: URL) throws -> Never {
  let repository = try Repository(at: file)
  let edits = Repository.EditFolder(for: file)
  var number = 0
  let process = ProcessInfo.processInfo.processIdentifier
  while true {
    number += 1
    let id = ItemID(stringLiteral: "p\(process)-\(number)")
    let item = Item(id: id, cell: "Cell", content: "1")
    try edits.append([.insertItem(item, in: "s", at: .end)], to: "shelf")
    say("\(id)")
    if number % 5 == 0 { try repository.importEdits() }
  }
}
