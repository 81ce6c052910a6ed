/// Six bytes in a row, in the lower bytes of a number.
package typealias ByteRun = UInt64

/// Which runs of six bytes some texts have, in bounded memory.
///
/// It never misses one, and takes a few others for one of them.
package final class TextFilter {
  /// How many bytes in a row make a run.
  static let runLength = 6

  private var bits: [UInt64]
  private let shift: UInt64
  /// The texts that are too short to have a run.
  private var shortTexts: Set<[UInt8]> = []

  /// - Parameter byteCount: About how many bytes the texts have.
  package init(byteCount: Int) {
    // 16 bits a byte keep the mistakes at 1 to 2 %; 128 MB at most.
    var width: UInt64 = 16
    while width < 30, 1 << width < 16 * byteCount { width += 1 }
    bits = Array(repeating: 0, count: 1 << (width - 6))
    shift = 64 - width
  }

  /// Adds a text.
  package func insert(_ text: some Collection<UInt8>) {
    if text.count < Self.runLength {
      shortTexts.insert(Array(text))
    } else {
      Self.forEachRun(in: text) { run in
        let (first, second) = places(of: run)
        bits[first / 64] |= 1 << UInt64(first % 64)
        bits[second / 64] |= 1 << UInt64(second % 64)
      }
    }
  }

  func mayContain(_ run: ByteRun) -> Bool {
    let (first, second) = places(of: run)
    return bits[first / 64] >> UInt64(first % 64) & 1 != 0
      && bits[second / 64] >> UInt64(second % 64) & 1 != 0
  }

  /// Whether a text has a run that one of the texts may have.
  func mayContainPart(of text: [UInt8]) -> Bool {
    var isFound = false
    Self.forEachRun(in: text) { isFound = isFound || mayContain($0) }
    return isFound
  }

  /// Whether a text of fewer than six bytes is one of the texts.
  func hasShortText(_ text: String) -> Bool { shortTexts.contains(Array(text.utf8)) }

  private func places(of run: ByteRun) -> (Int, Int) {
    let mixed = (run ^ run >> 29) &* 0x9E37_79B9_7F4A_7C15
    let again = (mixed ^ mixed >> 32) &* 0xBF58_476D_1CE4_E5B9
    return (Int(mixed >> shift), Int(again >> shift))
  }

  /// Calls a closure with each six bytes in a row of a text.
  static func forEachRun(
    in text: some Collection<UInt8>, _ body: (ByteRun) throws -> Void
  ) rethrows {
    var run: ByteRun = 0
    var count = 0
    for byte in text {
      run = (run << 8 | ByteRun(byte)) & 0xFFFF_FFFF_FFFF
      count += 1
      if count >= runLength { try body(run) }
    }
  }
}
