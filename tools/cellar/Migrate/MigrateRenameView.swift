import ArgumentParser
import ListModel
import ListStore

extension Migrate {
  struct RenameView: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "rename-view",
      abstract: "Give views of sections another name, for a class that was renamed.",
      discussion: """
        Headers, footers, other supplementary views and decorations. Otherwise as `rename-cell`.
        """)

    @Argument(help: "The view name that sections have.", transform: { try ViewName($0) })
    var old: ViewName

    @Argument(help: "The one that they get.", transform: { try ViewName($0) })
    var new: ViewName

    @OptionGroup var files: Files
    @OptionGroup var options: ContentChange.Options

    func run() throws {
      let (old, new) = (old, new)
      let change = try ContentChange(of: .view(old), options, files.known)
      try files.change { file, progress in
        try change.result(of: file, \.renamedSections) {
          try $0.renameView(old, to: new, by: ContentChange.author, progress: progress)
        }
      }
    }
  }
}
