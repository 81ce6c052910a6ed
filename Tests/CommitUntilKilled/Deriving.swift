import DerivedLists
import Foundation
import ListModel
import ListStore
import TestSupport

/// Defines one derived list after another under one id, and changes their source meanwhile.
func deriveUntilKilled(_ file: URL, _ lines: [String]) throws -> Never {
  let repository = try Repository(existing: file)
  var generator = SystemRandomNumberGenerator()
  var number = 0
  while true {
    let line = lines[number % lines.count]
    say("defining \(number % lines.count)")
    try repository.define([(try DerivedDefinition(parsing: Array(line.utf8)), 1)]) { _ in
      // Some of these items are gone.
      let id = ItemID(stringLiteral: "i\(Int.random(in: 0..<3_000, using: &generator))")
      let content = "{\"t\":\"\(number)\",\"n\":\(number % 40)}"
      let changes: [Change] =
        Bool.random(using: &generator)
        ? [.updateItem(id, ItemUpdate(content: .set(JSON(stringLiteral: content))))]
        : [.deleteItem(id)]
      _ = try? repository.commit(changes, to: "l")
    }
    say("defined \(number % lines.count)")
    number += 1
  }
}
