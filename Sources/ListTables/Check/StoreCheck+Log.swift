import GRDB
import ListModel

extension StoreCheck {
  func checkLog(_ rows: ListRows) throws {
    let log = try LogReader(rows)
    var chain = rows.floorChain
    // The last revision and not the next one: a damaged file can hold the greatest number.
    var last = rows.logFloor
    var digest: StateDigest?
    try statements(
      """
      SELECT revision, author.name, time, feedSequence, chain, digest, firstChange
      FROM listCommit JOIN author ON author.id = author WHERE list = ? AND revision > ? ORDER BY revision
      """
    ).forEach(rows.id, rows.logFloor) { row in
      let revision = try row.integer(0)
      if revision - 1 != last { report(.log, "revision \(last + 1) is missing in the log") }
      last = revision
      var hash = ChainHash(
        after: chain, revision: revision, author: try row.text(1),
        time: try row.integerIfPresent(2), feedSequence: try row.integerIfPresent(3))
      try log.forEachEntry(ofRevision: revision, from: row.integerIfPresent(6)) { logged in
        hash.add(logged.entry, logged.hashes)
        digest?.apply(logged.entry, logged.hashes, seams: logged.seams[...])
      }
      chain = hash.value
      let stored = try row.hash(4)
      if stored != chain {
        report(.log, "the commit of revision \(revision) is another one than its chain says")
        chain = stored
      }
      let storedDigest = StateDigest(value: try row.hash(5))
      if let digest, digest != storedDigest {
        report(.log, "the changes of revision \(revision) do not lead to its digest")
      }
      digest = storedDigest
    }
    if last != rows.revision {
      report(.log, "the list is at revision \(rows.revision), its log at \(last)")
    }
    if chain != rows.chain { report(.log, "the log's chain is not the list's") }
    if let digest, digest != rows.digest { report(.log, "the log's digest is not the list's") }
  }
}
