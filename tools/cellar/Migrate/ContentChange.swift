import ArgumentParser
import DerivedLists
import Foundation
import ListModel
import ListStore
import ListTables
import StoreFiles
import StoreSchema

/// A change of names or contents in a store.
struct ContentChange: Sendable {
  private let names: [Repository.StoredName]
  private let isDryRun: Bool
  private let migrations: [Migration]

  /// The author of the commits.
  static let author: Author = "migrate"

  struct Options: ParsableArguments {
    @Flag(
      name: .customLong("dry-run"),
      help: "Change a private copy and count; the store stays as it is.")
    var dryRun = false
  }

  /// `names`: What the changed items have; it is an error if the store does not know one of them.
  init(
    of names: [Repository.StoredName], _ options: Options, _ known: KnownMigrations
  ) throws(StoreError) {
    self.names = names
    isDryRun = options.dryRun
    migrations = try known.all()
  }

  /// Changes a store, or a copy of it.
  ///
  /// - Parameters:
  ///   - file: The store.
  ///   - member: Where the result has the counts.
  ///   - change: The change; it returns how many it has changed, by list.
  /// - Returns: The counts; or an error with the names that may have been meant.
  /// - Throws: ``StoreError`` that names the store, also where its copy failed.
  func result(
    of file: URL, _ member: WritableKeyPath<StoreResult, [String: Int]?>,
    _ change: (Repository) throws -> [ListID: Int]
  ) throws -> StoreResult {
    var result = StoreResult()
    let isOld = try StoreHeader(of: file).schemaVersion < migrations.latestVersion
    let copy = isDryRun || isOld ? try PrivateCopy(of: file) : nil
    if isDryRun { result.dryRun = true }
    var options = Repository.Options()
    options.migration.migrations = migrations
    // Opening migrates, for good. So a name is first looked for in a copy.
    if let copy, !isDryRun {
      let looked = try Repository(existing: copy.file, options: options)
      if try result.failForUnknown(names, of: looked, in: file) {
        result.schemaVersion = try StoreHeader(of: file).schemaVersion
        return result
      }
    }
    do {
      let repository = try Repository(
        existing: isDryRun ? copy?.file ?? file : file, options: options)
      let counts = try change(repository)
      result[keyPath: member] = Dictionary(
        uniqueKeysWithValues: counts.map { ($0.key.rawValue, $0.value) })
      try result.note(definitionsWith: names, of: repository, in: file)
      if counts.isEmpty { _ = try result.failForUnknown(names, of: repository, in: file) }
    } catch var error as StoreError {
      if error.file == nil || isDryRun { error.file = file.path }
      throw error
    }
    result.schemaVersion = try SchemaStatus(of: file, migrations: migrations).version
    return result
  }
}

extension StoreResult {
  /// Names the derived lists whose definitions have one of some views; fails if nothing else had it.
  fileprivate mutating func note(
    definitionsWith names: [Repository.StoredName], of repository: Repository, in file: URL
  ) throws {
    guard case .view(let view)? = names.first else { return }
    let lists = try repository.derivedLists().filter { $0.definition.headerView == view }
      .map(\.list.rawValue)
    if lists.isEmpty { return }
    definitionsWithView = lists
    if renamedSections?.isEmpty == true {
      fail(
        StoreError(
          .invalidValue,
          "only definitions of derived lists have the view: "
            + lists.map { ShownText.quoted($0) }.joined(separator: ", ")
            + "; define them again with the new name", file: file.path))
    }
  }

  /// Fails if a store does not know one of some names.
  ///
  /// - Returns: Whether it has failed.
  fileprivate mutating func failForUnknown(
    _ names: [Repository.StoredName], of repository: Repository, in file: URL
  ) throws -> Bool {
    for name in names {
      guard let others = try repository.otherNames(ifUnknown: name) else { continue }
      failForUnknown(name, others, in: file)
      return true
    }
    return false
  }

  private mutating func failForUnknown(
    _ name: Repository.StoredName, _ others: [String], in file: URL
  ) {
    let text: String
    let what: String
    switch name {
    case .cell(let cell): (text, what) = (cell.rawValue, "no item has the cell")
    case .type(let type), .storedType(let type):
      (text, what) = (type.rawValue, "no item has the type")
    case .view(let view): (text, what) = (view.rawValue, "no section has the view")
    }
    let near = NearestNames.nearest(to: text, among: others)
    switch name {
    case .cell: nearCells = near
    case .type, .storedType: nearTypes = near
    case .view: nearViews = near
    }
    fail(
      StoreError(
        .nameNotFound,
        "\(what) \(ShownText.quoted(text)) "
          + NearestNames.hint(for: text, among: others, in: "the store"), file: file.path))
  }

  /// What people read of changed names and contents; `nil` if none were to be changed.
  func contentLines(of file: String) -> [String]? {
    if let renamedItems { return lines(of: file, "rename", renamedItems, "item") }
    if let renamedSections { return lines(of: file, "rename", renamedSections, "section") }
    return changedItems.map { lines(of: file, "change", $0, "item") }
  }

  private func lines(
    of file: String, _ verb: String, _ counts: [String: Int], _ noun: String
  ) -> [String] {
    if error != nil { return [] }
    if counts.isEmpty { return ["\(file): nothing to \(verb)"] }
    return [file + ": " + (dryRun == true ? "would \(verb)" : verb + "d")]
      + counts.sorted { $0.key < $1.key }.map { list, count in
        "  \(Output.count(count, noun).padded(to: 12))\(list)"
      }
      + (definitionsWithView ?? []).map {
        "  remains     in the definition of \(ShownText.quoted($0)): define it again"
      }
  }
}
