import ArgumentParser
import Foundation
import ListInspection
import ListModel

extension Inspect.Info {
  /// What the bytes are used for.
  func space(_ inspection: Inspection) -> InspectAnswer {
    let space = inspection.space()
    return InspectAnswer(space, isSound: space.findings.hasNoError, lines: space.lines)
  }
}

extension StoreSpace {
  fileprivate var lines: [String] {
    let space = self
    var lines = [
      "\(space.file): \(Output.count(space.byteCount, "byte"))"
        + (space.logByteCount.map { ", \($0) more in its write-ahead log" } ?? "")
    ]
    if space.method == .values {
      lines.append("values alone, because this SQLite does not count pages")
    }
    for part in StoreSpace.Part.allCases {
      let tables = space.tables.filter { $0.part == part && $0.byteCount > 0 }
      lines.append(
        Self.line(space.parts[part] ?? 0, of: space.byteCount, part.rawValue) + ": "
          + tables.map { "\($0.name) \($0.byteCount)" }.joined(separator: ", "))
    }
    lines.append(
      Self.line(space.freeByteCount, of: space.byteCount, "free: a VACUUM gives them back")
        + (space.unusedByteCount.map { ", and some of \($0) in pages that are used in part" }
          ?? ""))
    if let contents = space.loggedContentByteCount {
      let log = (space.parts[.log] ?? 0) + contents
      lines.append(
        "truncating the log gives back about \(log) bytes, \(contents) of them contents that only "
          + "it names")
    }
    return lines + space.lists.map(Self.line)
      + space.findings.filter { $0.code != .olderSchema }.flatMap(\.lines)
  }

  private static func line(_ bytes: Int, of whole: Int, _ what: String) -> String {
    let percent = whole == 0 ? 0 : Int((Double(bytes) / Double(whole) * 100).rounded())
    return String(bytes).leftPadded(to: 12) + "\(percent) % ".leftPadded(to: 7) + what
  }

  private static func line(_ list: StoreSpace.List) -> String {
    let parts = [
      list.itemCount.map { Output.count($0, "item") },
      list.contentByteCount.map { "contents of \(Output.count($0, "byte"))" },
      list.commitCount.map { Output.count($0, "commit") },
      list.changeByteCount.map { "changes of \(Output.count($0, "byte"))" },
      list.sizeCount.map { Output.count($0, "measured size") },
    ]
    return "list \"\(list.list)\": " + parts.compactMap(\.self).joined(separator: ", ")
  }
}
