import Foundation
package import ListModel

/// Makes random definitions of derived lists, and contents for the items of their sources.
///
/// Few values occur, so items tie and share sections, and conditions hold. All definitions are valid
/// and mean the same on every system. They know the ids, cells and types of ``RandomChanges``.
package struct RandomDefinitions {
  private let oddPart: Int

  /// `oddPart`: How many of 100 values are of another type, not normal text, or beyond a limit.
  package init(oddPart: Int = 15) { self.oddPart = oddPart }

  /// A definition, as one line.
  package func definition(
    _ derived: ListID, of source: ListID, using generator: inout SeededGenerator
  ) -> String {
    var members = ["\"derived\":\"\(derived)\"", "\"of\":\"\(source)\""]
    var isRanked = false
    if generator.percent(60) {
      let conditions = array(of: 0..<4, &generator) { condition(depth: 2, &$0) }
      members.append("\"where\":\(conditions)")
      isRanked = conditions.components(separatedBy: "\"matches\"").count == 2
    }
    if generator.percent(isRanked ? 90 : 60) {
      let keys = array(of: 0..<4, &generator) { key(isRanked: isRanked, &$0) }
      members.append("\"sort\":\(keys)")
    }
    if generator.percent(75) { members.append("\"section\":\(section(&generator))") }
    if generator.percent(35) {
      members.append("\"limit\":\(generator.percent(80) ? generator.number(0..<9) : 500)")
    }
    members.shuffle(using: &generator)
    return "{\(members.joined(separator: ","))}"
  }

  /// A content; its members are often missing.
  package func content(using generator: inout SeededGenerator) -> JSON {
    if generator.percent(3) {
      return JSON(stringLiteral: value(of: generator.element(of: Self.names) ?? "n", &generator))
    }
    var members: [String] = []
    for name in Self.names where generator.percent(80) {
      // Of two members with one name the last counts.
      for _ in 0...(generator.percent(3) ? 1 : 0) {
        members.append("\"\(name)\":\(value(of: name, &generator))")
      }
    }
    if generator.percent(30) { members.append("\"o\":{\"n\":\(value(of: "n", &generator))}") }
    if generator.percent(30) { members.append("\"a/b~c\":\(value(of: "n", &generator))") }
    members.shuffle(using: &generator)
    return JSON(stringLiteral: "{\(members.joined(separator: ","))}")
  }

  // MARK: - Values

  private static let names = ["n", "t", "b", "d", "tags", "day", "s"]

  private static let usual: [String: [String]] = [
    "n": ["0", "1", "2", "3", "4", "1.0", "10e-1", "0.2E+1", "-1"],
    "t": [
      #""abc""#, #""ABC""#, #""Abd""#, #""ab""#, #""b""#, #""\u0061bc""#, #""é""#, #""É""#,
      #""e\u0301""#,
    ],
    "b": ["true", "false"],
    "d": ["1.5", "15e-1", "0.5", "-2.5", "1", "1e-7", "1.0000000000000000000001"],
    "day": [#""mon""#, #""tue""#, #""wed""#, #""\u006don""#],
    "s": [
      #""ab abc, b""#, #""É ab b""#, #""abc e\u0301 é""#, #""b-ab""#, #""a\u0000b ab ab""#,
      #""ABC\u241eb""#, #""ab abd b ab abd x y z a 1 2 3 mon tue wed \"b\"""#, #""2 10""#,
      #""""#, #""…""#,
    ],
    "tag": [#""x""#, #""y""#, #""z""#, "1", "true"],
    "field": [
      #""i1""#, #""i7""#, #""i""#, #""PlainCell""#, #""WideCell""#, #""Book""#, #""Film""#,
      #""s1""#, #""s2""#, "null",
    ],
  ]

  /// Scalars out of the ordinary; a definition can have them too.
  private static let oddScalars =
    [
      "null", #""none""#, #""1""#, #""1.0""#, "1", "1e0", #""true""#, "true", "false", #""false""#,
      #""""#, #""\"\"""#, #""items""#, #""\u0000""#, #""a\u0000b""#, #""ab\n\t\u001f\\""#,
      #""日本""#, #""👍""#, #""\ud83d\udc4d""#, #""\uffff""#, #""İ""#, #""i\u0307""#, #""ẞ""#,
      #""ß""#, #""Σ""#, #""ς""#, #""σ""#, "9223372036854775807", "9223372036854775808",
      "-9223372036854775808", "-9223372036854775809", "9223372036854775807.0", "9007199254740993",
      "9007199254740992", "9007199254740992e0", "123456789012345678901234567890", "-0", "-0.0",
      "0e99999999999999999999", "1e21", "1e20", "1e400", "-1e400", "1e99999999999999999999",
      "1e-400", "-1e-99999999999999999999", "5e-324", "1.7976931348623157e308", "0.000001",
    ]
    + [
      String(repeating: "x", count: 256), String(repeating: "x", count: 257),
      String(repeating: "x", count: 300), String(repeating: "é", count: 200),
      String(repeating: "日", count: 100), String(repeating: "👍", count: 65),
      #"\u0000"# + String(repeating: "x", count: 300),
    ].map { "\"\($0)\"" }

  /// What counts as `null` where a scalar is needed.
  private static let oddOthers = [
    #""\ud800""#, #""x\udc00""#, #""\udc4d\ud83d""#, "[]", "{}", "[null]", #"["x"]"#, #"{"n":1}"#,
  ]

  /// A value of a member of a content.
  private func value(of name: String, _ generator: inout SeededGenerator) -> String {
    if generator.percent(oddPart) {
      let values = generator.percent(70) ? Self.oddScalars : Self.oddOthers
      return generator.element(of: values) ?? "null"
    }
    guard name == "tags" else { return generator.element(of: Self.usual[name] ?? []) ?? "null" }
    return array(of: 0..<4, &generator) { value(of: "tag", &$0) }
  }

  /// A scalar to which what is at a path is compared.
  private func scalar(at path: String, _ generator: inout SeededGenerator) -> String {
    let odd = generator.percent(oddPart)
    let values = Self.usual[Self.pool(of: path)] ?? []
    return generator.element(of: odd ? Self.oddScalars : values) ?? "null"
  }

  // MARK: - Parts of a definition

  /// Paths with the values that stand there, by the names of ``usual``.
  private static let paths = [
    "/n": "n", "/t": "t", "/b": "b", "/d": "d", "/day": "day", "/tags": "tag", "/tags/0": "tag",
    "/tags/1": "tag", "/tags/01": "tag", "/tags/-": "tag", "/o/n": "n", "/o": "n",
    "/a~1b~0c": "n", "\\u002fday": "day", "": "n", "/": "n", "/missing": "t", "#id": "field",
    "#cell": "field", "#type": "field", "#section": "field",
  ]
  private static let sortedPaths = paths.keys.sorted()

  private static func pool(of path: String) -> String { paths[path] ?? "n" }

  private func path(_ generator: inout SeededGenerator) -> String {
    let usual = ["/n", "/t", "/b", "/d", "/day"]
    return generator.element(of: generator.percent(50) ? usual : Self.sortedPaths) ?? "/n"
  }

  private func condition(depth: Int, _ generator: inout SeededGenerator) -> String {
    if depth > 0, generator.percent(30) {
      let name = generator.element(of: ["any", "all", "not"]) ?? "any"
      let parts = array(of: 0..<4, &generator) { condition(depth: depth - 1, &$0) }
      return "{\"\(name)\":\(parts)}"
    }
    var path = path(&generator)
    let operand: String
    var name = "eq"
    if generator.percent(25) { return search(&generator) }
    switch generator.number(0..<10) {
    case 0..<5:
      name = generator.element(of: ["eq", "ne", "lt", "le", "gt", "ge"]) ?? name
      operand = scalar(at: path, &generator)
    case 5: (name, operand) = ("in", array(of: 0..<5, &generator) { scalar(at: path, &$0) })
    case 6:
      if generator.percent(80) { path = "/tags" }
      (name, operand) = ("has", scalar(at: path, &generator))
    case 7, 8:
      name = generator.percent(50) ? "prefix" : "contains"
      if generator.percent(70) { path = generator.percent(70) ? "/t" : "/day" }
      let parts = [#""a""#, #""b""#, #""""#, #""o""#, #""e""#, #""\u0301""#, #""ab""#, #""i""#]
      operand = generator.element(of: parts) ?? "\"a\""
    default: (name, operand) = ("exists", generator.percent(50) ? "true" : "false")
    }
    return "{\"path\":\"\(path)\",\"\(name)\":\(operand)}"
  }

  private func search(_ generator: inout SeededGenerator) -> String {
    let paths = array(of: 1..<4, &generator) { generator in
      let usual = ["/s", "/t", "/tags", "/day"]
      let path = generator.element(of: generator.percent(70) ? usual : Self.sortedPaths) ?? "/s"
      return "\"\(path)\""
    }
    let words = [
      "a", "ab", "abc", "b", "B", "e", "É", #"e\u0301"#, "abd", "i", "1", "2", "mon", "x", "ab*",
      "a*", "*", "AND", "-b", "b-ab", "(", #"a\u0000b"#, #"a\u241eb"#, "NEAR(a", "t:", "^ab", "…",
    ]
    let between = [" ", " ", " ", "  ", #"\""#, #" \""#, #"\" "#, "“", "»*", ",", #"\n"#]
    var text = generator.element(of: ["", "", #"\""#, " "]) ?? ""
    for _ in 0..<generator.number(0..<4) {
      text += generator.element(of: words) ?? "a"
      text += generator.element(of: between) ?? " "
    }
    if generator.percent(60) { text += generator.element(of: words) ?? "a" }
    return "{\"paths\":\(paths),\"matches\":\"\(text)\"}"
  }

  private func key(isRanked: Bool, _ generator: inout SeededGenerator) -> String {
    if isRanked, generator.percent(50) {
      let descending = ["", #","descending":true"#, #","descending":false"#]
      return "{\"path\":\"#rank\"\(generator.element(of: descending) ?? "")}"
    }
    var key = "{\"path\":\"\(path(&generator))\""
    if generator.percent(50) { key += ",\"descending\":\(generator.percent(80))" }
    if generator.percent(40) {
      key += ",\"collation\":\"\(generator.percent(70) ? "caseless" : "scalars")\""
    }
    return key + "}"
  }

  private func section(_ generator: inout SeededGenerator) -> String {
    if generator.percent(30) {
      let keepsEmpty = ["", #","keepsEmpty":true"#, #","keepsEmpty":false"#]
      return "{\"path\":\"#section\"\(generator.element(of: keepsEmpty) ?? "")}"
    }
    let path = path(&generator)
    let order = [#","descending":true"#, #","order":"source""#]
    // Without other members `#section` would be the source's sections.
    let view = path == "#section" || generator.percent(50) ? #","view":"DayHeader""# : ""
    let layouts = [
      #"{"kind":"list"}"#, #"{"kind":"flow","columns":2,"insets":[1,2,3.5,0]}"#, "{}",
      #"{"kind":"waterfall","columns":3,"lineSpacing":8.5,"interitemSpacing":0}"#,
    ]
    let layout =
      generator.percent(30) ? ",\"layout\":\(generator.element(of: layouts) ?? "{}")" : ""
    let chosen = generator.percent(60) ? generator.element(of: order) ?? "" : ""
    return "{\"path\":\"\(path)\"\(chosen)\(view)\(layout)}"
  }

  private func array(
    of counts: Range<Int>, _ generator: inout SeededGenerator,
    _ element: (inout SeededGenerator) -> String
  ) -> String {
    let elements = (0..<generator.number(counts)).map { _ in element(&generator) }
    return "[\(elements.joined(separator: ","))]"
  }
}
