package import Foundation

/// A time in a file's name: `20261122T140300Z`.
package enum TimeStamp {
  private static var format: ISO8601DateFormatter {
    let format = ISO8601DateFormatter()
    format.formatOptions = [.withYear, .withMonth, .withDay, .withTime, .withTimeZone]
    return format
  }

  /// The text of a time, in whole seconds.
  package static func text(_ date: Date) -> String { format.string(from: date) }

  /// The time of such a text; `nil` if it is none.
  package static func date(_ text: String) -> Date? {
    text.utf8.count == 16 ? format.date(from: text) : nil
  }
}
