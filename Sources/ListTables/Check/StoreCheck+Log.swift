import ListModel

extension StoreCheck {
  func checkLog(_ rows: ListRows) throws {
    var replay = try LogReplay(rows, after: rows.floorChain)
    // The last revision and not the next one: a damaged file can hold the greatest number.
    var last = rows.logFloor
    var total = try rows.changeTotal(of: last)
    try rows.forEachCommit(after: rows.logFloor) { commit in
      let revision = commit.revision
      if revision - 1 != last { report(.log, "its log lacks revision \(last + 1)") }
      last = revision
      var count = 0
      let follows = try replay.follow(commit) { _ in count += 1 }
      if let before = total, commit.changeTotal != before &+ count {
        report(
          .log,
          "revision \(revision) has \(count) changes, and is said to have "
            + "\(commit.changeTotal &- before)")
      }
      total = commit.changeTotal
      if !follows.chain {
        report(.log, "revision \(revision) in its log was changed, or one before it")
      }
      if !follows.digest {
        report(.log, "the changes of revision \(revision) lead to another list than was committed")
      }
    }
    if last != rows.revision {
      report(.log, "it is at revision \(rows.revision), and its log ends at \(last)")
    }
    if let total, total != rows.totals.changes {
      report(
        .log,
        "it is said to have had \(rows.totals.changes) changes, and its last commit says \(total)")
    }
    if replay.chain != rows.chain {
      report(.log, "its log does not lead to it: the hash of its commits is another one")
    }
    if let digest = replay.digest, digest != rows.digest {
      report(.log, "its log does not lead to it: its last commit is of another list")
    }
  }
}
