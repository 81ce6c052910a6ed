import DerivedLists
import ListModel
import Testing

@Suite struct DerivedDefinitionTests {
  private func definition(_ members: String = "") throws -> DerivedDefinition {
    try DerivedDefinition(
      parsing: Array(#"{"derived":"d","of":"s"\#(members.isEmpty ? "" : ",")\#(members)}"#.utf8))
  }

  @Test(arguments: [
    (#""where":[{"path":"/a"}]"#, "where[0]: a condition has one operator: eq, ne"),
    (
      #""where":[{"path":"/a","eq":1,"lt":2}]"#,
      "where[0]: a condition has one operator, not eq and lt"
    ),
    (#""where":[{"path":"a","eq":1}]"#, "where[0].path: expected a JSON Pointer"),
    (#""where":[{"path":"/a~2","eq":1}]"#, "where[0].path: ~ stands before 0 or 1"),
    (#""where":[{"path":"/a","eq":[]}]"#, "where[0].eq: expected a string, a number"),
    (#""where":[{"path":"/a","in":[1,{}]}]"#, "where[0].in[1]: expected a string, a number"),
    (#""where":[{"path":"/a","prefix":1}]"#, "where[0].prefix: expected a string"),
    (#""where":[{"any":[],"path":"/a"}]"#, #"where[0].any: "any" stands alone"#),
    (#""where":[{"not":[{"path":"/a","exist":true}]}]"#, "where[0].not[0].exist: no such member"),
    (#""sort":[{"path":"/a","locale":"de"}]"#, "sort[0].locale: stands beside"),
    (#""sort":[{"path":"/a","collation":"x"}]"#, "sort[0].collation: expected \"scalars\""),
    (#""sort":[{"descending":true}]"#, "sort[0].path: missing"),
    (#""section":{"path":"/a","keepsEmpty":true}"#, "section.keepsEmpty: stands beside"),
    (
      ##""section":{"path":"#section","view":"H","keepsEmpty":true}"##, "section.keepsEmpty: stands"
    ),
    (#""section":{"path":"/a","order":"source","descending":true}"#, "section.order: descending"),
    (#""section":{"path":"/a","order":"up"}"#, "section.order: expected \"source\""),
    (#""limit":-1"#, "limit: expected 0 or more, found -1"),
    (#""limit":1.5"#, "limit: expected a whole number"),
    (#""filter":1"#, "filter: no such member"),
  ])
  func whatIsWrongIsToldWithItsPlace(_ members: String, _ message: String) {
    let error = #expect(throws: FormatError.self) { try definition(members) }
    #expect(error?.description.hasPrefix(message) == true, "\(error?.description ?? "")")
  }

  @Test func aDefinitionNeedsNoMoreThanItsListAndItsSource() throws {
    let plain = try definition()
    #expect(plain.list == "d" && plain.source == "s" && plain.limit == nil)
    #expect(plain.conditions.isEmpty && plain.sort.isEmpty)
    #expect(throws: FormatError.self) { try DerivedDefinition(parsing: Array(#"{"of":"s"}"#.utf8)) }
  }

  @Test(arguments: [
    (##"{"path":"#section"}"##, "source"), (##"{"path":"#section","keepsEmpty":true}"##, "kept"),
    (##"{"path":"#section","descending":true}"##, "values"), (##"{"path":"/a"}"##, "values"),
  ])
  func theSourcesSectionsAreAskedForByThePathAlone(_ section: String, _ expected: String) throws {
    let found =
      switch try definition(#""section":\#(section)"#).sections {
      case .one: "one"
      case .ofSource(let keepsEmpty): keepsEmpty ? "kept" : "source"
      case .byValue: "values"
      }
    #expect(found == expected)
  }

  // MARK: Conditions

  private func holds(_ condition: String, _ content: String) throws -> Bool {
    let item = Subject(
      id: "i",
      state: ItemState(cell: "Cell", content: try JSON(parsing: content), type: "Type"),
      section: "s1", Searcher(PlainWords()))
    return try definition(#""where":[\#(condition)]"#).includes(item)
  }

  @Test(arguments: [
    (#"{"path":"/a","eq":1}"#, #"{"a":1.0}"#, true),
    (#"{"path":"/a","eq":1}"#, #"{"a":"1"}"#, false),
    (#"{"path":"/a","eq":1}"#, #"{"a":2,"a":10e-1}"#, true),
    (#"{"path":"/a","eq":9007199254740993}"#, #"{"a":9007199254740992}"#, false),
    (#"{"path":"/a","gt":9007199254740992}"#, #"{"a":9007199254740993}"#, true),
    (#"{"path":"/a","lt":9223372036854775808}"#, #"{"a":9223372036854775807}"#, true),
    (#"{"path":"/a","eq":0}"#, #"{"a":-0.0}"#, true),
    (#"{"path":"/a","ge":1e308}"#, #"{"a":1e400}"#, true),
    (#"{"path":"/a","lt":-1.5}"#, #"{"a":-2}"#, true),
    (#"{"path":"/a","eq":null}"#, #"{}"#, true),
    (#"{"path":"/a","eq":null}"#, #"{"a":[]}"#, false),
    (#"{"path":"/a","ne":null}"#, #"{"a":[]}"#, true),
    (#"{"path":"/a","in":[null,2]}"#, #"{"a":{}}"#, false),
    (#"{"path":"/a","eq":null}"#, #"{"a":"\ud800"}"#, true),
    (#"{"path":"/a","lt":true}"#, #"{"a":false}"#, false),
    (#"{"path":"/a","lt":"b"}"#, #"{"a":"a"}"#, true),
    (#"{"path":"/a","lt":"b"}"#, #"{"a":1}"#, false),
    (#"{"path":"/a","lt":"\ufb00"}"#, #"{"a":"\ud83d\ude00"}"#, false),
    (#"{"path":"/a","has":"x"}"#, #"{"a":[1,"x"]}"#, true),
    (#"{"path":"/a","has":null}"#, #"{"a":[[]]}"#, false),
    (#"{"path":"/a","has":"x"}"#, #"{"a":"x"}"#, false),
    (#"{"path":"/a","prefix":"é"}"#, #"{"a":"e\u0301t"}"#, false),
    (#"{"path":"/a","contains":"bc"}"#, #"{"a":"abbcd"}"#, true),
    (#"{"path":"/a","contains":""}"#, #"{"a":""}"#, true),
    (#"{"path":"/a","contains":""}"#, #"{"a":1}"#, false),
    (#"{"path":"/a","exists":true}"#, #"{"a":{}}"#, true),
    (#"{"path":"/a","exists":false}"#, #"{"a":null}"#, true),
    (#"{"path":"/a/1/b~1c","eq":1}"#, #"{"a":[0,{"b/c":1}]}"#, true),
    (#"{"path":"/a/01","eq":1}"#, #"{"a":[0,1]}"#, false),
    (#"{"path":"/a/","eq":1}"#, #"{"a":{"":1}}"#, true),
    (#"{"path":"","eq":"x"}"#, #""x""#, true),
    (##"{"path":"#cell","eq":"Cell"}"##, ##"{}"##, true),
    (##"{"path":"#type","exists":true}"##, ##"{}"##, true),
    (##"{"path":"#section","prefix":"s"}"##, ##"{}"##, true),
    (##"{"path":"#id","eq":"i"}"##, ##"{}"##, true),
    (#"{"any":[]}"#, #"{}"#, false), (#"{"all":[]}"#, #"{}"#, true),
    (#"{"not":[{"path":"/a","eq":1},{"path":"/b","eq":1}]}"#, #"{"a":1}"#, true),
  ])
  func conditions(_ condition: String, _ content: String, _ expected: Bool) throws {
    #expect(try holds(condition, content) == expected)
  }

  @Test func gapsAreLeftOut() throws {
    let gap = Subject(
      id: "g", state: ItemState(cell: "#gap", content: try JSON(parsing: "{}")), section: "s1",
      Searcher(PlainWords()))
    #expect(try !definition().includes(gap))
  }

  // MARK: Values

  @Test func keysHaveTheOrderOfValues() throws {
    let ordered = [
      "null", "false", "true", "-1e400", "-9223372036854775808", "-2", "-1.5", "-1", "0", "5e-324",
      "0.5", "1", "9007199254740992", "9007199254740993", "9007199254740994",
      "9223372036854775806", "9223372036854775807", "9223372036854775808", "1e300", "1e400",
      #""""#, #""\u0000""#, #""A""#, #""a""#, #""é""#, #""\ufb00""#, #""\ud83d\ude00""#,
    ]
    let keys = try ordered.map { ValueKey(try JSONNode(parsing: Array($0.utf8))) }
    for (index, key) in keys.enumerated() {
      for (other, second) in keys.enumerated() {
        #expect((key < second) == (index < other), "\(ordered[index]) and \(ordered[other])")
      }
    }
  }

  @Test(arguments: [
    ("1.0", "1"), ("1e0", "1"), ("-0", "0"), ("1e21", "1e+21"), ("1e20", "100000000000000000000"),
    ("1.5e-7", "1.5e-7"), ("0.000001", "0.000001"), ("123.456", "123.456"),
    ("9223372036854775807", "9223372036854775807"), ("9223372036854775808", "9223372036854776000"),
    ("1e400", "1.7976931348623157e+308"), ("1e-400", "0"), ("-12.5", "-12.5"),
    ("0.1", "0.1"), ("1e-10", "1e-10"), ("120.5e3", "120500"), ("5e-324", "5e-324"),
    ("4.35", "4.35"), ("-9223372036854775809", "-9223372036854776000"),
    ("1234567890123456789012", "1.2345678901234568e+21"),
  ])
  func numbersAreWrittenAsTheFormatSays(_ number: String, _ expected: String) throws {
    let key = ValueKey(try JSONNode(parsing: Array(number.utf8)))
    #expect(key.json == expected)
    #expect(key.sectionID { _ in "" }.rawValue == expected)
  }

  @Test func sectionsOfStrings() {
    func id(_ text: String) -> String {
      ValueKey(text).sectionID { String($0.count, radix: 16) + "0123456789abcdef" }.rawValue
    }
    #expect(id("") == "\"\"")
    #expect(id("none") == "none" && ValueKey.null.sectionID { _ in "" } == "none")
    #expect(ValueKey(true).sectionID { _ in "" } == "true")
    #expect(id("a\0b") == "ab…30123456789abcde")
    let long = String(repeating: "é", count: 129)
    #expect(id(long) == String(repeating: "é", count: 118) + "…1020123456789abc")
    #expect(id(String(long.dropLast())) == String(long.dropLast()), "256 bytes are not too long")
  }
}
