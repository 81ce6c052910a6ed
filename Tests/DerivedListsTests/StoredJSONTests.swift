import DerivedLists
import ListModel
import TestSupport
import Testing

/// What is read of JSON where it lies is what a checked copy of it has.
@Suite struct StoredJSONTests {
  private static let texts = [
    #"{"a":1,"b":{"a":[1,{"c":"x"},null]},"a":2}"#, #"{"\u0061":"escaped","b":"y\n"}"#,
    " { \"a\" : [ 1 , 2 ] , \"b\" : { } } ", "[]", "{}", "[[],{\"a\":{}},\"]\",\"\\\"\"]", "7",
    "true",
    #"{"":{"":0},"a/b~c":-15,"long name of a member":false}"#, "null", #""text""#, "-0.5e3",
    #"{"a":"{\"b\":1}","b":[",","}"],"c":{"a":{"b":{"c":[[[1]]]}}}}"#,
  ]
  private static let paths: [[String]] = [
    [], ["a"], ["b"], ["a", "0"], ["a", "1"], ["a", "01"], ["b", "a"], ["b", "a", "1", "c"],
    ["b", "a", "2"], ["b", "a", "3"], [""], ["", ""], ["0"], ["1", "a"], ["2"], ["a/b~c"],
    ["long name of a member"], ["c", "a", "b", "c", "0", "0", "0"], ["-1"], ["b", "1"],
  ]

  @Test(arguments: texts) func valuesAtPaths(_ text: String) throws {
    let node = try JSONNode(parsing: Array(text.utf8))
    for path in Self.paths {
      let wanted = node.value(at: path)
      Array(text.utf8).withUnsafeBytes { bytes in
        let found = StoredJSON(bytes)?.value(at: path)
        #expect(found?.kind == wanted?.kind, "\(path)")
        #expect(found?.node?.value() == wanted?.value(), "\(path)")
        if let text = found?.plainText {
          #expect(String(decoding: text, as: UTF8.self) == (try? wanted?.string()))
        }
        if let integer = found?.plainInteger { #expect(integer == (try? wanted?.integer())) }
        if wanted?.kind == .bool { #expect(found?.isTrue == (wanted?.value().text == "true")) }
      }
    }
  }

  /// Whatever the bytes are, reading them ends, within them.
  @Test func damagedBytes() {
    var generator = SeededGenerator(seed: 1)
    let odd = Array("{}[]\",:\\u0a ".utf8) + [0, 0xFF]
    for text in Self.texts {
      for length in 0...text.utf8.count {
        var bytes = Array(text.utf8.prefix(length))
        for _ in 0..<4 {
          bytes.withUnsafeBytes { bytes in
            for path in Self.paths {
              let found = StoredJSON(bytes)?.value(at: path)
              _ = (found?.node, found?.plainText, found?.plainInteger)
            }
          }
          if bytes.isEmpty { break }
          bytes[generator.number(0..<bytes.count)] = generator.element(of: odd) ?? 0
        }
      }
    }
  }
}
