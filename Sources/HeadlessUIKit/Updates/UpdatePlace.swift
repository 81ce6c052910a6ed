import Foundation

/// The place of a section, or of an item in a section.
struct UpdatePlace: Hashable, Comparable {
  var section: Int
  /// The index of the item; `Int.max` for the section itself, which UIKit sorts after its items.
  var item: Int

  init(section: Int, item: Int = .max) {
    self.section = section
    self.item = item
  }

  init(_ path: IndexPath) { self.init(section: path.section, item: path.item) }

  var isSection: Bool { item == .max }

  var path: IndexPath { IndexPath(item: item, section: section) }

  static func < (first: UpdatePlace, second: UpdatePlace) -> Bool {
    (first.section, first.item) < (second.section, second.item)
  }

  /// The place as UIKit prints an index path, without the address of the object.
  var asIndexPath: String { "<NSIndexPath> {length = 2, path = \(section) - \(item)}" }

  /// The place as UIKit prints it in a list of updates.
  var short: String { isSection ? "(\(section))" : "(\(section) - \(item))" }
}

/// A move of a section or an item, from a place before the update to a place after it.
struct UpdateMove: Hashable {
  var from: UpdatePlace
  var to: UpdatePlace
}
