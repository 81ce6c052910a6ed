import ArgumentParser
import Foundation
import ListModel
import ListStore
import StoreFiles
import StoreSchema

extension Migrate {
  struct Erase: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Delete items, sections or a list for good.",
      discussion: """
        No byte of them stays in a store's files. They go out of the list, of its log (the commits \
        stay, their contents don't), of edits that wait and of what screens keep. Then the file is \
        written anew, the write-ahead log is emptied, and backups, copies of damaged files and \
        stores that were moved aside are deleted; a backup of the store as it is then is made if \
        there was one. Says what it would do, and asks; without a terminal, it does nothing unless \
        there is --yes. Apps can have the store open.

        Without --list, only what is deleted already is taken out of free pages and old files.
        Exits with 6 if another program still reads the store as it was: run it again without \
        --list.

        Example: cellar erase shelf.sqlite --list shelf --item emma
        """)

    @Argument(help: ArgumentHelp("The store.", valueName: "file"))
    var file: String

    @Option(
      help: ArgumentHelp("The list; all of it without --item and --section.", valueName: "id"),
      transform: Inspect.listID)
    var list: ListID?

    @Option(
      help: ArgumentHelp("An item, also one that was deleted; repeatable.", valueName: "id"),
      transform: { try ItemID($0) })
    var item: [ItemID] = []

    @Option(
      help: ArgumentHelp(
        "A section with the items that are in it or were last in it; repeatable.", valueName: "id"),
      transform: { try SectionID($0) })
    var section: [SectionID] = []

    @Flag(help: "Erase without asking.")
    var yes = false

    @Flag(name: .customLong("dry-run"), help: "Erase from a private copy, and say what was erased.")
    var dryRun = false

    @Flag(help: "Print JSON.")
    var json = false

    @OptionGroup var known: KnownMigrations

    func validate() throws {
      guard list != nil || item.isEmpty && section.isEmpty else {
        throw ValidationError("--item and --section need --list")
      }
    }

    func run() throws {
      let store = URL(fileURLWithPath: file)
      let isOld = try StoreHeader(of: store).schemaVersion < known.all().latestVersion
      // Opening an old one migrates it for good, and what is named may not be there.
      if dryRun || !yes || isOld {
        let answer = try preview(store)
        if dryRun { return try answer.print(asJSON: json) }
        guard yes || asks(answer) else {
          throw StoreError(
            .notWritable, "nothing was erased: it is not done without --yes", file: file)
        }
      }
      try FolderTurn.during(changesOf: store) {
        let erased = try open(store).erase(things, by: "erase")
        try Answer(file, erased).print(asJSON: json)
        for error in erased.remaining { Output.note("Error: " + error.description) }
        if let error = erased.remaining.first { throw ExitCode(for: error) }
      }
    }

    private var things: [Repository.Erasable] {
      guard let list else { return [] }
      let parts =
        item.map { Repository.Erasable.item($0, of: list) } + section.map { .section($0, of: list) }
      return parts.isEmpty ? [.list(list)] : parts
    }

    private func open(_ store: URL) throws -> Repository {
      var options = Repository.Options()
      options.migration.migrations = try known.all()
      options.otherProcesses = .ignored
      return try Repository(existing: store, options: options)
    }

    /// What would be done, found in a private copy.
    private func preview(_ store: URL) throws -> Answer {
      let copy = try PrivateCopy(of: store)
      do {
        var answer = Answer(file, try open(copy.file).erase(things, by: "erase"))
        answer.deletedFiles = StoreBackup.formerFiles(of: store).map(\.path)
        answer.dryRun = true
        return answer
      } catch var error as StoreError {
        error.file = file
        throw error
      }
    }

    private func asks(_ answer: Answer) -> Bool {
      guard isatty(0) == 1, isatty(2) == 1 else { return false }
      Output.notes(answer.lines + ["This can't be undone. Do it? (y/n)"])
      return ["y", "yes"].contains(readLine()?.lowercased())
    }

    /// What is said of a store.
    private struct Answer: Encodable {
      var formatVersion = 1
      var file: String
      var items: Int
      var sections: Int
      var lists: [String]
      var commits: [CommitFacts]
      var deletedFiles: [String]
      var backup: String?
      /// Why bytes may still be in files, a sentence each.
      var remaining: [String]?
      var dryRun: Bool?

      struct CommitFacts: Encodable {
        var list: String
        var revision: Int
      }

      init(_ file: String, _ erased: Repository.Erased) {
        self.file = file
        items = erased.itemCount
        sections = erased.sectionCount
        lists = erased.lists.map(\.rawValue).sorted()
        commits = erased.commits.map {
          CommitFacts(list: $0.list.rawValue, revision: $0.revision)
        }
        deletedFiles = erased.deletedFiles.map(\.path)
        backup = erased.backup?.path
        remaining = erased.remaining.isEmpty ? nil : erased.remaining.map(\.description)
      }

      func print(asJSON json: Bool) throws {
        if json { try Output.json(try Output.jsonLine(of: self)) } else { try Output.lines(lines) }
      }

      var lines: [String] {
        let what = [
          items > 0 ? Output.count(items, "item") : nil,
          sections > 0 ? Output.count(sections, "section") : nil,
          lists.isEmpty ? nil : Output.count(lists.count, "list"),
        ].compactMap(\.self)
        let would = dryRun == true
        return [
          "\(file): \(would ? "would erase" : "erased") "
            + (what.isEmpty ? "what was deleted before" : what.joined(separator: ", "))
        ]
          + lists.map { "  list        " + ShownText.quoted($0) }
          + commits.map { "  commit      \($0.revision) of \(ShownText.quoted($0.list))" }
          + deletedFiles.map { "  \(would ? "would delete" : "deleted     ")" + $0 }
          + (backup.map { ["  backup      \($0), of the store as it is now"] } ?? [])
      }
    }
  }
}
