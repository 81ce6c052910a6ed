import Foundation
import GRDB

/// The log of the list as it is in the relay's file, read without the relay: what nodes have made of it,
/// and whether that is what they have said.
@MainActor final class RelayLog {
  let file: URL
  private var queue: DatabaseQueue?
  private(set) var model = ModelList()
  /// What the list was at each line, and before the first one; `nil` after lines that nobody has read.
  private var texts: Set<String>? = [ModelList().text]
  /// The position of the last line.
  private(set) var end: String?
  private var last = 0
  /// The numbers of the lines that have edits, by the edits' ids.
  private(set) var taken: [String: Int] = [:]
  private(set) var problem: Violation?
  /// What nodes have answered to edits.
  private var acknowledged: [String: Int] = [:]
  private var refused: Set<String> = []
  /// What edits do that nodes were asked to make and that the file has not answered, by their ids.
  private var asked: [String: [[String: Any]]] = [:]
  /// Those of them that did not fit the list at some line since then.
  ///
  /// One node may refuse an edit for the list as it is while another one appends a line with which it fits.
  private var unfit: Set<String> = []
  /// The edits that the file says were refused.
  private var refusals: Set<String> = []
  /// What edits of users must make of the list, if nothing comes between, by their ids.
  private var intents: [String: (last: Int, list: ModelList)] = [:]

  init(at file: URL) { self.file = file }

  /// Closes the file, so that whoever opens it next is the first.
  func close() {
    try? queue?.close()
    queue = nil
  }

  func mayHaveBeen(_ list: ModelList) -> Bool { texts?.contains(list.text) ?? true }

  func expect(_ edit: String, toMake list: ModelList) { intents[edit] = (last, list) }

  /// Notes what a node is asked to do, if that is an edit.
  func noteQuestion(_ body: Data) {
    guard let members = jsonMembers(body), let edit = members["edit"] as? String,
      taken[edit] == nil, !refusals.contains(edit)
    else { return }
    asked[edit] = members["ops"] as? [[String: Any]]
    noteUnfit()
  }

  private func noteUnfit() {
    for edit in asked.keys where !unfit.contains(edit) && !fits(edit) { unfit.insert(edit) }
  }

  /// Notes what a node has answered to an edit: from now on that must be so.
  func note(_ status: Int, _ answer: String, to body: Data) {
    guard let edit = jsonMembers(body)?["edit"] as? String else { return }
    let members = jsonMembers(Data(answer.utf8))
    switch status {
    case 200: acknowledged[edit] = (members?["seq"] as? String).flatMap { Int($0) } ?? 0
    case 409: refused.insert(edit)
    default: break
    }
  }

  /// Reads the lines that have been appended, before any of them is dropped.
  func read() {
    do {
      let (found, refusals) = try newLines()
      var lines = found[...]
      // What was appended is not taken back. Where there is more, the last one may have been dropped.
      if let first = lines.first, first.number == last {
        if "\(first.number):\(first.hash)" != end {
          return fail("line \(last) is another one", "durable")
        }
        lines = lines.dropFirst()
      } else if lines.isEmpty, last > 0 {
        return fail("line \(last) is gone", "durable")
      }
      if let first = lines.first, first.number > last + 1 { try skip(to: first.number) }
      for line in lines where line.number > last { apply(line) }
      for edit in refusals.subtracting(self.refusals) {
        if asked.removeValue(forKey: edit) != nil, !unfit.contains(edit) {
          fail("edit \(edit) was refused, and fits")
        }
      }
      self.refusals = refusals
    } catch let error as DatabaseError {
      log("the log is not read: \(error)")
      // A file whose log must be recovered first is read later.
      if ![.SQLITE_BUSY, .SQLITE_CANTOPEN, .SQLITE_READONLY].contains(error.resultCode) {
        fail("can't be read: \(error)")
      }
      return close()
    } catch { return fail("\(error)") }
    for (edit, number) in acknowledged where taken[edit] != number {
      fail(
        "edit \(edit) was answered with line \(number), and is in \(taken[edit] ?? 0)", "durable")
    }
    for edit in refused where taken[edit] != nil { fail("edit \(edit) was refused, and made") }
  }

  private typealias Line = (number: Int, hash: String, text: String)

  /// Whether an edit can be made of the list as it is.
  private func fits(_ edit: String) -> Bool {
    guard let operations = asked[edit] else { return false }
    var after = model
    do {
      for members in operations { try after.apply(ModelList.Operation(members)) }
      return true
    } catch { return false }
  }

  /// The last line that is known, and those after it; the edits that were refused.
  private func newLines() throws -> ([Line], refusals: Set<String>) {
    var configuration = Configuration()
    configuration.readonly = true
    let queue = try queue ?? DatabaseQueue(path: file.path, configuration: configuration)
    self.queue = queue
    return try queue.read { db in
      let lines = try Row.fetchAll(
        db,
        sql: """
          SELECT line.seq, lower(hex(line.hash)), line.text
          FROM line JOIN list ON list.number = line.list WHERE list.id = ? AND line.seq >= ?
          ORDER BY line.seq
          """, arguments: [FeedServer.list, last]
      ).map { (number: $0[0] as Int, hash: $0[1] as String, text: $0[2] as String) }
      let refusals = try String.fetchSet(
        db,
        sql: """
          SELECT edit.id FROM edit JOIN list ON list.number = edit.list
          WHERE list.id = ? AND edit.seq IS NULL
          """, arguments: [FeedServer.list])
      return (lines, refusals)
    }
  }

  /// Takes from a snapshot what nobody has read before it was dropped: a node that has appended it was
  /// killed before it could say so.
  private func skip(to first: Int) throws {
    let found = try queue?.read { db in
      let snapshot = try Row.fetchOne(
        db,
        sql: """
          SELECT snapshot.seq, snapshot.text
          FROM snapshot JOIN list ON list.number = snapshot.list
          WHERE list.id = ? AND snapshot.seq >= ? AND text IS NOT NULL ORDER BY snapshot.seq LIMIT 1
          """, arguments: [FeedServer.list, first])
      let edits = try Row.fetchAll(
        db,
        sql: """
          SELECT edit.id, edit.seq FROM edit JOIN list ON list.number = edit.list
          WHERE list.id = ? AND edit.seq > ?
          """, arguments: [FeedServer.list, last]
      ).map { ($0[0] as String, $0[1] as Int) }
      return (
        snapshot: snapshot.map { (number: $0[0] as Int, text: $0[1] as String) }, edits: edits
      )
    }
    guard let found, let snapshot = found.snapshot,
      let sections = jsonMembers(Data(snapshot.text.utf8))?["sections"] as? [[String: Any]]
    else { return }
    model = try ModelList(sections)
    texts = nil
    last = snapshot.number
    for (edit, number) in found.edits where number <= last {
      taken[edit] = number
      asked[edit] = nil
    }
    // What the lines between were is not known.
    unfit.formUnion(asked.keys)
  }

  private func apply(_ line: Line) {
    log(line.text)
    let before = last
    last = line.number
    end = "\(line.number):\(line.hash)"
    if line.number != before + 1 { fail("line \(line.number) follows line \(before)") }
    if LineDigest.prefix(of: line.text) != line.hash {
      fail("line \(line.number) has another hash")
    }
    guard let members = jsonMembers(Data(line.text.utf8)) else {
      return fail("line \(line.number) is no JSON")
    }
    do {
      if let sections = members["sections"] as? [[String: Any]] {
        model = try ModelList(sections)
      }
      for operation in members["ops"] as? [[String: Any]] ?? []
      where operation["op"] as? String != "updateList" {
        try model.apply(ModelList.Operation(operation))
      }
    } catch { fail("line \(line.number) does not fit: \(error)") }
    texts?.insert(model.text)
    defer { noteUnfit() }
    guard let edit = members["edit"] as? String else { return }
    if let first = taken[edit] { fail("edit \(edit) is in lines \(first) and \(line.number)") }
    taken[edit] = line.number
    asked[edit] = nil
    if let intent = intents[edit], intent.last == before, intent.list != model {
      fail("edit \(edit) makes\n\(model.text)\ninstead of\n\(intent.list.text)", "intent")
    }
  }

  private func fail(_ text: String, _ check: String = "log") {
    if problem == nil {
      problem = Violation(check, check == "log" ? "the relay's log: \(text)" : text)
    }
  }
}
