import Foundation
import ListInspection
import ListModel
import ListStore

/// Bytes in the pages of a store, and of its write-ahead log: looking at it changes no byte, what is
/// recovered of it is sound, and each call ends with an answer or a typed error.
///
/// The input is a byte of flags, then changes: the file, two bytes for a place in units of 16 bytes, one for the
/// rest of the place and the number of bytes, the bytes. Flags: 1, the checksums of the log are made right; 2,
/// it is not inspected; 4, it is recovered; 8, it is opened; 16, it is written, too.
func fuzzStores(_ bytes: [UInt8]) {
  var files = Shelves.logged
  var rest = bytes[...]
  let flags = rest.popFirst() ?? 0
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
  if flags & 1 != 0 { mendChecksums(ofLog: &files.log) }
  Shelves.withFolder { folder in
    let file = folder.appendingPathComponent("store.sqlite")
    files.write(to: file)
    if flags & 2 == 0 { inspect(file) }
    require(files.areThose(of: file), "looking at it has changed a file")
    if flags & 4 != 0 { recover(file, in: folder, includesDeleted: flags & 1 != 0) }
    require(files.areThose(of: file), "recovering has changed a file")
    if flags & 8 != 0 { look(at: file, writes: flags & 16 != 0) }
  }
}

/// What is recovered of a store is sound.
func recover(_ file: URL, in folder: URL, includesDeleted: Bool) {
  let recovered = folder.appendingPathComponent("recovered.sqlite")
  let report = attempt("recover") {
    try StoreRecovery.recover(file, to: recovered, includesDeleted: includesDeleted)
  }
  if report != nil, let repository = attempt("open", { try open(recovered) }) {
    checkSoundness(of: repository)
    requireSuccess("close") { try repository.close() }
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
