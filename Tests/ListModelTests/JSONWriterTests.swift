import ListModel
import TestSupport
import Testing

@Suite struct JSONWriterTests {
  private func reread(_ text: String) throws -> JSONNode { try JSONNode(parsing: Array(text.utf8)) }

  @Test func everyControlCharacterIsEscapedAndReadBack() throws {
    let controls = Array(UInt32(0)..<0x20) + Array(0x7F..<0xA0) + [0x2028, 0x2029]
    for scalar in controls.compactMap(Unicode.Scalar.init) {
      let text = "a\(scalar)b"
      let quoted = JSONWriter.quoted(text)
      #expect(quoted.utf8.allSatisfy { (0x20..<0x7F).contains($0) }, "U+\(scalar.value)")
      #expect(try reread(quoted).string().unicodeScalars.elementsEqual(text.unicodeScalars))
    }
  }

  @Test func quotesAndShortEscapes() {
    #expect(
      JSONWriter.quoted("\"\\/\n\r\t\u{1}\u{7F}\u{2028}") == #""\"\\/\n\r\t\u0001\u007f\u2028""#)
    #expect(JSONWriter.quoted("") == "\"\"")
    #expect(JSONWriter.quoted("é𝄞") == "\"é𝄞\"")
  }

  @Test func randomStringsRoundTripByScalar() {
    forEachSeed(0..<2_000) { generator in
      var text = ""
      for _ in 0..<generator.number(0..<12) {
        let bound = [0x80, 0x800, 0x1_0000, 0x11_0000][generator.number(0..<4)]
        if let scalar = Unicode.Scalar(UInt32(generator.number(0..<bound))) {
          text.unicodeScalars.append(scalar)
        }
      }
      let read = try reread(JSONWriter.quoted(text)).string()
      if !read.utf8.elementsEqual(text.utf8) {
        throw RandomFailure(text.debugDescription)
      }
    }
  }

  private func written(_ number: Double) -> String {
    var writer = JSONWriter()
    writer.value(number)
    return writer.text
  }

  @Test func wholeNumbersHaveNoFraction() {
    #expect(written(8) == "8")
    #expect(written(-17) == "-17")
    #expect(written(0) == "0")
    #expect(written(0.1) == "0.1")
    #expect(written(-88.5) == "-88.5")
    #expect(written(1_000_000) == "1000000")
    #expect(written(0x1p53 - 1) == "9007199254740991")
  }

  @Test(arguments: [
    8, 0.1, -0.1, 0.1 + 0.2, 1e300, -1e300, .leastNonzeroMagnitude, 0x1p53, 0x1p53 + 2, -0x1p53,
    0x1p62, 0x1p63, -0x1p63,
    0x1p64, 1e15, 1e16, 1e21, 123456.789, .greatestFiniteMagnitude, .leastNormalMagnitude, .pi,
  ])
  func doublesRoundTrip(number: Double) throws {
    #expect(try reread(written(number)).double() == number)
  }

  @Test func randomDoublesRoundTrip() throws {
    var generator = SeededGenerator(seed: 1)
    for _ in 0..<5_000 {
      let number = Double(bitPattern: generator.next())
      guard number.isFinite else { continue }
      let read = try reread(written(number)).double()
      if read != number { Issue.record("\(number) came back as \(read)") }
    }
  }

  @Test func whatIsNotFiniteIsNull() {
    for number in [Double.infinity, -.infinity, .nan] { #expect(written(number) == "null") }
  }

  @Test func commasStandBetweenValuesOnly() throws {
    let text = JSONWriter.object { writer in
      writer.member("a", "x")
      writer.member("b", -5)
      writer.member("c", writing: { $0.value(true) })
      writer.member("d", 1.5)
      writer.member("e", JSON(stringLiteral: "[1.0]"))
      writer.member("f", array: [[1, 2], [], [3]]) { writer, inner in
        writer.array(inner) { $0.value($1) }
      }
      writer.member("g") { writer in
        writer.object { $0.member("h") { $0.object { _ in } } }
      }
      writer.member("i", array: [Int]()) { $0.value($1) }
    }
    #expect(
      text == #"{"a":"x","b":-5,"c":true,"d":1.5,"e":[1.0],"f":[[1,2],[],[3]],"g":{"h":{}},"i":[]}"#
    )
    #expect(throws: Never.self) { try JSON(parsing: text) }
  }
}
