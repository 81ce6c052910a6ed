import ArgumentParser
import BatchUpdates
import ListModel

struct CheckBatch: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "check-batch",
    abstract: "Say what UIKit would do with a batch update.",
    discussion: """
      The file holds {"before":[2,1],"after":[2],"stage":{…}}: how many items each section has \
      before and after, and the operations. Prints {"verdict":…}: ok, unsafe (accepted by some \
      version, then wrong cells, a freeze or a silent reload) or raise, with the rule and a \
      message. Exits with 0 for ok, 2 for the others.

      Example: cellar check-batch batch.json
      """)

  @Argument(help: ArgumentHelp("The batch; - is standard input.", valueName: "file"))
  var file: String

  func run() throws {
    let bytes = try readInput(file)
    let verdict: LegalityVerdict
    do {
      verdict = try Self.verdict(bytes)
    } catch {
      throw StoreError(.invalidValue, "not a batch to check: \(error)", file: file, cause: error)
    }
    try Output.json(Self.json(verdict))
    if verdict.outcome != .ok { throw ExitCode(2) }
  }

  private static func verdict(_ bytes: [UInt8]) throws(FormatError) -> LegalityVerdict {
    let object = try JSONNode(parsing: bytes).object()
    func counts(_ name: String) throws(FormatError) -> [Int] {
      let counts: [Int] = try object.required(name)
      guard let index = counts.firstIndex(where: { $0 < 0 }) else { return counts }
      throw FormatError(
        "expected a count from 0, found \(counts[index])", at: "\(name)[\(index)]")
    }
    let after = try counts("after")
    func stage(_ node: JSONNode) throws(FormatError) -> (Stage, reloads: [Int]) {
      let stage = try node.object()
      try checkNames(stage)
      try checkCounts(stage, after)
      return (try Stage(stage), try stage.optional("reloadSections") ?? [])
    }
    let (stage, reloads) = try object.required("stage", stage)
    return LegalityCheck.verdict(
      of: stage, reloadingSections: reloads, before: SectionCounts(try counts("before")),
      after: SectionCounts(after))
  }

  /// Refuses a list of operations that no stage has.
  ///
  /// A misspelt one would be ignored, and the verdict be about another stage than the one meant.
  /// Other unknown members, such as a note, are ignored as everywhere.
  private static func checkNames(_ stage: JSONObject) throws(FormatError) {
    let operations = Stage.operationNames + ["reloadSections"]
    for member in stage.members {
      let name = try member.name.string()
      let isMeant =
        member.value.kind == .array
        || operations.contains { $0.lowercased() == name.lowercased() }
      guard isMeant, name != "counts", !operations.contains(name) else { continue }
      throw FormatError(
        "no operation has this name; expected \(operations.joined(separator: ", ")) or counts",
        at: name)
    }
  }

  /// Refuses a stage whose own counts are not those of the list after.
  private static func checkCounts(_ stage: JSONObject, _ after: [Int]) throws(FormatError) {
    guard let counts = try stage.optional("counts", as: [Int].self), counts != after else {
      return
    }
    throw FormatError("\(counts) contradicts \"after\", which is \(after)", at: "counts")
  }

  private static func json(_ verdict: LegalityVerdict) -> String {
    JSONWriter.object { writer in
      writer.member("verdict", verdict.outcome.rawValue)
      guard let rule = verdict.rule else { return }
      writer.member("rule", rule.name)
      writer.member("message", verdict.message)
    }
  }
}
