import Foundation
import ListModel
import StoreFiles

/// A database, its write-ahead log and its journal, read without SQLite: they stay as they are, and the parts
/// of a log are all of it.
///
/// A byte of flags, two numbers of two bytes, then the files: the database and the log have as many bytes as
/// the numbers say, the journal the rest. Flags: 1, the checksums of the log are made right; 2, those of the
/// journal.
func fuzzFiles(_ bytes: [UInt8]) {
  guard bytes.count >= 5 else { return }
  let counts = (Int(bytes[1]) << 8 | Int(bytes[2]), Int(bytes[3]) << 8 | Int(bytes[4]))
  let rest = bytes.dropFirst(5)
  var files = Shelves.Files(
    database: Array(rest.prefix(counts.0)),
    log: Array(rest.dropFirst(counts.0).prefix(counts.1)),
    journal: Array(rest.dropFirst(counts.0).dropFirst(counts.1)))
  if bytes[0] & 1 != 0 { mendChecksums(ofLog: &files.log) }
  if bytes[0] & 2 != 0 { mendChecksums(ofJournal: &files.journal) }
  Shelves.withFolder { folder in
    let file = folder.appendingPathComponent("store.sqlite")
    files.write(to: file)
    let header = attempt("header") { try StoreHeader(of: file) }
    let log = attempt("log") { try WriteAheadLog(ofDatabase: file.path, naming: "f") } ?? nil
    if let log, log.pageSize > 0 {
      let head = log.frameCount > 0 ? 0 : 32
      let sum =
        log.committedByteCount + log.uncommittedByteCount + log.tornByteCount + log.staleByteCount
      require(head + sum == log.byteCount, "the parts of a log of \(log.byteCount) are \(sum)")
    }
    let journal = attempt("journal") {
      try RollbackJournal(ofDatabase: file.path, pageSize: header?.pageSize ?? 0, naming: "f")
    }
    _ = journal
    if let image = attempt("pages", { try PageImage(of: file) }) {
      require(image.usableSize >= 0 && image.pageCount >= 0, "less than nothing")
      for number in 1...max(1, min(image.pageCount, 64)) {
        let page = requireSuccess("page") { try image.page(number) }
        require(page.count == image.pageSize, "a page of \(page.count) bytes")
      }
    }
    attempt("in place") { try InPlaceStore(file) }
    require(files.areThose(of: file), "reading has changed a file")
  }
}

/// Makes the checksums of a write-ahead log right, as far as it has whole frames.
func mendChecksums(ofLog log: inout [UInt8]) {
  guard log.count >= 32 else { return }
  log.replaceSubrange(0..<4, with: [0x37, 0x7F, 0x06, 0x82])
  let pageSize = log[8..<12].reduce(0) { $0 << 8 | Int($1) }
  var (first, second) = (UInt32(0), UInt32(0))
  func add(_ range: Range<Int>) {
    for offset in stride(from: range.lowerBound, to: range.upperBound - 7, by: 8) {
      func word(_ offset: Int) -> UInt32 {
        log[offset..<offset + 4].reversed().reduce(0) { $0 << 8 | UInt32($1) }
      }
      first &+= word(offset) &+ second
      second &+= word(offset + 4) &+ first
    }
  }
  func store(_ offset: Int) {
    let sums = UInt64(first) << 32 | UInt64(second)
    withUnsafeBytes(of: sums.bigEndian) { log.replaceSubrange(offset..<offset + 8, with: $0) }
  }
  add(0..<24)
  store(24)
  guard (512...65_536).contains(pageSize) else { return }
  let frameSize = 24 + pageSize
  for frame in stride(from: 32, through: log.count - frameSize, by: frameSize) {
    log.replaceSubrange(frame + 8..<frame + 16, with: log[16..<24])
    add(frame..<frame + 8)
    add(frame + 24..<frame + frameSize)
    store(frame + 16)
  }
}

/// Makes the checksums of a journal's first pages right.
private func mendChecksums(ofJournal journal: inout [UInt8]) {
  guard journal.count >= 28 else { return }
  journal.replaceSubrange(0..<8, with: [0xD9, 0xD5, 0x05, 0xF9, 0x20, 0xA1, 0x63, 0xD7])
  func number(_ offset: Int) -> Int {
    journal[offset..<offset + 4].reduce(0) { $0 << 8 | Int($1) }
  }
  let (sector, pageSize) = (number(20), number(24))
  guard (32...65_536).contains(sector), (512...65_536).contains(pageSize) else { return }
  for record in stride(from: sector, through: journal.count - pageSize - 8, by: pageSize + 8) {
    var sum = UInt32(truncatingIfNeeded: number(12))
    for index in stride(from: pageSize - 200, to: 0, by: -200) {
      sum &+= UInt32(journal[record + 4 + index])
    }
    withUnsafeBytes(of: sum.bigEndian) {
      journal.replaceSubrange(record + 4 + pageSize..<record + 8 + pageSize, with: $0)
    }
  }
}
