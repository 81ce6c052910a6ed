import ListModel
import TestSupport
import Testing

/// Members of objects and elements of arrays are read and changed; the rest stays as it was.
@Suite struct JSONMembersTests {
  @Test func membersAreReadByTheirWholeName() throws {
    let json: JSON = #"{"a":1.50,"\u0062":[1, 2],"a\"b":null}"#
    #expect(try json.member("a")?.text == "1.50")
    #expect(try json.member("b") == "[1,2]")
    #expect(try json.member("a\"b") == .null)
    #expect(try json.member("c") == nil)
    #expect(throws: FormatError.self) { try ("[1]" as JSON).member("a") }
  }

  /// A name with an escape is not the text of its JSON.
  @Test func namesAreComparedWithoutTheirEscapes() throws {
    let json: JSON = #"{"a\\b":1,"\u0061c":2}"#
    #expect(try json.member(#"a\b"#) == "1")
    #expect(try json.member(#"a\\b"#) == nil)
    #expect(try json.member("ac") == "2")
    #expect(try json.member(#"\u0061c"#) == nil)
  }

  @Test func aMemberThatIsSetKeepsItsPlaceAndANewOneComesLast() throws {
    var json: JSON = #"{"a":1,"b":2.0}"#
    try json.set("a", to: #"{"x":[]}"# as JSON)
    try json.set("c \u{1F4D6}", to: "true" as JSON)
    #expect(json.text == "{\"a\":{\"x\":[]},\"b\":2.0,\"c \u{1F4D6}\":true}")
    var empty: JSON = "{}"
    try empty.set("a\"b", to: "1" as JSON)
    #expect(try JSON(parsing: empty.text).member("a\"b") == "1")
  }

  @Test func aMemberIsRemovedAndRenamed() throws {
    var json: JSON = #"{"a":1,"b":2,"c":3}"#
    #expect(try json.remove("b") == "2")
    #expect(try json.remove("b") == nil)
    #expect(try json.rename("a", to: "z"))
    #expect(try json.rename("z", to: "z"))
    #expect(try !json.rename("a", to: "y"))
    #expect(json == #"{"z":1,"c":3}"#)
    #expect(try json.remove("z") == "1")
    #expect(try json.remove("c") == "3")
    #expect(json == "{}")
  }

  /// Whatever member goes, the rest is as it was, with one comma between two.
  @Test(arguments: ["a", "b", "c"]) func eachMemberCanGo(_ name: String) throws {
    var json: JSON = #"{"a":[1,2],"b":{"a":1},"c":"x,}"}"#
    let parts = ["a": #""a":[1,2]"#, "b": #""b":{"a":1}"#, "c": #""c":"x,}""#]
    try json.remove(name)
    let rest = parts.filter { $0.key != name }.sorted { $0.key < $1.key }.map(\.value)
    #expect(json.text == "{\(rest.joined(separator: ","))}")
    try json.set("d", to: .null)
    #expect(try JSON(parsing: json.text).member("d") == .null)
  }

  /// JSON readers differ in which of two members of a name they take.
  @Test func aNameThatOccursTwiceIsAnErrorAndNothingChanges() throws {
    let twice: JSON = #"{"a":1,"b":2,"a":3}"#
    var json = twice
    #expect(throws: FormatError.self) { try json.member("a") }
    #expect(throws: FormatError.self) { try json.set("a", to: .null) }
    #expect(throws: FormatError.self) { try json.remove("a") }
    #expect(throws: FormatError.self) { try json.rename("a", to: "c") }
    let taken = #expect(throws: FormatError.self) { try json.rename("b", to: "a") }
    #expect("\(try #require(taken))".contains("a"))
    #expect(json == twice)
    try json.set("b", to: "4" as JSON)
    #expect(json == #"{"a":1,"b":4,"a":3}"#)
  }

  @Test func whatIsInsideIsChangedToo() throws {
    var json: JSON = #"{"parts":[{"name":"a"},{"name":"b","n":1}],"x":1}"#
    try json.update("parts") { try $0.updateElements { try $0.rename("name", to: "title") } }
    #expect(json == #"{"parts":[{"title":"a"},{"title":"b","n":1}],"x":1}"#)
    try json.update("gone") { _ in Issue.record("there is no such member") }
    #expect(try json.member("parts")?.elements().count == 2)
    #expect(throws: FormatError.self) { try json.update("x") { try $0.updateElements { _ in } } }
  }

  @Test func whatNestsTooDeepIsRefused() throws {
    var deep = JSON.null
    for _ in 0..<32 { deep = try JSON(parsing: "[\(deep.text)]") }
    var json: JSON = #"{"a":1}"#
    #expect(throws: FormatError.self) { try json.set("a", to: deep) }
    #expect(json == #"{"a":1}"#)
    var array: JSON = "[1]"
    #expect(throws: FormatError.self) { try array.updateElements { $0 = deep } }
    #expect(array == "[1]")
  }
}
