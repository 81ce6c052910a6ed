import CellarCommand
import ListModel
import TestSupport
import Testing

/// Scripts that change contents.
@Suite struct ContentScriptTests {
  private func run(_ script: String, _ content: JSON) throws -> String {
    try ContentScript(parsing: Array(script.utf8)).applied(to: content).text
  }

  @Test(arguments: [
    (#"[{"rename":["title","name"]}]"#, #"{"a":1,"name":"x","b":2.50}"#),
    (#"[{"remove":"title"}]"#, #"{"a":1,"b":2.50}"#),
    (#"[{"set":"a","to":[ 1 ]}]"#, #"{"a":[1],"title":"x","b":2.50}"#),
    (#"[{"set-if-missing":"a","to":7}]"#, #"{"a":1,"title":"x","b":2.50}"#),
    (#"[{"set-if-missing":"c","to":null}]"#, #"{"a":1,"title":"x","b":2.50,"c":null}"#),
    (#"[{"remove":"c"},{"rename":["c","d"]},{"remove":"c.d"}]"#, #"{"a":1,"title":"x","b":2.50}"#),
    (
      #"[{"set":"c.d.e","to":1},{"rename":["c.d.x","c.d.y"]}]"#,
      #"{"a":1,"title":"x","b":2.50,"c":{"d":{"e":1}}}"#
    ),
    ("[]", #"{"a":1,"title":"x","b":2.50}"#),
  ]) func anOperationChangesWhatItNamesAndNothingElse(_ script: String, _ result: String) throws {
    let changed = try run(script, #"{"a":1,"title":"x","b":2.50}"#)
    #expect(changed == result)
    #expect(try run(script, JSON(parsing: changed)) == result, "again it changes nothing")
  }

  @Test(arguments: [
    ("{}", "expected an array"), (#"[{"renam":["a","b"]}]"#, "[0]: unknown operation \"renam\""),
    (#"[{"remove":"a"},{}]"#, "[1]: expected one operation"),
    (#"[{"remove":"a","set":"b","to":1}]"#, "[0]: expected one operation"),
    (#"[{"set":"a"}]"#, "[0].to: missing"), (#"[{"remove":"a","to":1}]"#, "[0].to: remove takes"),
    (#"[{"rename":["a"]}]"#, "[0].rename: expected the old path"),
    (#"[{"rename":["a.b","c.d"]}]"#, "[0].rename: both paths"),
    (#"[{"remove":"a..b"}]"#, "[0].remove: a name in a path is empty"),
    (#"[{"remove":1}]"#, "[0].remove: expected a string"), ("[", ""),
  ]) func aScriptThatIsNoneIsRefusedWithThePlace(_ script: String, _ words: String) {
    let error = #expect(throws: FormatError.self) {
      try ContentScript(parsing: Array(script.utf8))
    }
    #expect(error?.description.hasPrefix(words) == true, "\(String(describing: error))")
  }

  @Test(arguments: [
    (#"[{"set":"a.b","to":1}]"#, #"{"a":[]}"#, "a: expected an object, found an array"),
    (#"[{"rename":["a","b"]}]"#, #"{"a":1,"b":2}"#, "b: \"a\" can't get this name"),
    (#"[{"remove":"a"}]"#, #"{"a":1,"a":2}"#, "a: the name occurs twice"),
    (#"[{"remove":"a"}]"#, "7", "expected an object, found a number"),
  ]) func aContentThatDoesNotFitIsRefused(
    _ script: String, _ content: String, _ words: String
  ) throws {
    let content = try JSON(parsing: content)
    let error = #expect(throws: FormatError.self) { try run(script, content) }
    #expect(error?.description.hasPrefix(words) == true, "\(String(describing: error))")
  }
}
