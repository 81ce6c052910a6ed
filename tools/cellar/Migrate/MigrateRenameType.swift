import ArgumentParser
import ListModel
import ListStore

extension Migrate {
  struct RenameType: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "rename-type",
      abstract: "Give items another name for their type, for a type that was renamed.",
      discussion: """
        Every content version of the type is renamed: with Book, also Book@2. Contents stay as they \
        are. Otherwise as `rename-cell`.
        """)

    @Argument(help: "The type name that items have.", transform: { try TypeName($0) })
    var old: TypeName

    @Argument(help: "The one that they get.", transform: { try TypeName($0) })
    var new: TypeName

    @OptionGroup var files: Files
    @OptionGroup var options: ContentChange.Options

    func run() throws {
      let (old, new) = (old, new)
      let change = try ContentChange(of: .type(old), options, files.known)
      try files.change { file, progress in
        try change.result(of: file, \.renamedItems) {
          try $0.renameType(old, to: new, by: ContentChange.author, progress: progress)
        }
      }
    }
  }
}
