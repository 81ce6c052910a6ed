import ArgumentParser
import Foundation
import ListInspection
import ListModel

/// A command that looks at stores, one after another, and prints an answer about each.
protocol InspectCommand: ParsableCommand {
  associatedtype Stores: InspectedStores
  var stores: Stores { get }

  /// What it has to say about a store; nothing is printed or written yet.
  func answer(_ inspection: Inspection) throws -> InspectAnswer
}

extension InspectCommand {
  func run() throws { try answerAll() }

  /// Answers about each store.
  func answerAll() throws {
    try stores.forEach(answer) { answer in
      try answer.finish()
      if stores.json {
        // Indented for one store, an object a line for several.
        let isOne = stores.files.count == 1
        try Output.json(
          isOne ? Output.json(of: answer.value) : Output.jsonLine(of: answer.value))
      } else {
        try answer.printLines()
      }
      if let note = answer.note { Output.note(note) }
      return answer.isSound
    }
  }
}

/// What a command prints about a store.
struct InspectAnswer {
  /// The answer for programs.
  let value: any Encodable
  /// Whether nothing is wrong; else the command ends with 2.
  let isSound: Bool
  /// Prints the answer for people.
  let printLines: () throws -> Void
  /// Done before it is printed, once.
  var finish: () throws -> Void = {}
  /// What is said after it, in either form.
  var note: String?

  init(
    _ value: any Encodable, isSound: Bool, lines: @autoclosure @escaping () throws -> [String]
  ) {
    self.init(value, isSound: isSound) { try Output.lines(lines()) }
  }

  init(_ value: any Encodable, isSound: Bool = true, printLines: @escaping () throws -> Void) {
    self.value = value
    self.isSound = isSound
    self.printLines = printLines
  }
}

/// The arguments that name stores, and say how they are opened and what is printed.
protocol InspectedStores: ParsableArguments {
  var files: [String] { get }
  var opening: OpeningOption { get }
  var json: Bool { get }
}

extension InspectedStores {
  /// Looks at each store; one that fails does not stop the others.
  ///
  /// - Parameters:
  ///   - look: What is seen; called again if somebody has written into the store meanwhile.
  ///   - show: Prints it; returns whether nothing is wrong.
  /// - Throws: The exit code: that of the failure if all failures have the same, else 1; then 70
  ///   for a file that has changed, then 2 for one with something wrong.
  func forEach<Seen>(
    _ look: (Inspection) throws -> Seen, _ show: (Seen) throws -> Bool
  ) throws {
    var failures: Set<Int32> = []
    var hasChanged = false
    var isSound = true
    for file in files {
      do {
        let (inspection, seen) = try opening.look(
          at: { try $0(file) }, outdatedIf: \.isOutdated, look)
        isSound = try show(seen) && isSound
        if let refusal = inspection.refusal {
          Output.note("Error: " + refusal.description)
          failures.insert(ExitCode(for: refusal).rawValue)
        }
        do throws(StoreError) {
          try inspection.requireUnchanged()
        } catch {
          guard error.code == .changedMeanwhile else { throw error }
          Output.note("Error: " + error.description)
          hasChanged = true
        }
      } catch let error as StoreError {
        Output.note("Error: " + error.description)
        failures.insert(ExitCode(for: error).rawValue)
      }
    }
    if let failure = failures.first { throw ExitCode(failures.count == 1 ? failure : 1) }
    if hasChanged { throw ExitCode(70) }
    if !isSound { throw ExitCode(2) }
  }
}

/// The stores that a command looks at.
struct InspectedFiles: InspectedStores {
  @Argument(help: ArgumentHelp("The stores.", valueName: "file"))
  var files: [String]

  @OptionGroup var opening: OpeningOption

  @Flag(help: "Print JSON.")
  var json = false

  func validate() throws {
    if files.isEmpty { throw ValidationError("name at least one store") }
  }
}

/// The one store that a command looks at.
struct InspectedFile: InspectedStores {
  @Argument(help: ArgumentHelp("The store.", valueName: "file"))
  var file: String

  @OptionGroup var opening: OpeningOption

  @Flag(help: "Print JSON.")
  var json = false

  var files: [String] { [file] }
}

extension [Finding] {
  /// Whether none is an error.
  var hasNoError: Bool { allSatisfy { $0.severity != .error } }
}
