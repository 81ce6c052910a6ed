package import Foundation

/// Searches a new file and its texts for parts of original texts.
///
/// Runs of six bytes that original texts may have are collected; when there are many, they are
/// looked up in the original texts, and the search goes on.
package final class LeftoverSearch {
  private let originals: TextFilter
  private let kept: Set<ByteRun>
  private let capacity: Int
  private let confirm: (Set<ByteRun>) throws -> Set<ByteRun>
  private var candidates: Set<ByteRun> = []
  private var found: Set<ByteRun> = []

  /// - Parameters:
  ///   - originals: Has a part of each original text.
  ///   - kept: The runs of names and other texts that stay.
  ///   - capacity: How many different runs are looked up at once.
  ///   - confirm: Returns those of some runs that original texts have.
  package init(
    for originals: TextFilter, keeping kept: Set<ByteRun>, capacity: Int = 1_000_000,
    confirm: @escaping (Set<ByteRun>) throws -> Set<ByteRun>
  ) {
    self.originals = originals
    self.kept = kept
    self.capacity = capacity
    self.confirm = confirm
  }

  /// Searches the bytes of a file, but for runs that filler or a row's own numbers have: see
  /// ``search(text:)``.
  ///
  /// - Returns: The number of bytes.
  package func search(_ file: URL) throws -> Int {
    let handle = try FileHandle(forReadingFrom: file)
    defer { try? handle.close() }
    var run: ByteRun = 0
    var before: UInt8 = 0
    var byteCount = 0
    while let chunk = try handle.read(upToCount: 1 << 20), !chunk.isEmpty {
      for byte in chunk {
        before = UInt8(truncatingIfNeeded: run >> 40)
        run = (run << 8 | ByteRun(byte)) & 0xFFFF_FFFF_FFFF
        byteCount += 1
        guard byteCount >= TextFilter.runLength, originals.mayContain(run),
          !Self.saysNothing(run, after: before)
        else { continue }
        try note(run)
      }
    }
    return byteCount
  }

  /// Searches a text of the new store for digits of original texts.
  ///
  /// A file is full of numbers that are no texts, such as the ids of rows, so runs without letters
  /// are searched for in texts alone. Neither filler nor pseudonyms have a digit other than 1.
  package func search(text: some Collection<UInt8>) throws {
    var sinceDigit = TextFilter.runLength
    var run: ByteRun = 0
    for (index, byte) in text.enumerated() {
      run = (run << 8 | ByteRun(byte)) & 0xFFFF_FFFF_FFFF
      let isDigit = 0x30...0x39 ~= byte && byte != UInt8(ascii: "1")
      sinceDigit = isDigit ? 0 : sinceDigit + 1
      guard index + 1 >= TextFilter.runLength, sinceDigit < TextFilter.runLength,
        originals.mayContain(run)
      else { continue }
      try note(run)
    }
  }

  /// The runs that were found.
  package func finish() throws -> Set<ByteRun> {
    try lookUpCandidates()
    return found
  }

  private func note(_ run: ByteRun) throws {
    guard !kept.contains(run), candidates.insert(run).inserted, candidates.count >= capacity else {
      return
    }
    try lookUpCandidates()
  }

  private func lookUpCandidates() throws {
    if candidates.isEmpty { return }
    found.formUnion(try confirm(candidates))
    candidates.removeAll(keepingCapacity: true)
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
