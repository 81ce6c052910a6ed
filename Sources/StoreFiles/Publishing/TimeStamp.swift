package import Foundation
package import ListModel

/// A time in a file's name, in whole seconds, with a number behind it from the second file of a
/// second on: `20261122T140300Z-2`.
package struct TimeStamp: Comparable, Sendable {
  /// The time.
  package let date: Date
  private let number: Int

  private init(_ date: Date, _ number: Int) {
    self.date = date
    self.number = number
  }

  /// The stamp that has a text; `nil` if none has.
  package init?(_ text: Substring) {
    let words = text.split(separator: "-")
    guard (1...2).contains(words.count), words[0].utf8.count == 16,
      let date = Self.format.date(from: String(words[0])),
      let number = words.count == 1 ? 1 : Int(words[1]), number < 1_000_000
    else { return nil }
    self.init(date, number)
  }

  /// What stands in a name.
  package var text: String { Self.format.string(from: date) + (number == 1 ? "" : "-\(number)") }

  /// Takes the first stamp of this second that is free.
  ///
  /// `newest`: If it is of this second, the stamp is a later one: older files of the second may be
  /// deleted already, and what is made last is not to seem the oldest.
  /// `attempt`: Returns `nil` if a file has the name already.
  package static func take<Value>(
    after newest: TimeStamp? = nil, _ attempt: (TimeStamp) throws(StoreError) -> Value?
  ) throws(StoreError) -> Value {
    let now = Date(timeIntervalSince1970: Date().timeIntervalSince1970.rounded(.down))
    var number = 1
    if let newest, newest.date == now { number = newest.number + 1 }
    while true {
      if let value = try attempt(TimeStamp(now, number)) { return value }
      number += 1
    }
  }

  /// Whether one is earlier, or has a lower number.
  package static func < (lhs: TimeStamp, rhs: TimeStamp) -> Bool {
    (lhs.date, lhs.number) < (rhs.date, rhs.number)
  }

  private static var format: ISO8601DateFormatter {
    let format = ISO8601DateFormatter()
    format.formatOptions = [.withYear, .withMonth, .withDay, .withTime, .withTimeZone]
    return format
  }
}
