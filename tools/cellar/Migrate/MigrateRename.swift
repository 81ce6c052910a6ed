import ArgumentParser
import ListModel
import ListStore

extension Migrate {
  struct Rename: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Rename a cell, an item type or a view in stores.",
      discussion: """
        For a class that was renamed. cell: the cell name of items. type: their type, in every \
        content version: with Book, also Book@2; contents stay as they are. view: headers, footers \
        and other supplementary views of sections. The headers of a derived list have the name of \
        its definition, which is to be defined again: such lists are named, and if nothing else has \
        the view, that is an error.

        Migrates a store first if it is needed. The items are changed by commits, so that apps \
        that follow the list are told, and their measured sizes hold on. Run again it changes \
        nothing.

        Example: cellar rename cell BookCell CoverCell stores
        """)

    enum Kind: String, ExpressibleByArgument, CaseIterable {
      case cell, type, view
    }

    @Argument(help: "What is renamed: cell, type or view.")
    var kind: Kind

    @Argument(help: "The name that is stored.")
    var old: String

    @Argument(help: "The new name.")
    var new: String

    @OptionGroup var files: StoreArguments
    @OptionGroup var options: ContentChange.Options

    func validate() throws {
      do { _ = try change() } catch { throw ValidationError("no name to rename: \(error)") }
    }

    func run() throws {
      let (kind, rename) = (kind, try change())
      let change = try ContentChange(of: [rename.name], options, files.known)
      try files.change { file, progress in
        try change.result(of: file, kind == .view ? \.renamedSections : \.renamedItems) {
          try rename.apply($0, progress)
        }
      }
    }

    private struct Change: Sendable {
      let name: Repository.StoredName
      let apply: @Sendable (Repository, (Double) -> Void) throws -> [ListID: Int]
    }

    private func change() throws -> Change {
      let author = ContentChange.author
      switch kind {
      case .cell:
        let (old, new) = (try CellName(old), try CellName(new))
        return Change(name: .cell(old)) {
          try $0.renameCell(old, to: new, by: author, progress: $1)
        }
      case .type:
        let (old, new) = (try TypeName(old), try TypeName(new))
        return Change(name: .type(old)) {
          try $0.renameType(old, to: new, by: author, progress: $1)
        }
      case .view:
        let (old, new) = (try ViewName(old), try ViewName(new))
        return Change(name: .view(old)) {
          try $0.renameView(old, to: new, by: author, progress: $1)
        }
      }
    }
  }
}
