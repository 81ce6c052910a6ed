import ListModel
import TestSupport
import Testing

/// Plain text in strings is passed eight bytes at a time, and every byte is judged all the same.
@Suite struct JSONTextRunTests {
  private static func isPlain(_ byte: UInt8) -> Bool {
    0x20..<0x80 ~= byte && byte != UInt8(ascii: "\"") && byte != UInt8(ascii: "\\")
  }

  @Test func eachByteIsJudgedAtEachPlaceOfAText() {
    let text = Array("\"abcdefghijklmnopqrstuvwxyz\"".utf8)
    for place in 1..<(text.count - 1) {
      for byte in UInt8.min...UInt8.max {
        var changed = text
        changed[place] = byte
        let isAccepted = changed.withUnsafeBytes { JSON.accepts($0) }
        // A backslash makes an escape of the letter behind it.
        let isEscape =
          byte == UInt8(ascii: "\\") && "bfnrt\\/".utf8.contains(text[place + 1])
        #expect(isAccepted == (Self.isPlain(byte) || isEscape), "byte \(byte) at \(place)")
      }
    }
  }

  @Test(arguments: 0..<4) func bytesAreAcceptedThatCanBeParsed(part: UInt64) {
    var accepted = 0
    for seed in (part * 2_000)..<((part + 1) * 2_000) {
      var generator = SeededGenerator(seed: seed)
      let document = Self.document(using: &generator)
      let isAccepted = document.withUnsafeBytes { JSON.accepts($0) }
      let isParsed = (try? JSONNode(parsing: document)) != nil
      #expect(isAccepted == isParsed, "seed \(seed)")
      if isAccepted { accepted += 1 }
    }
    #expect((200...1_900).contains(accepted), "\(accepted) were JSON")
  }

  /// Objects and arrays of long texts; half of them with some bytes changed.
  private static func document(using generator: inout SeededGenerator) -> [UInt8] {
    let texts = [
      "a text of more than eight bytes", "é of several bytes, 漢字, 🦊", #"\"quoted\" \\ \u00e9"#, "",
    ]
    var json = "["
    for index in 0..<Int.random(in: 1...6, using: &generator) {
      if index > 0 { json += "," }
      json += "{\"name\":\"\(texts.randomElement(using: &generator) ?? "")\",\"n\":-1.5e3}"
    }
    var bytes = Array((json + "]").utf8)
    if Bool.random(using: &generator) {
      for _ in 0..<Int.random(in: 1...2, using: &generator) {
        let place = bytes.indices.randomElement(using: &generator) ?? 0
        bytes[place] = UInt8.random(in: .min ... .max, using: &generator)
      }
    }
    return bytes
  }
}
