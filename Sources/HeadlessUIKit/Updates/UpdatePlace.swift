import Foundation

/// A section, or an item in one.
struct UpdatePlace: Hashable, Comparable {
  var section: Int
  /// `Int.max` for a section as a whole, so that it sorts after its items, as UIKit sorts it.
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

  /// As UIKit prints an index path, without its address.
  var asIndexPath: String { "<NSIndexPath> {length = 2, path = \(section) - \(item)}" }

  /// As UIKit prints a place in a list of updates.
  var short: String { isSection ? "(\(section))" : "(\(section) - \(item))" }
}

/// A section or an item that goes from a place before to one after.
struct UpdateMove: Hashable {
  var from: UpdatePlace
  var to: UpdatePlace
}
