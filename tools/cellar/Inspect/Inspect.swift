import ArgumentParser
import Foundation
import ListInspection
import ListModel

struct Inspect: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Look into a store without changing a byte of it or beside it.",
    discussion: """
      A private copy is read, so a store that an app has open can be looked at, and one that is \
      damaged. --in-place reads a store that is too large to be copied. What can be read is \
      printed although something else can't. Exits with 2 if something is wrong with the store, \
      with 4 or 5 if this version of Cellar would not open it, and with 70 if it changed meanwhile.
      """,
    subcommands: [
      Info.self, Check.self, List.self, Show.self, Log.self, Diff.self, WriteAheadLog.self,
      Space.self, Sizes.self, Cells.self, Query.self, Browse.self, Report.self, Export.self,
      Recover.self, Redact.self,
    ])
}

/// How a command opens the stores that it looks at.
struct OpeningOption: ParsableArguments {
  @Flag(help: "Read the store itself and no copy of it; nobody may have it open.")
  var inPlace = false

  func inspection(of path: String) throws(StoreError) -> Inspection {
    try Inspection(of: URL(fileURLWithPath: path), inPlace: inPlace)
  }
}

/// The stores that a command looks at, one after another.
struct InspectedFiles: ParsableArguments {
  @Argument(help: ArgumentHelp("The stores.", valueName: "file"))
  var files: [String]

  @OptionGroup var opening: OpeningOption

  func validate() throws {
    if files.isEmpty { throw ValidationError("name at least one store") }
  }

  /// Looks at each store; a file that fails does not stop the others.
  ///
  /// - Parameter look: Prints what it sees; returns whether nothing is wrong.
  /// - Throws: The exit code: that of the failure if all failures have the same, else 1; then 70
  ///   for a file that has changed, then 2 for one with something wrong.
  func forEach(_ look: (Inspection) throws -> Bool) throws {
    try Self.forEach(files, opening, look)
  }

  /// Looks at each of the stores, as ``forEach(_:)`` does.
  static func forEach(
    _ files: [String], _ opening: OpeningOption, _ look: (Inspection) throws -> Bool
  ) throws {
    var failures: Set<Int32> = []
    var hasChanged = false
    var isSound = true
    for file in files {
      do {
        let inspection = try opening.inspection(of: file)
        isSound = try look(inspection) && isSound
        if let refusal = inspection.refusal {
          Output.note("Error: " + refusal.description)
          failures.insert(Failure.exitCode(for: refusal).rawValue)
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
        failures.insert(Failure.exitCode(for: error).rawValue)
      }
    }
    if let failure = failures.first { throw ExitCode(failures.count == 1 ? failure : 1) }
    if hasChanged { throw ExitCode(70) }
    if !isSound { throw ExitCode(2) }
  }

  /// Prints JSON: indented for one store, an object a line for several.
  func print(json value: some Encodable) throws {
    try Output.json(files.count == 1 ? Output.json(of: value) : Output.jsonLine(of: value))
  }
}

extension Finding {
  /// The lines that tell of a finding.
  var lines: [String] {
    [description, "  " + meaning, "  " + advice]
  }
}
