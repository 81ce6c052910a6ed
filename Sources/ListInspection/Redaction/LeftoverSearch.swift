import Foundation

/// Searches the bytes of a file for parts of original texts.
struct LeftoverSearch {
  /// Has a part of each original text.
  let originals: TextFilter
  /// The runs of names and other texts that stay.
  let kept: Set<ByteRun>

  /// How many different runs are looked up among the original texts, at most.
  private static let maximumCandidateCount = 1_000_000

  /// The runs of a file that are not excused and that original texts may have; a few of them are
  /// none.
  func candidates(in file: URL) throws -> (runs: Set<ByteRun>, byteCount: Int) {
    let handle = try FileHandle(forReadingFrom: file)
    defer { try? handle.close() }
    var candidates: Set<ByteRun> = []
    var run: ByteRun = 0
    var before: UInt8 = 0
    var byteCount = 0
    while let chunk = try handle.read(upToCount: 1 << 20), !chunk.isEmpty {
      for byte in chunk {
        before = UInt8(truncatingIfNeeded: run >> 40)
        run = (run << 8 | ByteRun(byte)) & 0xFFFF_FFFF_FFFF
        byteCount += 1
        guard byteCount >= TextFilter.runLength, originals.mayContain(run),
          candidates.count < Self.maximumCandidateCount, !kept.contains(run),
          !Self.saysNothing(run, after: before)
        else { continue }
        candidates.insert(run)
      }
    }
    return (candidates, byteCount)
  }

  /// Whether a run is one that filler or a row's own numbers have: its letters, if any, are
  /// consecutive ones of the filler; or it has the quotation mark at which a text ends.
  private static func saysNothing(_ run: ByteRun, after before: UInt8) -> Bool {
    var previous = before
    var lastLetter: Int?
    for shift in stride(from: 40, through: 0, by: -8) {
      let byte = UInt8(truncatingIfNeeded: run >> ByteRun(shift))
      defer { previous = byte }
      switch byte {
      case UInt8(ascii: "\"") where previous != UInt8(ascii: "\\"): return true
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"):
        if previous == UInt8(ascii: "\\") { continue }
        let letters = JSONFiller.letters
        guard let index = letters.firstIndex(of: byte | 0x20) else { return false }
        if let lastLetter, index != (lastLetter + 1) % letters.count { return false }
        lastLetter = index
      case 0x80...:
        guard JSONFiller.wideCharacters.contains(where: { $0.contains(byte) }) else { return false }
      default: break
      }
    }
    return true
  }
}
