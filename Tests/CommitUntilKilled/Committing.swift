import Foundation
import ListModel
import ListStore
import TestSupport
import ListTables

private let list: ListID = "list"

/// Commits for ever; the number of an item is the revision that brings it, also after a kill.
func commitSmallChanges(to file: URL) throws -> Never {
  let repository = try Repository(at: file)
  var number = (try? repository.revision(of: list)) ?? 0
  if number == 0 {
    number = 1
    say("\(try repository.commit([.insertSection("s")], to: list).revision)")
  }
  while true {
    number += 1
    let item = ItemID(stringLiteral: "i\(number)")
    var changes: [Change] = [
      .insertItem(Item(id: item, cell: "Cell", content: "{\"n\":1}"), in: "s", at: .start),
      .updateItem(item, ItemUpdate(content: .set("{\"n\":2}"))),
    ]
    if number > 22, number % 2 == 0 {
      changes.append(.moveItem(item, to: .index(5)))
      changes.append(.deleteItem(ItemID(stringLiteral: "i\(number - 20)")))
    }
    say("\(try repository.commit(changes, to: list).revision)")
  }
}

/// Goes on with a script, and truncates the log.
func growAndShrink(_ file: URL, _ name: String) throws -> Never {
  guard let script = GrowAndShrink.all.first(where: { $0.name == name }) else {
    fatalError("there is no script \"\(name)\"")
  }
  let repository = try Repository(at: file)
  var revision = (try? repository.revision(of: list)) ?? 0
  while true {
    revision += 1
    let commit = try repository.commit(script.changes(ofRevision: revision), to: list)
    say("\(commit.revision)")
    if revision % script.truncationInterval == 0 {
      let floor = try repository.truncateLog(
        of: list, keeping: LogRetention(changes: script.retainedChanges))
      say("floor \(floor)")
    }
  }
}

/// Commits what a writer does, beside others, for a while.
///
/// `leastCount`: How many commits it makes in any case, however slow the machine is.
/// `also`: Called before each commit, with its number; once more if the store was busy.
func writeBesideOthers(
  _ file: URL, _ script: WriterScript, forSeconds seconds: Double, pause: UInt32 = 0,
  leastCount: Int = 0, also: (Repository, Int) throws -> Void = { _, _ in }
) throws {
  let author = try Author(script.writer)
  var options = Repository.Options()
  options.logRetention = nil
  let repository = try Repository(existing: file, options: options)
  var number = 1
  let end = Date(timeIntervalSinceNow: seconds)
  var isBusy = false
  while isBusy || number <= leastCount || Date() < end {
    do {
      isBusy = false
      try also(repository, number)
      let commit = try repository.commit(script.changes(number), to: list, by: author)
      say("\(commit.revision) \(number)")
      // Who waits polls, and would seldom meet the moment between two commits.
      if number % 16 == 0 { usleep(1_000) }
      if pause > 0 { usleep(pause * 1_000) }
      number += 1
    } catch let error as StoreError where error.code == .busy {
      isBusy = true
      say("busy")
    }
  }
}

/// Commits what a writer does, and waits for an answer after each commit.
func commitAnswered(_ file: URL, as writer: String, count: Int) throws {
  let script = WriterScript(writer: writer)
  let repository = try Repository(existing: file)
  for number in 1...count {
    say("\(try repository.commit(script.changes(number), to: list).revision)")
    guard readLine() != nil else { return }
  }
}

/// Writes a line at once, so that a kill finds it whole or not at all.
func say(_ line: String) { FileHandle.standardOutput.write(Data("\(line)\n".utf8)) }
