import StoreFiles
import StoreSchema

// What the files themselves tell, before SQLite opens a copy of them.
extension Finding {
  static func link(_ name: String, to target: String, _ path: String) -> Finding {
    Finding(
      severity: .notice, code: .link, place: name,
      message: "it is a link to \(target); \(path) was looked at",
      meaning: "SQLite keeps the log beside the file itself, not beside the link.",
      advice: "Copy the file that it leads to, with its -wal.")
  }

  static func header(_ path: String, _ bytes: [UInt8]) -> Finding {
    let what =
      bytes.count < 100
      ? "only \(bytes.count) bytes of it are there"
      : bytes.allSatisfy { $0 == 0 }
        ? "its first \(bytes.count) bytes are zero" : "its first bytes are not those of a database"
    return Finding(
      severity: .error, code: .header, place: path, message: what,
      meaning: "SQLite does not open the file, and neither does the app.",
      advice:
        "Look for another copy of the store, or try `cellar recover`: it reads the pages without the header."
    )
  }

  static func truncated(_ path: String, _ header: StoreEvidence.Header) -> Finding {
    let percent = header.presentPageCount * 100 / max(1, header.pageCount)
    return Finding(
      severity: .error, code: .truncated, place: path,
      message:
        "only \(header.presentPageCount) of \(header.pageCount) pages are there, \(percent) %",
      meaning: "The end was cut off, for instance by an upload; SQLite does not open the file.",
      advice: "Copy the file again; if there is no other, try `cellar recover`.")
  }

  static func logMissing(_ path: String, _ what: String) -> Finding {
    Finding(
      severity: .notice, code: .logMissing, place: path,
      message: "the store keeps a write-ahead log, and \(what)",
      meaning: "After the app has closed the store that is so. In a copy of a store that was open, "
        + "the newest commits are missing: they are in the -wal.",
      advice: "If the app was running, copy \(path)-wal, too.")
  }

  static func logTorn(_ path: String, _ log: WriteAheadLog) -> Finding {
    Finding(
      severity: .warning, code: .logTorn, place: path,
      message: "the last \(log.tornByteCount) bytes are broken, after \(log.commitCount) whole "
        + "commits",
      meaning: "What follows the last whole commit is lost; SQLite leaves it out without a word.",
      advice: "If this is a copy, copy the log again. After a power failure that is how it is.")
  }

  static func logUncommitted(_ path: String, _ byteCount: Int) -> Finding {
    Finding(
      severity: .notice, code: .logUncommitted, place: path,
      message: "\(byteCount) bytes at its end belong to no commit",
      meaning: "A transaction was being written, or was given up; nothing of it counts.",
      advice: "None is needed.")
  }

  static func logForeign(_ path: String, why: String) -> Finding {
    Finding(
      severity: .warning, code: .logForeign, place: path, message: why,
      meaning: "Nothing of it was used: the store is shown as its own file has it, and its newest "
        + "commits may be missing.",
      advice: "Look for the -wal that belongs to the store, and copy both together.")
  }

  static func journal(_ path: String, pageCount: Int) -> Finding {
    Finding(
      severity: .warning, code: .journal, place: path + "-journal",
      message: "a transaction was cut off; its journal restores \(pageCount) pages",
      meaning: "The store is shown as it was before that transaction, as the app will see it.",
      advice: "Keep the journal beside the store: without it the file has half a transaction.")
  }

  static func open(_ path: String, _ holder: String) -> Finding {
    Finding(
      severity: .notice, code: .open, place: path, message: holder,
      meaning: "The store is shown as of its last commit before it was copied.",
      advice: "Look again for what is written from now on.")
  }
}
