import DerivedLists
import GRDB
import ListModel

extension DerivedUpdate {
  /// Takes out what the limit reaches no more, and adds what it reaches now.
  mutating func fillUp() throws {
    guard let limit = rule.limit else { return }
    let starts = try sectionStarts(limit)
    var present = 0
    for index in 0..<target.sectionTotal { present += try target.sectionRow(at: index).itemCount }
    // What goes out stands at the end.
    while present > 0 {
      var last = target.sectionTotal - 1
      while last >= 0, try target.sectionRow(at: last).itemCount == 0 { last -= 1 }
      guard last >= 0 else { break }
      let row = try target.sectionRow(at: last)
      let member = try target.tree.member(at: row.itemCount - 1, root: row.root)
      let id = try ItemID(member.name)
      if let place = try place(of: id), try isWithinLimit(place.path) { break }
      try remove(id)
      present -= 1
    }
    // What comes in stands behind all others that did not change.
    var missing = -present
    for (index, start) in starts.enumerated() {
      missing += min(try source.sectionRow(at: index).itemCount, max(0, limit - start))
    }
    var section = starts.count - 1
    while missing > 0, section >= 0 {
      let row = try source.sectionRow(at: section)
      var item = min(row.itemCount, max(0, limit - starts[section])) - 1
      while missing > 0, item >= 0 {
        let id = try ItemID(source.tree.member(at: item, root: row.root).name)
        if try target.items.find(id) == nil, let wanted = try wanted(id) {
          try insert(wanted)
          missing -= 1
        }
        item -= 1
      }
      section -= 1
    }
  }
}
