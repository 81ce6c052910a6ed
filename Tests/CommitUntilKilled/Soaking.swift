import BatchUpdates
import Foundation
import ListModel
import ListStore
import ListSync
import Providers
import TestSupport

/// Commits beside others, and now and then stops in the middle of a transaction, holding the lock,
/// until it gets SIGCONT.
func writeAndStop(
  _ file: URL, _ script: WriterScript, forSeconds seconds: Double, pause: UInt32
) throws {
  let author: Author = "stopped"
  try writeBesideOthers(
    file, script, forSeconds: seconds, pause: pause, leastCount: 20
  ) { repository, number in
    guard number % 200 == 10 else { return }
    try repository.edit("list", by: author) { list in
      try list.touch("anchor")
      say("stopped")
      raise(SIGSTOP)
    }
  }
}

/// Commits beside others, and now and then applies the next part of a feed about the same list.
///
/// A part begins with lines of the part before. The clock of the feed's author goes back and forth.
func writeBesideAFeed(
  _ file: URL, _ script: WriterScript, forSeconds seconds: Double, pause: UInt32
) throws {
  let feed = WriterScript(writer: "feed", bringsBooks: script.bringsBooks)
  let part = file.appendingPathExtension("ndjson")
  var sequence = 0
  try writeBesideOthers(
    file, script, forSeconds: seconds, pause: pause, leastCount: 20
  ) { repository, number in
    guard number % 8 == 0 else { return }
    let lines = (max(1, sequence - 3)...sequence + 6).map { feedLine($0, feed.changes($0)) }
    try Data(lines.joined().utf8).write(to: part)
    try repository.apply(FeedReader(file: part))
    sequence += 6
    say("feed \(sequence)")
  }
}

private func feedLine(_ sequence: Int, _ changes: [Change]) -> String {
  JSONWriter.object { writer in
    writer.member("t", "commit")
    writer.member("list", "list")
    writer.member("seq", String(sequence))
    writer.member("at", sequence % 3 == 0 ? 0 : 4_102_444_800_000 - sequence)
    writer.member("by", "server")
    writer.member("ops", array: changes) { writer, change in
      writer.object { change.writeOperation(to: &$0) }
    }
  } + "\n"
}

/// Follows a list until it has an item.
func follow(_ file: URL, until last: ItemID) async throws {
  let list = try Repository(existing: file).liveList(
    "list", policy: UpdatePolicy(budget: .unlimited))
  var provider = try list.provider()
  var batches = 0
  say("following")
  for try await update in list.updates(after: provider) {
    provider = update.provider
    switch update.batch.mode {
    case .batch: batches += 1
    case .reload(let why): say("reload \(why)")
    case .none: break
    }
    if provider.path(of: last) != nil { break }
  }
  say("batches \(batches)")
  say("digest \(StateDigest(provider.tree).value)")
}
