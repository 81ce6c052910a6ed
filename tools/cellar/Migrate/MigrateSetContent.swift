import ArgumentParser
import ListModel
import ListStore

extension Migrate {
  struct SetContent: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "set-content",
      abstract: "Change contents of items, by a script or a command.",
      discussion: """
        Of items of a type or a cell. A script is a JSON array of {"rename":["title","name"]}, \
        {"remove":"author.born"}, {"set":"format","to":2} and \
        {"set-if-missing":"liked","to":false}, in this order for each item. A command is run by \
        /bin/sh for each slice of at most 1,000 items of a list: it gets a line \
        {"id":…,"list":…,"content":…} an item, and prints a line with the same id and the new \
        content for each, in the same order. If it fails, nothing of that slice is changed.

        Migrates the store first if it is needed. The items are changed by commits, so that apps \
        that follow the list are told.

        Example: cellar set-content store.sqlite --cell BookCell --with script.json --dry-run
        """)

    @Option(
      help: "Items of a type as it is stored: Book, or Book@2 for contents of version 2.",
      transform: { try TypeName($0) })
    var type: TypeName?

    @Option(
      help: "Items of a cell, also those without a type; with --type, items of both.",
      transform: { try CellName($0) })
    var cell: CellName?

    @Option(help: ArgumentHelp("A file with a script; - is standard input.", valueName: "script"))
    var with: String?

    @Option(help: ArgumentHelp("A command that makes the contents.", valueName: "command"))
    var through: String?

    @Option(
      name: .customLong("time-limit"),
      help: ArgumentHelp("How long the command may take for a slice.", valueName: "seconds"))
    var timeLimit = 60

    @Flag(
      name: .customLong("keep-sizes"),
      help: "Measured sizes hold for the new contents, too; else they become estimates.")
    var keepSizes = false

    @OptionGroup var files: StoreArguments
    @OptionGroup var options: ContentChange.Options

    func validate() throws {
      if type == nil, cell == nil { throw ValidationError("name items by --type or --cell") }
      guard (with == nil) != (through == nil) else {
        throw ValidationError("give a script by --with or a command by --through")
      }
      guard (1...86_400).contains(timeLimit) else {
        throw ValidationError("--time-limit: 1 to 86400 seconds")
      }
    }

    func run() throws {
      let (type, cell, keepSizes) = (type, cell, keepSizes)
      let filter = try filter()
      let names = [
        type.map(Repository.StoredName.storedType), cell.map(Repository.StoredName.cell),
      ]
      let change = try ContentChange(of: names.compactMap(\.self), options, files.known)
      try files.change { file, progress in
        try change.result(of: file, \.changedItems) { repository in
          try repository.setContents(
            inSlicesOfType: type, cell: cell, keepingSizes: keepSizes, by: ContentChange.author,
            progress: progress,
            filter)
        }
      }
    }

    /// Makes the new contents of items of a list.
    private func filter() throws -> @Sendable (ListID, [Item]) throws -> [JSON] {
      if let through {
        let filter = ContentFilter(command: through, timeLimit: timeLimit)
        return { list, items in try filter.contents(of: items, in: list) }
      }
      let path = with ?? "-"
      let bytes = try readInput(path)
      let script: ContentScript
      do { script = try ContentScript(parsing: bytes) } catch {
        throw StoreError(.invalidValue, "not a script: \(error)", file: path, cause: error)
      }
      return { list, items in
        try items.map { item in
          do throws(FormatError) { return try script.applied(to: item.state.content) } catch {
            throw StoreError(
              .invalidValue,
              "the content of item \(ShownText.quoted(item.id.rawValue)) in list "
                + "\(ShownText.quoted(list.rawValue)) can't be changed: \(error); "
                + "nothing of its slice was changed", cause: error)
          }
        }
      }
    }
  }
}
