import ListModel

extension StoreCheck {
  func checkLog(_ rows: ListRows) throws {
    var replay = try LogReplay(rows, after: rows.floorChain)
    // The last revision and not the next one: a damaged file can hold the greatest number.
    var last = rows.logFloor
    try rows.forEachCommit(after: rows.logFloor) { commit in
      let revision = commit.revision
      if revision - 1 != last { report(.log, "revision \(last + 1) is missing in the log") }
      last = revision
      let follows = try replay.follow(commit)
      if !follows.chain {
        report(.log, "the commit of revision \(revision) is another one than its chain says")
      }
      if !follows.digest {
        report(.log, "the changes of revision \(revision) do not lead to its digest")
      }
    }
    if last != rows.revision {
      report(.log, "the list is at revision \(rows.revision), its log at \(last)")
    }
    if replay.chain != rows.chain { report(.log, "the log's chain is not the list's") }
    if let digest = replay.digest, digest != rows.digest {
      report(.log, "the log's digest is not the list's")
    }
  }
}
