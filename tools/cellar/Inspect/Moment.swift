import ArgumentParser
import Foundation
import ListInspection
import ListModel

/// A moment in the history of a store, as it is given to a command: 1202, 2026-11-22T14:03:00Z,
/// wal:3.
enum Moment: ExpressibleByArgument {
  case revision(Int)
  /// In milliseconds since 1970.
  case time(Int)
  /// After a commit of the write-ahead log.
  case logCommit(Int)

  /// No list has so many commits: numbers from here on are times, of March 1973 and later.
  private static let leastTime = 100_000_000_000
  private static let mostTime = 100_000_000_000_000

  init?(argument: String) {
    if argument.hasPrefix("wal:") {
      guard let number = Int(argument.dropFirst(4)), number >= 0 else { return nil }
      self = .logCommit(number)
    } else if let number = Int(argument),
      !(Self.leastTime..<Self.mostTime).contains(number)
    {
      self = .revision(number)
    } else {
      guard let time = StoreTime(argument: argument) else { return nil }
      self = .time(time.milliseconds.upperBound)
    }
  }

  /// Whether it is in the log of lists, and not in that of the file.
  var isOfStore: Bool {
    if case .logCommit = self { false } else { true }
  }

  /// The store at this moment, as far as the write-ahead log tells.
  func inspection(_ whole: Inspection) throws -> Inspection {
    guard case .logCommit(let number) = self else { return whole }
    return try whole.atLogCommit(number)
  }

  /// The revision of a list at this moment.
  func revision(of list: ListID, _ inspection: Inspection) throws -> Int {
    switch self {
    case .revision(let revision): revision
    case .time(let time): try inspection.revision(of: list, at: time)
    case .logCommit: try inspection.revision(of: list)
    }
  }
}

/// A time as it is given to a command: a number of milliseconds since 1970, or ISO 8601.
struct StoreTime: ExpressibleByArgument {
  /// In milliseconds since 1970: more than one if the text is a second or a day, because that is how
  /// times are printed.
  let milliseconds: ClosedRange<Int>

  init?(argument: String) {
    if let number = Int(argument) {
      milliseconds = number...number
      return
    }
    let style: Date.ISO8601FormatStyle
    let length: Int
    if argument.contains(".") {
      (style, length) = (Date.ISO8601FormatStyle(includingFractionalSeconds: true), 1)
    } else if argument.contains("T") {
      (style, length) = (Date.ISO8601FormatStyle(), 1_000)
    } else {
      (style, length) = (Date.ISO8601FormatStyle().year().month().day(), 86_400_000)
    }
    guard let date = try? style.parse(argument),
      let first = Int(exactly: (date.timeIntervalSince1970 * 1_000).rounded())
    else { return nil }
    milliseconds = first...first + length - 1
  }
}
