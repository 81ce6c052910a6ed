import ListModel
import TestSupport
import Testing

@Suite struct DerivedOracleTests {
  /// A tree of one or more sections; each item is its id and its content.
  private func tree(_ sections: [(SectionID, [(ItemID, JSON)])]) -> ListTree {
    ListTree(
      list: "source", revision: 1,
      sections: sections.map { id, items in
        ListTree.Section(
          id: id, items: items.map { Item(id: $0.0, cell: "Cell", content: $0.1) })
      })
  }

  /// A tree of one section, with the items `i0`, `i1` and so on.
  private func tree(_ contents: JSON...) -> ListTree {
    tree([("s", contents.enumerated().map { (ItemID(stringLiteral: "i\($0)"), $1) })])
  }

  /// The derived sections, as `id:item,item`.
  private func sections(_ members: String, _ source: ListTree) throws -> [String] {
    let line = "{\"derived\":\"d\",\"of\":\"source\"\(members.isEmpty ? "" : ",")\(members)}"
    return try DerivedOracle(line).tree(of: source).sections.map { section in
      "\(section.id):" + section.items.map(\.id.rawValue).joined(separator: ",")
    }
  }

  /// The items for which a condition holds.
  private func items(_ condition: String, _ source: ListTree) throws -> String {
    let sections = try sections("\"where\":[\(condition)]", source)
    return String(try #require(sections.first).dropFirst("items:".count))
  }

  @Test func aTreeHasAllThatADefinitionAsksFor() throws {
    let oracle = try DerivedOracle(
      #"{"derived":"unread","of":"inbox","where":[{"path":"/isUnread","eq":true}],"#
        + #""sort":[{"path":"/date","descending":true}],"#
        + #""section":{"path":"/day","descending":true,"view":"DayHeader","layout":{"kind":"list"}},"#
        + #""limit":3}"#)
    let source = try ListTree(
      parsing: Array(
        #"""
        {"list":"inbox","revision":"9","sections":[{"id":"s","items":[
        {"id":"a","cell":"Mail","content":{"isUnread":true,"date":1,"day":"mon"}},
        {"id":"b","cell":"Mail","content":{"isUnread":true,"date":2,"day":"tue"},"type":"M"},
        {"id":"c","cell":"Mail","content":{"isUnread":false,"date":3,"day":"wed"}},
        {"id":"gap","cell":"#gap","content":{"isUnread":true,"date":3,"day":"wed"}},
        {"id":"d","cell":"Mail","content":{"isUnread":true,"date":2.5,"day":"tue"}}]},
        {"id":"t","visibility":"hidden","items":[
        {"id":"e","cell":"Mail","content":{"isUnread":true,"date":9,"day":"mon"},"action":{"url":"u"}},
        {"id":"f","cell":"Mail","content":{"isUnread":true,"date":8,"day":"fri"}}]}]}
        """#.utf8))
    #expect(
      oracle.tree(of: source).json()
        == #"{"list":"unread","revision":"0","sections":[{"id":"tue","layout":{"kind":"list"},"#
        + #""header":{"view":"DayHeader","content":{"value":"tue"}},"items":["#
        + #"{"id":"d","cell":"Mail","content":{"isUnread":true,"date":2.5,"day":"tue"}},"#
        + #"{"id":"b","cell":"Mail","content":{"isUnread":true,"date":2,"day":"tue"},"type":"M"}]},"#
        + #"{"id":"mon","layout":{"kind":"list"},"#
        + #""header":{"view":"DayHeader","content":{"value":"mon"}},"items":["#
        + #"{"id":"e","cell":"Mail","content":{"isUnread":true,"date":9,"day":"mon"},"#
        + #""action":{"url":"u"}}]}]}"#)
    #expect(oracle.tree(of: source, exists: false) == ListTree(list: "unread"))
    #expect(oracle.derived == "unread" && oracle.source == "inbox")
  }

  @Test func withoutSectionsThereIsOneAsSoonAsTheSourceExists() throws {
    #expect(try sections("", tree([("s", [("a", "1")]), ("t", [("b", "2")])])) == ["items:a,b"])
    #expect(try sections("", tree([])) == ["items:"])
    #expect(try sections("\"limit\":0", tree("1")) == ["items:"])
    #expect(try sections("", ListTree(list: "source")) == [])
  }

  @Test func theSourcesSectionsStayWithTheirAttributes() throws {
    var source = tree([
      ("s", [("a", "3"), ("b", "1")]), ("t", [("c", "0")]), ("u", []), ("v", [("d", "2")]),
    ])
    source.sections[0].attributes.footer = Supplementary(view: "F", content: "1")
    let members =
      ##""where":[{"path":"","gt":0}],"sort":[{"path":""}],"section":{"path":"#section""##
    #expect(try sections(members + "}", source) == ["s:b,a", "v:d"])
    #expect(
      try sections(members + #","keepsEmpty":true},"limit":1"#, source)
        == ["s:b", "t:", "u:", "v:"])
    #expect(try sections(members + #"},"limit":2"#, source) == ["s:b,a"])
    let mirrored = try DerivedOracle(
      ##"{"derived":"d","of":"source","section":{"path":"#section"}}"##
    ).tree(of: source)
    #expect(mirrored.sections[0].attributes == source.sections[0].attributes)
    #expect(
      try sections(##""section":{"path":"#section","descending":true}"##, source)
        == ["v:d", "t:c", "s:a,b"])
  }

  @Test func valuesWithOneIDShareASection() throws {
    let source = tree(
      "\"none\"", "1", "true", "null", "1.0", "\"1\"", "\"true\"", "[1]", "\"\"", #""\"\"""#,
      "10e-1", #""\ud800""#)
    #expect(
      try sections(#""section":{"path":""}"#, source)
        == ["none:i0,i3,i7,i11", "true:i2,i6", "1:i1,i4,i5,i10", "\"\":i8,i9"])
    #expect(
      try sections(#""section":{"path":"","order":"source"}"#, source).map { $0.prefix(4) }
        == ["none", "1:i1", "true", "\"\":i"])
    // By the greatest values: "none", "true", "1" and two quotes are strings.
    #expect(
      try sections(#""section":{"path":"","descending":true}"#, source).map { $0.prefix(4) }
        == ["true", "none", "1:i1", "\"\":i"])
    let headers = try DerivedOracle(
      #"{"derived":"d","of":"source","section":{"path":"","view":"H"}}"#
    ).tree(of: source).sections.map { $0.attributes.header?.content.text }
    #expect(
      headers == [#"{"value":null}"#, #"{"value":true}"#, #"{"value":1}"#, #"{"value":""}"#])
  }

  @Test func orderAndHeadersAreTakenBeforeTheLimit() throws {
    // `true` is least in its section for an item that the limit takes away.
    let source = tree(
      #"{"v":"true","k":1}"#, #"{"v":5,"k":2}"#, #"{"v":true,"k":3}"#, #"{"v":9,"k":0}"#)
    let members = #""sort":[{"path":"/k"}],"section":{"path":"/v","view":"H"}"#
    #expect(try sections(members, source) == ["true:i0,i2", "5:i1", "9:i3"])
    #expect(try sections(members + #","limit":1"#, source) == ["true:i0"])
    let oracle = try DerivedOracle("{\"derived\":\"d\",\"of\":\"source\",\(members),\"limit\":1}")
    #expect(
      oracle.tree(of: source).sections[0].attributes.header
        == Supplementary(view: "H", content: #"{"value":true}"#))
  }

  @Test(
    arguments: [
      ("1.0", "1"), ("-0", "0"), ("-0.0", "0"), ("0.1e1", "1"), ("1e-400", "0"), ("0.5", "0.5"),
      ("9007199254740993", "9007199254740993"), ("9223372036854775807.0", "9223372036854775807"),
      ("-9223372036854775808", "-9223372036854775808"),
      ("9223372036854775808", "9223372036854776000"), ("1e20", "100000000000000000000"),
      ("1e21", "1e+21"), ("-1.5e300", "-1.5e+300"), ("0.000001", "0.000001"), ("1e-7", "1e-7"),
      ("123e-20", "1.23e-18"), ("12345.678", "12345.678"),
      ("333333333.33333329", "333333333.3333333"),
      ("1e400", "1.7976931348623157e+308"), ("-1e99999999999999999999", "-1.7976931348623157e+308"),
      ("0e99999999999999999999", "0"), ("5e-324", "5e-324"), ("1.0000000000000000000001", "1"),
      ("295147905179352830000", "295147905179352830000"), ("2e-3", "0.002"),
    ] as [(JSON, String)])
  func aNumberNamesASection(number: JSON, id: String) throws {
    #expect(try sections(#""section":{"path":""}"#, tree(number)) == ["\(id):i0"])
  }

  @Test func aLongStringNamesASectionWithItsHash() throws {
    func id(_ text: String) throws -> String {
      let source = tree(JSON(stringLiteral: "\"\(text)\""))
      return String(try sections(#""section":{"path":""}"#, source)[0].dropLast(3))
    }
    let longest = String(repeating: "x", count: 256)
    #expect(try id(longest) == longest)
    // The hashes are of sha256sum.
    #expect(try id(longest + "x") == longest.prefix(237) + "…15eb95a462ee20bd")
    #expect(
      try id(String(repeating: "é", count: 200)) == String(repeating: "é", count: 118)
        + "…df20b2aa6262e99e")
    #expect(try id(#"a\u0000b"#) == "ab…59b271ae1bbcb1d3")
    #expect(try id(#"\u0000"#) == "…6e340b9cffb37a98")
  }

  @Test func numbersCompareExactly() throws {
    let source = tree(
      "9007199254740992", "9007199254740993", "9007199254740992.0", "9223372036854775807", "1e19",
      "\"1\"", "null", "1.0000000000000000000001", "-1e400")
    #expect(try items(#"{"path":"","gt":9007199254740992}"#, source) == "i1,i3,i4")
    #expect(try items(#"{"path":"","eq":9007199254740992e0}"#, source) == "i0,i2")
    #expect(try items(#"{"path":"","le":1}"#, source) == "i7,i8")
    #expect(try items(#"{"path":"","ge":9223372036854775808}"#, source) == "i4")
    #expect(try items(#"{"path":"","lt":9223372036854775808}"#, source) == "i0,i1,i2,i3,i7,i8")
    #expect(try items(#"{"path":"","ge":"1"}"#, source) == "i5")
    #expect(try items(#"{"path":"","ge":null}"#, source) == "")
  }

  @Test func conditionsHoldAsTheFormatsSay() throws {
    let source = tree(
      #"{"v":"e\u0301a"}"#, #"{"v":"é"}"#, #"{"v":[1,null,[2]]}"#, #"{"v":null}"#, "{}",
      #"{"v":"\ud800"}"#, #"{"v":{}}"#, #"{"v":1,"v":false}"#)
    func holds(_ text: String) throws -> String { try items("{\"path\":\"/v\",\(text)}", source) }
    #expect(try holds(#""eq":null"#) == "i3,i4,i5")
    #expect(try holds(#""ne":null"#) == "i0,i1,i2,i6,i7")
    #expect(try holds(#""in":[null,false]"#) == "i3,i4,i5,i7")
    #expect(try holds(#""in":[]"#) == "")
    #expect(try holds(#""has":1.0"#) == "i2")
    #expect(try holds(#""has":null"#) == "i2")
    #expect(try holds(#""has":2"#) == "")
    #expect(try holds(#""prefix":"e""#) == "i0")
    #expect(try holds(#""contains":"\u0301""#) == "i0")
    #expect(try holds(#""contains":"""#) == "i0,i1")
    #expect(try holds(#""exists":true"#) == "i0,i1,i2,i5,i6,i7")
    #expect(try holds(#""exists":false"#) == "i3,i4")
    #expect(try items(#"{"any":[]}"#, source) == "")
    #expect(try items(#"{"not":[]}"#, source) == "")
    #expect(
      try items(#"{"not":[{"path":"/v","exists":true},{"path":"/v","ne":false}]}"#, source)
        == "i3,i4,i7")
    #expect(
      try items(#"{"any":[{"path":"/v","eq":"é"},{"all":[{"path":"/v/2/0","eq":2}]}]}"#, source)
        == "i1,i2")
  }

  @Test func pathsArePointersOrFields() throws {
    let source = tree(
      #"{"a/b":1,"m~n":[0,1],"":1,"~1":1,"o":{"x":0},"o":{"y":1}}"#, "[1,0]", "1")
    #expect(try items(#"{"path":"","eq":1}"#, source) == "i2")
    #expect(try items(#"{"path":"/a~1b","eq":1}"#, source) == "i0")
    #expect(try items(#"{"path":"/m~0n/1","eq":1}"#, source) == "i0")
    #expect(try items(#"{"path":"/m~0n/01","exists":true}"#, source) == "")
    #expect(try items(#"{"path":"/m~0n/-","exists":true}"#, source) == "")
    #expect(try items(#"{"path":"/","eq":1}"#, source) == "i0")
    #expect(try items(#"{"path":"/~01","eq":1}"#, source) == "i0")
    #expect(try items(#"{"path":"/o/x","exists":true}"#, source) == "")
    #expect(try items(#"{"path":"/o/y","exists":true}"#, source) == "i0")
    #expect(try items(#"{"path":"/0","exists":true}"#, source) == "i1")
    #expect(try items(##"{"path":"#id","ge":"i1"}"##, source) == "i1,i2")
    #expect(try items(##"{"path":"#cell","prefix":"Ce"}"##, source) == "i0,i1,i2")
    #expect(try items(##"{"path":"#type","eq":null}"##, source) == "i0,i1,i2")
    #expect(try items(##"{"path":"#section","eq":"s"}"##, source) == "i0,i1,i2")
  }

  @Test func sortingFollowsTheOrderOfValues() throws {
    let source = tree(
      #""b""#, "2", "true", #""B""#, "null", "1.5", "false", #""\ud83d\ude00""#, #""\uffff""#,
      "{}", #""a""#, "-1e400")
    #expect(
      try sections(#""sort":[{"path":""}]"#, source)
        == ["items:i4,i9,i6,i2,i11,i5,i1,i3,i10,i0,i8,i7"])
    #expect(
      try sections(#""sort":[{"path":"","collation":"caseless"}]"#, source)
        == ["items:i4,i9,i6,i2,i11,i5,i1,i10,i0,i3,i8,i7"])
    #expect(
      try sections(#""sort":[{"path":"","descending":true,"collation":"caseless"}]"#, source)
        == ["items:i7,i8,i0,i3,i10,i1,i5,i11,i2,i6,i4,i9"], "ties stay in the source's order")
    let folded = tree(#""ẞ""#, #""i̇b""#, #""ß""#, #""İa""#, #""ΑΣ""#, #""ας""#)
    #expect(
      try sections(#""sort":[{"path":"","collation":"caseless"}]"#, folded)
        == ["items:i3,i1,i0,i2,i5,i4"], "Σ becomes σ, also at the end of a word")
  }

  @Test(arguments: [
    #""limit":-1"#, #""limit":1.5"#, #""where":[{"path":"/a"}]"#, #""unknown":1"#,
    #""where":[{"path":"/a","eq":1,"ne":2}]"#, #""where":[{"path":"a","eq":1}]"#,
    #""where":[{"path":"/~2","eq":1}]"#, #""where":[{"path":"/a","eq":[]}]"#,
    #""where":[{"path":"/a","any":[]}]"#, #""sort":[{"path":"/a","collation":"localized"}]"#,
    ##""sort":[{"path":"#rank"}]"##, #""section":{"path":"/a","keepsEmpty":true}"#,
    ##""section":{"path":"#section","keepsEmpty":true,"view":"H"}"##,
    #""section":{"path":"/a","descending":true,"order":"source"}"#,
  ])
  func whatIsNotValidOrNotSupportedIsRefused(members: String) {
    #expect(throws: DerivedOracle.Problem.self) { try sections(members, tree()) }
  }

  @Test func randomDefinitionsAreValidAndDoSomething() throws {
    var counts: [String: Int] = [:]
    for seed in 0..<2_000 as Range<UInt64> {
      var generator = SeededGenerator(seed: seed)
      let random = RandomDefinitions()
      let line = random.definition("d", of: "source", using: &generator)
      let source = ListTree(
        list: "source", revision: 1,
        sections: (0..<3).map { section in
          ListTree.Section(
            id: SectionID(stringLiteral: "s\(section)"),
            items: (0..<4).map { item in
              Item(
                id: ItemID(stringLiteral: "i\(section * 4 + item)"), cell: "PlainCell",
                content: random.content(using: &generator))
            })
        })
      let tree: ListTree
      do { tree = try DerivedOracle(line).tree(of: source) } catch {
        Issue.record("seed \(seed): \(error): \(line)")
        continue
      }
      let ids = tree.sections.flatMap { $0.items.map(\.id) }
      #expect(
        Set(ids).count == ids.count && Set(tree.sections.map(\.id)).count == tree.sections.count)
      // A tree of valid ids and attributes is read back.
      #expect(try ListTree(parsing: Array(tree.json().utf8)) == tree)
      counts[ids.isEmpty ? "none" : ids.count < 12 ? "some" : "all", default: 0] += 1
      counts[ids == ids.sorted() ? "in order" : "sorted", default: 0] += 1
      counts[tree.sections.count > 1 ? "several sections" : "one section", default: 0] += 1
    }
    let least = ["none", "some", "all", "sorted", "several sections", "one section"]
    #expect(least.allSatisfy { counts[$0, default: 0] > 200 }, "\(counts)")
  }
}
