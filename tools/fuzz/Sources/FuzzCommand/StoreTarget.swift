import Foundation
import ListInspection
import ListModel
import ListStore

/// Bytes in the pages of a store, its write-ahead log and its journal: looking at it changes no byte, what is
/// recovered of it is sound, and each call ends with an answer or a typed error.
///
/// The input is a row of changes: the file, two bytes for a place in units of 16 bytes, one for the rest of the
/// place and the number of bytes, the bytes.
func fuzzStores(_ bytes: [UInt8]) {
  var files = Shelves.logged
  var rest = bytes[...]
  let mends = (rest.popFirst() ?? 0) & 1 != 0
  while rest.count >= 4 {
    let (kind, high, low, part) = (
      rest.removeFirst(), rest.removeFirst(), rest.removeFirst(), rest.removeFirst()
    )
    let place = (Int(high) << 8 | Int(low)) << 4 | Int(part >> 4)
    let count = Int(part & 15) + 1
    let patch = rest.prefix(count)
    rest = rest.dropFirst(count)
    switch kind % 4 {
    case 0, 1: files.database.replace(at: place, patch)
    case 2: files.log.replace(at: place, patch)
    default: files.log = Array(files.log.prefix(place))
    }
  }
  if mends { mendChecksums(ofLog: &files.log) }
  Shelves.withFolder { folder in
    let file = folder.appendingPathComponent("store.sqlite")
    files.write(to: file)
    inspect(file)
    require(files.areThose(of: file), "looking at it has changed a file")
    let recovered = folder.appendingPathComponent("recovered.sqlite")
    let report = attempt("recover") {
      try StoreRecovery.recover(file, to: recovered, includesDeleted: mends)
    }
    require(files.areThose(of: file), "recovering has changed a file")
    if report != nil, let repository = attempt("open", { try open(recovered) }) {
      checkSoundness(of: repository)
      requireSuccess("close") { try repository.close() }
    }
    look(at: file)
  }
}

private func open(_ file: URL) throws -> Repository {
  try Repository(existing: file, options: Shelves.options)
}

private func inspect(_ file: URL) {
  guard let inspection = attempt("inspect", { try Inspection(of: file) }) else { return }
  _ = inspection.check()
  attempt("outline") { try inspection.outline(isLong: true) }
  attempt("timeline") { try inspection.timeline(hasRates: true) }
  _ = inspection.report()
  _ = inspection.sizes()
  _ = inspection.space()
  for list in inspection.summary().lists {
    guard let id = try? ListID(list.list) else { continue }
    for revision in [nil, 1] { attempt("export") { try inspection.export(id, at: revision) } }
  }
}

extension [UInt8] {
  fileprivate mutating func replace(at place: Int, _ patch: ArraySlice<UInt8>) {
    for (offset, byte) in patch.enumerated() where place + offset < count {
      self[place + offset] = byte
    }
  }
}
