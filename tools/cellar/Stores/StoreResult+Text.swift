import Foundation
import ListInspection
import ListModel
import StoreSchema

extension StoreResult {
  /// What people read of a file; empty if nothing but an error is known of it.
  func plainText(of file: String) -> [String] {
    if let lines = contentLines(of: file) { return lines }
    guard schemaVersion != nil || backups != nil || findings != nil else { return [] }
    let version = schemaVersion.map(String.init) ?? "unknown"
    var lines = ["\(file): schema version \(version) of \(latestVersion)"]
    if let plan, plan.toVersion != schemaVersion { lines[0] += ", \(plan.toVersion) then" }
    if migrations == nil { lines[0] += ", \(outcome)" }
    lines += (migrations ?? []).map { "  \($0.state.padded(to: 12))\($0.name)" }
    lines += plan?.lines ?? []
    lines += (findings ?? []).flatMap(\.lines)
    lines += (schemaDifferences ?? []).flatMap(\.plainText)
    lines += (foreignSQL ?? []).map { object in
      "  \(object.description), which no migration makes"
        + (object.runsWhenWritten ? "; it would run at each write" : "")
    }
    if let backup { lines.append("  backup      " + backup) }
    lines += (removedBackups ?? []).map { "  removed     \($0), an older backup" }
    lines += (appObjects ?? []).map {
      "  made anew   \($0) of the app, whose table was written anew"
    }
    lines += (backups ?? []).map { backup in
      "  version \(backup.schemaVersion)   \(backup.file), \(backup.byteCount) bytes"
    }
    lines += (repairs ?? []).map { "  repaired    " + $0 }
    lines += (losses ?? []).map { "  lost        " + $0 }
    lines += (remaining ?? []).map { "  remains     " + $0 }
    return lines
  }
}

extension SchemaDifference {
  /// The object, and its SQL: what the version has behind `-`, what the store has behind `+`.
  var plainText: [String] {
    ["  \(kind) \(name) is \(found == nil ? "missing" : "not as the version has it")"]
      + lines.map { "    " + $0 }
  }
}

extension MigrationPlan {
  /// What people read of a plan.
  var lines: [String] {
    var lines = steps.map { step in
      let seconds = String(format: "%.2f s", step.seconds)
      return "  \(seconds.padded(to: 12))\(step.name)"
        + (step.rewritesTables ? ", writes tables anew" : "")
    }
    lines += steps.flatMap(\.appObjects).map { "  made anew   \($0) of the app" }
    if steps.isEmpty { return ["  nothing to do"] }
    lines.append(
      "  size        \(byteCountBefore) bytes, then \(byteCountAfter)")
    lines.append(
      "  disk        \(neededByteCount) bytes needed for a while, "
        + (freeByteCount.map { "\($0) free" } ?? "free bytes not known")
        + (hasRoom ? "" : ": not enough"))
    if makesBackup { lines.append("  backup      is made first") }
    let changed = tables.filter { $0.rowsBefore != $0.rowsAfter }
    lines += changed.map { table in
      "  rows        \(table.name): \(Self.text(table.rowsBefore)), then \(Self.text(table.rowsAfter))"
    }
    let kept = tables.count - changed.count
    if kept > 0 { lines.append("  rows        as many in \(Output.count(kept, "other table"))") }
    lines.append("  then        " + (findings.isEmpty ? "sound" : "not sound:"))
    return lines + findings.flatMap(\.lines)
  }

  private static func text(_ rows: Int?) -> String { rows.map(String.init) ?? "no table" }
}
