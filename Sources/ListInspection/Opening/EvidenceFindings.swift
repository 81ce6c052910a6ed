import ListModel
import StoreFiles
import StoreSchema

// What the files themselves tell, before SQLite opens a copy of them.
extension Finding {
  static func link(_ name: String, to target: String, _ path: String) -> Finding {
    Finding(
      severity: .notice, code: .link, place: name,
      message: "it is a link to \(target); \(path) was looked at",
      meaning: "SQLite keeps the log beside that file, not beside the link.",
      advice: "To send the store to somebody, copy that file, with its -wal.")
  }

  static func header(_ path: String, _ bytes: [UInt8]) -> Finding {
    Finding(
      severity: .error, code: .header, place: path, message: DatabaseHeader.fault(of: bytes),
      meaning: "The app can't open the store.",
      advice: "Run `cellar repair FILE`: it reads the pages without the header.")
  }

  static func truncated(_ path: String, _ header: StoreEvidence.Header) -> Finding {
    let percent = header.presentPageCount * 100 / max(1, header.pageCount)
    return Finding(
      severity: .error, code: .truncated, place: path,
      message:
        "only \(header.presentPageCount) of \(header.pageCount) pages are there, \(percent) %",
      meaning: "The end was cut off, for instance in an upload; the app can't open the store.",
      advice: "Copy the file again. If there is no other, run `cellar repair FILE`.")
  }

  static func longer(_ path: String, _ header: StoreEvidence.Header, _ rest: Int) -> Finding {
    Finding(
      severity: .warning, code: .longer, place: path,
      message: "\(rest) bytes follow the \(header.pageCount) pages that its header counts",
      meaning: "They are no part of the store: SQLite does not read them.",
      advice: "Look how they came there. `cellar backup` makes a copy without them.")
  }

  static func logMissing(_ path: String, _ evidence: String) -> Finding {
    Finding(
      severity: .warning, code: .logMissing, place: path,
      message: "its write-ahead log seems to be missing: \(evidence)",
      meaning: "The store was in use when it was copied, or the log was deleted. The newest "
        + "commits are in the log, and not in what is shown.",
      advice: "Copy the store again, with \(path)-wal.")
  }

  static func logTorn(_ path: String, _ log: WriteAheadLog) -> Finding {
    Finding(
      severity: .warning, code: .logTorn, place: path,
      message: "the last \(log.tornByteCount) bytes are broken, after \(log.commitCount) whole "
        + "commits",
      meaning: "What was written after the last whole commit is lost; the app goes on without it.",
      advice: "If this is a copy, copy the log again. After a power failure nothing can be done: "
        + "the app removes the bytes when it opens the store.")
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
      advice: "Look for the -wal that belongs to the store, and copy both. If there is none, run "
        + "`cellar repair FILE`: it takes the wrong one away.")
  }

  static func journal(_ path: String, pageCount: Int) -> Finding {
    Finding(
      severity: .warning, code: .journal, place: path + "-journal",
      message: "a transaction was cut off; its journal restores \(pageCount) pages",
      meaning: "The store is shown as it was before that transaction, as the app will see it.",
      advice: "Keep the journal beside the store, and open it with the app: it takes the "
        + "transaction back.")
  }

  static func open(_ path: String, _ holder: String) -> Finding {
    Finding(
      severity: .notice, code: .open, place: path, message: holder,
      meaning: "The store is shown as of its last commit before it was copied.",
      advice: "Look again for what is written from now on.")
  }
}
