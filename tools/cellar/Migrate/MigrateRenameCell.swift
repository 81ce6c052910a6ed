import ArgumentParser
import ListModel
import ListStore

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
    @OptionGroup var options: ContentChange.Options

    func run() throws {
      let (old, new) = (old, new)
      let change = try ContentChange(of: .cell(old), options, files.known)
      try files.change { file, progress in
        try change.result(of: file, \.renamedItems) {
          try $0.renameCell(old, to: new, by: ContentChange.author, progress: progress)
        }
      }
    }
  }
}
