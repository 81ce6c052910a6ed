import ArgumentParser
import Foundation
import ListModel
import ListStore
import StoreSchema

struct Migrate: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "See and change the schema version of stores, and names in them.",
    subcommands: [Status.self, Up.self, RenameCell.self])

  /// What the subcommands share: several files, one result each, and the worst as exit code.
  struct Files: ParsableArguments {
    @Argument(help: ArgumentHelp("Store files.", valueName: "file"))
    var files: [String]

    @Flag(help: "Print one JSON object a file.")
    var json = false

    func validate() throws {
      guard !files.isEmpty else { throw ValidationError("name at least one store file") }
    }

    /// Handles each file; one that fails does not stop the rest.
    func each(_ body: (URL) throws -> Result) throws {
      var codes: Set<Int32> = []
      for file in files {
        var result: Result
        do {
          result = try body(URL(fileURLWithPath: file))
        } catch {
          codes.insert(Failure.exitCode(for: error).rawValue)
          Output.note("Error: " + String(describing: error))
          result = Result(error: String(describing: error))
        }
        result.file = file
        if json {
          try Output.json(try result.line())
        } else if result.error == nil {
          try Output.lines(result.plainText(of: file))
        }
      }
      // Files that failed for different reasons have none in common to tell by the code.
      if let code = codes.first { throw codes.count == 1 ? ExitCode(code) : .failure }
    }
  }

  /// What is said of one file.
  struct Result: Encodable {
    var formatVersion = 1
    var file = ""
    var schemaVersion: Int?
    var latestVersion = Migration.latestVersion
    /// What each migration is: "applied", "pending", or "applied now".
    var migrations: [Step]?
    /// How many items of each list have another cell name now.
    var renamedItems: [String: Int]?
    /// Cell names that may have been meant where no item had the one that was named.
    var nearCells: [String]?
    var error: String?

    struct Step: Encodable {
      var name: String
      var state: String
    }

    func plainText(of file: String) -> [String] {
      if let renamedItems {
        if renamedItems.isEmpty {
          let near = (nearCells ?? []).map(ShownText.quoted).joined(separator: ", ")
          return ["\(file): no item has this cell" + (near.isEmpty ? "" : " (near it: \(near))")]
        }
        return ["\(file): renamed"]
          + renamedItems.sorted { $0.key < $1.key }.map { list, count in
            "  \(Output.count(count, "item").padded(to: 12))\(list)"
          }
      }
      let version = schemaVersion.map(String.init) ?? "unknown"
      return ["\(file): schema version \(version) of \(latestVersion)"]
        + (migrations ?? []).map { "  \($0.state.padded(to: 12))\($0.name)" }
    }

    func line() throws -> String {
      let encoder = JSONEncoder()
      encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
      return String(decoding: try encoder.encode(self), as: UTF8.self)
    }
  }

  struct Status: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Print which migrations stores have had; changes and creates nothing.")

    @OptionGroup var files: Files

    func run() throws {
      try files.each { file in
        let status = try SchemaStatus(of: file)
        return Result(
          schemaVersion: status.version,
          migrations: status.applied.map { .init(name: $0.name, state: "applied") }
            + status.pending.map { .init(name: $0, state: "pending") })
      }
    }
  }

  struct Up: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Apply the migrations that stores need.",
      discussion: "Each migration is one transaction; one that fails leaves the version before.")

    @OptionGroup var files: Files

    func run() throws {
      try files.each { file in
        var line = ProgressLine()
        defer { line.clear() }
        let applied = try Migrator.up(file) { done, _ in
          line.show("\(file.path): \(Int(done * 100)) %")
        }
        let status = try SchemaStatus(of: file)
        return Result(
          schemaVersion: status.version,
          migrations: status.applied.map {
            .init(name: $0.name, state: applied.names.contains($0.name) ? "applied now" : "applied")
          })
      }
    }
  }

  struct RenameCell: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "rename-cell",
      abstract: "Give items another name for their cell, for a class that was renamed.",
      discussion: """
        Migrates the store first if it is needed. The items are changed by commits, so that apps that \
        follow the list are told, and their measured sizes hold on. Run again it changes nothing.
        """)

    @Argument(help: "The cell name that items have.", transform: { try CellName($0) })
    var old: CellName

    @Argument(help: "The one that they get.", transform: { try CellName($0) })
    var new: CellName

    @OptionGroup var files: Files

    func run() throws {
      try files.each { file in
        let repository = try Repository(existing: file)
        let renamed = try repository.renameCell(old, to: new, by: Author("migrate"))
        let near = renamed.isEmpty ? try repository.cellNames(near: old) : []
        return Result(
          schemaVersion: try SchemaStatus(of: file).version,
          renamedItems: Dictionary(
            uniqueKeysWithValues: renamed.map { ($0.key.rawValue, $0.value) }),
          nearCells: near.isEmpty ? nil : near.map(\.rawValue))
      }
    }
  }
}

extension String {
  /// The text with spaces after it, up to a width.
  func padded(to width: Int) -> String {
    self + String(repeating: " ", count: max(1, width - count))
  }
}
