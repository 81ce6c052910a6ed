import ArgumentParser
import Foundation
import ListModel
import ListStore
import StoreSchema

extension Migrate {
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
      let (old, new) = (old, new)
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
