import DerivedLists
import Foundation
import ListModel
import ListStore
import ListSync

/// Stores in memory for the inputs of a target: each begins as the same one, and nothing is left of it.
enum Shelves {
  /// Where a process has its files; `run` says that it is in memory.
  static let folder = FileManager.default.temporaryDirectory
    .appendingPathComponent("cellar-fuzz-\(getpid())", isDirectory: true)

  /// Gives a closure a new folder, and removes it afterwards.
  static func withFolder(_ name: String = "input", _ body: (URL) -> Void) {
    let inner = folder.appendingPathComponent(name, isDirectory: true)
    try? FileManager.default.removeItem(at: inner)
    requireSuccess("a folder") {
      try FileManager.default.createDirectory(at: inner, withIntermediateDirectories: true)
    }
    body(inner)
    try? FileManager.default.removeItem(at: inner)
  }

  /// A store's bytes, its write-ahead log's and its journal's.
  struct Files {
    var database: [UInt8]
    var log: [UInt8] = []
    var journal: [UInt8] = []

    /// Reads those of a store.
    init(of store: URL) {
      func bytes(_ suffix: String) -> [UInt8] {
        (try? Data(contentsOf: URL(fileURLWithPath: store.path + suffix))).map(Array.init) ?? []
      }
      (database, log, journal) = (bytes(""), bytes("-wal"), bytes("-journal"))
    }

    init(database: [UInt8], log: [UInt8] = [], journal: [UInt8] = []) {
      (self.database, self.log, self.journal) = (database, log, journal)
    }

    /// Writes them; those without bytes are left out.
    func write(to store: URL) {
      for (suffix, bytes) in [("", database), ("-wal", log), ("-journal", journal)]
      where suffix.isEmpty || !bytes.isEmpty {
        requireSuccess("a file") {
          try Data(bytes).write(to: URL(fileURLWithPath: store.path + suffix))
        }
      }
    }

    /// Whether a store has these bytes and no others.
    func areThose(of store: URL) -> Bool {
      let now = Files(of: store)
      return now.database == database && now.log == log && now.journal == journal
    }
  }

  static var options: Repository.Options {
    var options = Repository.Options()
    options.otherProcesses = .ignored
    options.busyTimeout = 0
    return options
  }

  /// An empty store.
  static let empty: Files = make { _ in }

  /// A store with lists, a log, sizes and derived lists.
  static let small: Files = make { try fill($0, itemCount: 12) }

  /// The same with so many items that there are blocks above others.
  static let large: Files = make { try fill($0, itemCount: 150) }

  /// The small one with its last commits in a write-ahead log.
  static let logged: Files = {
    let original = small
    var files: Files?
    withFolder("original") { folder in
      requireSuccess("a store") {
        let store = folder.appendingPathComponent("store.sqlite")
        original.write(to: store)
        let repository = try Repository(existing: store, options: options)
        try repository.commit([.touchItem("item 1")], to: "list")
        try repository.commit([.deleteItem("item 2")], to: "list")
        files = Files(of: store)
        try repository.close()
      }
    }
    return files ?? original
  }()

  private static func make(_ body: (Repository) throws -> Void) -> Files {
    var files = Files(database: [])
    withFolder("original") { folder in
      requireSuccess("a store") {
        let store = folder.appendingPathComponent("store.sqlite")
        let repository = try Repository(at: store, options: options)
        try body(repository)
        try repository.close()
        files = Files(of: store)
      }
    }
    return files
  }

  private static func fill(_ repository: Repository, itemCount: Int) throws {
    var changes: [Change] = [.updateList(meta: JSON(minified: #"{"title":"Shelf"}"#))]
    for section in 0..<3 {
      let id = try SectionID("section \(section)")
      changes.append(
        .insertSection(
          id,
          SectionAttributes(
            layout: SectionLayout(kind: .list, lineSpacing: 8),
            header: Supplementary(view: "Header", content: JSON(minified: #"{"n":1}"#)),
            meta: .null), at: .end))
      for item in 0..<(section == 0 ? itemCount : 4) {
        let number = section * itemCount + item
        changes.append(
          .insertItem(
            Item(
              id: try ItemID("item \(number)"), cell: item % 3 == 0 ? "Cell" : "Other",
              content: try JSON(parsing: #"{"n":\#(number % 17),"title":"Book \#(number)"}"#),
              type: "Book"), in: id, at: .end))
      }
    }
    try repository.commit(changes, to: "list")
    try repository.commit(
      [
        .moveItem("item 7", in: "section 1", to: .start), .deleteItem("item 9"),
        .updateItem(
          "item 3", ItemUpdate(content: .set(JSON(minified: #"{"n":3,"title":"Other"}"#)))),
      ], to: "list")
    try repository.commit([.moveSection("section 2", to: .start)], to: "list")
    try repository.commit([.deleteSection("section 1"), .touchItem("item 5")], to: "list")
    try repository.commit([.insertSection("s", SectionAttributes(), at: .end)], to: "second")
    let definitions = [
      #"{"derived":"d","of":"list","section":{"path":"/n","view":"H"},"sort":[{"path":"/title"}]}"#,
      #"{"derived":"found","of":"list","where":[{"paths":["/title"],"matches":"other"}]}"#,
    ]
    try repository.define(
      definitions.enumerated().map { (try DerivedDefinition(parsing: Array($1.utf8)), $0 + 1) })
    try repository.save(
      (0..<8).map {
        MeasuredSize(
          item: try ItemID("item \($0)"), size: Size(width: 320, height: 44), cell: "Cell",
          contentRevision: 0)
      }, for: SizeKey(fittingPixels: 320, environment: LayoutEnvironment()), in: "list")
  }
}
