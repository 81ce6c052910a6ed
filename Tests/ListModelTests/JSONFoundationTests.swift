import Foundation
import ListModel
import TestSupport
import Testing

/// A second opinion on what is JSON: Foundation's.
///
/// swift-foundation's reader differs from RFC 8259 and from ours in these points, each of which has
/// a test here; about anything else the two must agree.
///
/// - It accepts one comma before a closing bracket, and a byte order mark.
/// - It takes a text whose first bytes hold NUL for UTF-16 or UTF-32.
/// - It refuses half a surrogate pair, and numbers beyond the range of `Double`.
/// - It nests 512 levels, ours 32.
@Suite struct JSONFoundationTests {
  private static let seeds = [
    #"{"id":"i1","cell":"BookCell","content":{"title":"Emma","n":18446744073709551615},"a":[]}"#,
    #"[1,-0,1.5,-1.25e+10,2E-3,[[],[{}]],{"a":{"b":[null,true,false]}}]"#,
    #" { "é" : "é\u00e9\ud834\udd1e\"\\\/\b\f\n\r\t" , "" : [ ] } "#,
    #""x""#, "-12.5e3", "[[[[[[1]]]]]]", "null",
  ]
  private static let pieces: [[UInt8]] =
    [
      "\"", "\\", "\\u", "\\u00", "\\ud800", "\\n", "{", "}", "[", "]", ",", ":", "-", "+", "0",
      "1", ".",
      "e", "E", "true", "nul", " ", "\n", "\t", "\u{1}", "\u{7F}", "\u{E9}", "\u{1D11E}", "{\"a\":",
      "1e400", "/",
    ].map { Array($0.utf8) } + [
      [0x80], [0xC3], [0xED, 0xA0, 0x80], [0xFF], [0xC0, 0xAF], [0xF4, 0x90, 0x80, 0x80],
    ]

  @Test(arguments: 0..<4) func mutatedDocumentsAreJudgedAlike(part: UInt64) throws {
    var accepted = 0
    for seed in (part * 5_000)..<((part + 1) * 5_000) {
      var generator = SeededGenerator(seed: seed)
      let document = Self.mutated(using: &generator)
      let ours = try? JSONNode(parsing: document)
      let theirs = Self.foundationValue(document)
      switch (ours, theirs) {
      case (nil, nil): break
      case (let ours?, let theirs?):
        accepted += 1
        // What is kept as text means to Foundation what the original meant.
        let kept = Self.foundationValue(Array(ours.value().text.utf8))
        if kept != theirs { Self.report(seed, document, "the kept text means something else") }
      case (_?, nil):
        if !Self.isRefusedByFoundationAlone(document) {
          Self.report(seed, document, "ours accepts, Foundation does not")
        }
      case (nil, _?):
        if !Self.isAcceptedByFoundationAlone(document) {
          Self.report(seed, document, "Foundation accepts, ours does not")
        }
      }
    }
    #expect(
      (500...4_500).contains(accepted), "the mutations must yield both; \(accepted) were JSON")
  }

  @Test(arguments: [
    "[1,]", "{\"a\":1,}", "\u{FEFF}1", "1\u{0}",
    String(repeating: "[", count: 33) + String(repeating: "]", count: 33),
  ])
  func foundationAcceptsWhatWeRefuse(document: String) {
    #expect(Self.foundationValue(Array(document.utf8)) != nil, "the difference is gone")
    #expect(throws: FormatError.self) { try JSON(parsing: document) }
  }

  @Test(arguments: ["\"\\ud800\"", "{\"\\udc00\":1}", "1e400", "[-1e999]"])
  func foundationRefusesWhatWeAccept(document: String) {
    #expect(Self.foundationValue(Array(document.utf8)) == nil, "the difference is gone")
    #expect(throws: Never.self) { try JSON(parsing: document) }
  }

  private static func foundationValue(_ document: [UInt8]) -> NSObject? {
    let value = try? JSONSerialization.jsonObject(with: Data(document), options: .fragmentsAllowed)
    return value.map { [$0] as NSArray }
  }

  private static func mutated(using generator: inout SeededGenerator) -> [UInt8] {
    var document = Array(seeds[generator.number(0..<seeds.count)].utf8)
    for _ in 0..<generator.number(0..<4) {
      let position = generator.number(0..<(document.count + 1))
      let length = min(generator.number(1..<4), document.count - position)
      let piece = pieces[generator.number(0..<pieces.count)]
      switch generator.number(0..<5) {
      case 0: document.removeSubrange(position..<(position + length))
      case 1: document.insert(contentsOf: piece, at: position)
      case 2: document.replaceSubrange(position..<(position + length), with: piece)
      case 3: document.insert(contentsOf: document[position..<(position + length)], at: position)
      default:
        if position < document.count { document[position] = UInt8(generator.number(1..<256)) }
      }
    }
    return document
  }

  /// Half a surrogate pair, or a number that is infinite as a `Double`.
  private static func isRefusedByFoundationAlone(_ document: [UInt8]) -> Bool {
    let text = String(decoding: document, as: UTF8.self).lowercased()
    let repaired = text.replacing("\\\\", with: "").replacing("\\ud834\\udd1e", with: "")
    if ["d8", "d9", "da", "db", "dc", "dd", "de", "df"].contains(where: {
      repaired.contains("\\u" + $0)
    }) {
      return true
    }
    let tokens = text.split { !"+-.0123456789e".contains($0) }
    return tokens.contains { Double($0).map { !$0.isFinite } ?? false }
  }

  /// A byte order mark, NUL bytes, or JSON but for a comma before a closing bracket.
  private static func isAcceptedByFoundationAlone(_ document: [UInt8]) -> Bool {
    if document.starts(with: [0xEF, 0xBB, 0xBF]) || document.contains(0) { return true }
    var repaired: [UInt8] = []
    for byte in document {
      if byte == UInt8(ascii: "]") || byte == UInt8(ascii: "}"),
        let comma = repaired.lastIndex(where: { ![0x20, 0x09, 0x0A, 0x0D].contains($0) }),
        repaired[comma] == UInt8(ascii: ",")
      {
        repaired.remove(at: comma)
      }
      repaired.append(byte)
    }
    return repaired != document && (try? JSONNode(parsing: repaired)) != nil
  }

  private static func report(_ seed: UInt64, _ document: [UInt8], _ what: String) {
    Issue.record(
      "seed \(seed): \(what): \(String(decoding: document, as: UTF8.self).debugDescription)")
  }
}
