import ListModel
import Testing

private func problem(of text: String) -> FormatError? {
  do throws(FormatError) {
    _ = try ListTree(parsing: Array(text.utf8))
    return nil
  } catch {
    return error
  }
}

/// A tree that is not one: the error says where, what was expected and what was found.
@Suite struct TreeFormatErrorTests {
  private static let samples = [
    "object": "{\"view\":\"W\",\"content\":1}", "array": "[4,3,2,1]", "string": "\"5\"",
    "number": "1",
    "boolean": "true", "null": "null",
  ]
  private static let nouns = [
    "object": "an object", "array": "an array", "string": "a string", "number": "a number",
    "boolean": "a boolean", "null": "null",
  ]

  @Test func theTextWithEverythingInItIsATree() {
    #expect(problem(of: TreeText.document()) == nil)
  }

  @Test(arguments: TreeText.fields) func otherKindsAreRefusedAtTheirPlace(field: TreeText.Field)
    throws
  {
    let correct = try #require(field.kinds.subtracting(["null"]).sorted().first)
    for kind in TreeText.kinds {
      let isOwn = ["string", "array", "object"].contains(kind) && field.kinds.contains(kind)
      let sample = isOwn ? field.text : try #require(Self.samples[kind])
      let found = problem(of: TreeText.document(field.place) { "\"\($0.name)\":\(sample)" })
      guard !field.kinds.contains(kind) else {
        #expect(found == nil, "\(kind)")
        continue
      }
      let expected = try #require(Self.nouns[correct])
      let actual = try #require(Self.nouns[kind])
      #expect(found?.description == "\(field.place): expected \(expected), found \(actual)")
    }
  }

  @Test(arguments: TreeText.fields) func aMissingMemberIsNamedUnlessItIsOptional(
    field: TreeText.Field
  ) {
    let found = problem(of: TreeText.document(field.place))
    #expect(found?.description == (field.isRequired ? "\(field.place): missing" : nil))
  }

  @Test(arguments: TreeText.fields) func aMemberGivenTwiceIsRefused(field: TreeText.Field) {
    let twice = problem(
      of: TreeText.document(field.place) { "\"\($0.name)\":\($0.text),\"\($0.name)\":\($0.text)" })
    #expect(twice?.description == "\(field.place): the name occurs twice")
    let escaped = problem(
      of: TreeText.document(field.place) { field in
        let code = String(field.name.unicodeScalars.first?.value ?? 0, radix: 16)
        let alias = "\\u00\(code)\(field.name.dropFirst())"
        return "\"\(alias)\":\(field.text),\"\(field.name)\":\(field.text)"
      })
    #expect(escaped?.description == "\(field.place): the name occurs twice")
  }

  /// Every name is a kind among supplementaries: none is unknown there.
  private static let fieldsWithUnknownNeighbours = TreeText.fields.filter {
    !$0.place.hasSuffix("supplementaries.badge")
  }

  @Test(arguments: fieldsWithUnknownNeighbours)
  func unknownMembersArePassedOver(field: TreeText.Field) {
    let document = TreeText.document(field.place) {
      "\"new\":[{}],\"\($0.name)\":\($0.text),\"new\":2,\"\($0.name.uppercased())\":0"
    }
    #expect(problem(of: document) == nil)
  }

  @Test func placesCountTheElementsBefore() {
    let item = #"{"id":"a","cell":"C","content":1}"#
    let good = "{\"id\":\"A\",\"items\":[\(item)]}"
    let cases: [(String, String)] = [
      (
        "[{\"id\":\"B\",\"items\":[]},{\"id\":\"A\",\"items\":[{\"id\":\"a\",\"content\":1}]}]",
        "sections[1].items[0].cell: missing"
      ),
      (
        "[\(good),{\"id\":\"B\",\"items\":[{\"id\":\"b\",\"cell\":\"C\",\"content\":1},{}]}]",
        "sections[1].items[1].id: missing"
      ),
      (
        "[\(good),{\"id\":\"B\",\"items\":[7]}]",
        "sections[1].items[0]: expected an object, found a number"
      ),
      ("[\(good),null]", "sections[1]: expected an object, found null"),
      ("[\(good),{\"items\":[]}]", "sections[1].id: missing"),
      ("[\(good),{\"id\":\"B\"}]", "sections[1].items: missing"),
      (
        "[{\"id\":\"\",\"items\":[]}]",
        "sections[0].id: section id is empty; give it 1 to 256 bytes"
      ),
      (
        "[{\"id\":\"\\u0000\",\"items\":[]}]",
        "sections[0].id: section id contains U+0000, which SQLite would cut it at"
      ),
      (
        "[{\"id\":\"\\ud800\",\"items\":[]}]",
        "sections[0].id: holds half of a surrogate pair, which is not text"
      ),
    ]
    for (sections, expected) in cases {
      #expect(problem(of: "{\"sections\":\(sections)}")?.description == expected)
    }
    #expect(problem(of: "[]")?.description == "expected an object, found an array")
    #expect(problem(of: "{}")?.description == "sections: missing")
    #expect(problem(of: "{\"sections\":[}")?.description == "byte 14: expected a value, found '}'")
  }

  @Test(arguments: [
    ("columns", "0", "columns is 0; it must be in 1...1,000"),
    ("columns", "-1", "columns is -1; it must be in 1...1,000"),
    ("columns", "1001", "columns is 1001; it must be in 1...1,000"),
    (
      "lineSpacing", "1e7",
      "lineSpacing is 10000000.0; it must be a number of points within ±1,000,000"
    ),
    (
      "interitemSpacing", "-1000000.5",
      "interitemSpacing is -1000000.5; it must be a number of points within ±1,000,000"
    ),
    (
      "insets", "[0,0,2e6,0]",
      "insets.bottom is 2000000.0; it must be a number of points within ±1,000,000"
    ),
  ])
  func layoutsNoViewCouldUseAreRefused(name: String, value: String, expected: String) {
    #expect(layoutProblem(name, value) == "sections[0].layout: \(expected)")
  }

  @Test(arguments: [
    ("columns", "1.5", "expected a whole number of at most 64 bits, found 1.5"),
    ("columns", "1e30", "expected a whole number of at most 64 bits, found 1e30"),
    ("columns", "\"2\"", "expected a number, found a string"),
    ("lineSpacing", "1e400", "expected a finite number, found 1e400"),
    ("insets", "[1,2,3]", "expected [top, left, bottom, right], found 3 numbers"),
    ("insets", "[]", "expected [top, left, bottom, right], found 0 numbers"),
    ("insets", "[1,2,3,4,5]", "expected [top, left, bottom, right], found 5 numbers"),
    ("insets", "[1,2,3,\"4\"]", "expected a number, found a string"),
    ("insets", "[1,null,3,4]", "expected a number, found null"),
    ("kind", "\"grid\"", "expected one of \"flow\", \"waterfall\", \"list\", found \"grid\""),
    ("kind", "\"Flow\"", "expected one of \"flow\", \"waterfall\", \"list\", found \"Flow\""),
  ])
  func layoutValuesOfNoUseNameTheirMember(name: String, value: String, expected: String) {
    #expect(layoutProblem(name, value) == "sections[0].layout.\(name): \(expected)")
  }

  @Test(arguments: [
    ("columns", "1"), ("columns", "1000"), ("columns", "2.0"), ("lineSpacing", "1e6"),
    ("lineSpacing", "-1000000"),
    ("insets", "[0,-1,2.5,1e6]"), ("kind", "\"waterfall\""), ("kind", "\"list\""),
    ("kind", "\"\\u0066low\""),
  ])
  func layoutValuesAtTheLimitsAreAccepted(name: String, value: String) {
    #expect(layoutProblem(name, value) == nil)
  }

  private func layoutProblem(_ name: String, _ value: String) -> String? {
    problem(
      of: "{\"sections\":[{\"id\":\"A\",\"items\":[],\"layout\":{\"\(name)\":\(value)}}]}")?
      .description
  }

  @Test(arguments: ["17", "null"]) func revisionsAreStrings(value: String) {
    #expect(problem(of: "{\"revision\":\(value),\"sections\":[]}")?.place == "revision")
  }

  @Test(arguments: [
    "", "-1", "+1", "01", "1.0", "1e1", " 1", "1 ", "x", "9223372036854775808", "١",
  ])
  func otherTextIsNoRevision(text: String) {
    #expect(
      problem(of: "{\"revision\":\"\(text)\",\"sections\":[]}")?.description
        == "revision: expected a decimal string such as \"1\", found \"\(text)\"")
  }

  @Test func bothPathsOfAnIdThatOccursTwiceAreNamed() {
    func problem(_ sections: (id: String, items: [String])...) -> String? {
      let texts = sections.map { section in
        let items = section.items.map { "{\"id\":\"\($0)\",\"cell\":\"C\",\"content\":1}" }
        return "{\"id\":\"\(section.id)\",\"items\":[\(items.joined(separator: ","))]}"
      }
      let text = "{\"sections\":[\(texts.joined(separator: ","))]}"
      return ListModelTests.problem(of: text)?.description
    }
    #expect(
      problem(("A", ["b", "a"]), ("B", ["a"]))
        == "sections[1].items[0].id: item \"a\" is there already, at [0, 1]")
    #expect(
      problem(("A", ["a", "b", "a"]))
        == "sections[0].items[2].id: item \"a\" is there already, at [0, 0]")
    #expect(
      problem(("A", []), ("B", []), ("A", []))
        == "sections[2]: section \"A\" is there already, at index 0")
    // A section and an item may share an id; ids that differ in bytes alone are two.
    #expect(problem(("a", ["a"]), ("\u{E9}", []), ("e\u{301}", ["\u{E9}", "e\u{301}"])) == nil)
  }

  @Test func errorsGrowTheirPlaceFromTheInside() {
    let error = FormatError("missing", at: "cell")
    #expect(error.inside("[0]").place == "[0].cell")
    #expect(error.inside("[0]").inside("items").place == "items[0].cell")
    #expect(FormatError("odd").inside("[0]").inside("items").description == "items[0]: odd")
    #expect(FormatError("odd").description == "odd")
    #expect(FormatError("deep", isBeyondLimit: true).inside("a").isBeyondLimit)
  }
}
