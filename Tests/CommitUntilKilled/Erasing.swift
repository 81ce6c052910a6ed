import Foundation
import ListModel
import ListStore
import StoreSchema

/// Inserts items and erases them one after another, for as long as the process lives: "inserted NAME"
/// and "erased NAME" for each.
func eraseUntilKilled(_ file: URL, _ run: String) throws -> Never {
  let repository = try Repository(existing: file)
  var number = 0
  while true {
    number += 1
    let name = "secret-\(run)-\(number)-secret"
    let item = try ItemID(name)
    let content = try JSON(parsing: "{\"text\":\"\(String(repeating: name, count: 300))\"}")
    try repository.commit(
      [.insertItem(Item(id: item, cell: "C", content: content), in: "s")], to: "list")
    try repository.commit([.touchItem(item), .moveItem("i5", to: .after(item))], to: "list")
    _ = try StoreBackup.make(of: file)
    say("inserted \(name)")
    guard try repository.erase([.item(item, of: "list")]).isComplete else { exit(1) }
    say("erased \(name)")
  }
}
