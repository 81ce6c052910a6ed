import Foundation
import ListItems
import ListModel
import ListStore

/// What the items of a store become: see `KilledUpgradeTests`.
private struct Row: ListItem {
  var id: String, title: String

  static var contentVersion: Int { 2 }
  static func upgrade(_ content: inout JSON, from version: Int) throws {
    try content.rename("name", to: "title")
  }

  func configure(_ cell: NSObject) {}
}

/// Upgrades the contents of a store and does not end: the number of upgraded items after each
/// commit.
func upgradeContents(_ file: URL) throws -> Never {
  try Repository(existing: file).upgradeContents(of: [Row.self]) {
    say("\($0.upgraded.values.reduce(0, +))")
  }
  while true { sleep(60) }
}
