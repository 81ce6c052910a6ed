import Foundation
import ListInspection
import ListModel
import ListStore
import Providers
import SchemaSupport
import StoreSchema
import TestSupport
import ListTables

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// Does everything to each store of a folder that can be done to one, and says how that ended: what
/// does not end, or takes too much memory, ends this process.
///
/// A line before each store, its name, and one after it: "ok", or what was thrown that is no
/// ``StoreError``.
func lookAtAll(in folder: URL, from first: String, seconds: UInt32, bytes: UInt) throws {
  #if os(Linux)
    var limit = rlimit(rlim_cur: rlim_t(bytes), rlim_max: rlim_t(bytes))
    setrlimit(__rlimit_resource_t(RLIMIT_AS.rawValue), &limit)
  #endif
  let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
    .filter { $0.hasSuffix(".store") && $0 >= first }.sorted()
  for name in names {
    say(name)
    alarm(seconds)
    let look = Look(file: folder.appendingPathComponent(name))
    look.inspect()
    look.open()
    alarm(0)
    say(look.untyped.isEmpty ? "ok" : look.untyped.joined(separator: "; "))
  }
}

/// One store.
private final class Look {
  let file: URL
  private(set) var untyped: [String] = []

  init(file: URL) { self.file = file }

  @discardableResult
  func attempt<Value>(_ what: String, _ body: () throws -> Value) -> Value? {
    do { return try body() } catch is StoreError {
      return nil
    } catch {
      untyped.append("\(what): \(error)")
      return nil
    }
  }

  /// What looks and changes nothing.
  func inspect() {
    attempt("status") { try SchemaStatus(of: file) }
    guard let inspection = attempt("inspect", { try Inspection(of: file) }) else { return }
    let outline = attempt("outline") { try inspection.outline(isLong: true) }
    attempt("timeline") { try inspection.timeline(hasRates: true) }
    for list in outline?.lists ?? [] { look(at: list, in: inspection) }
    _ = inspection.report()
    for list in inspection.summary().lists {
      guard let id = try? ListID(list.list) else { continue }
      let head = list.revision ?? 0
      for revision in [nil, 0, head / 2, head] {
        attempt("export") { try inspection.export(id, at: revision) }
      }
    }
  }

  private func look(at list: Inspection.Outline.List, in inspection: Inspection) {
    guard let id = try? ListID(list.list) else { return }
    for section in list.sections {
      guard let sectionID = try? SectionID(section.section) else { continue }
      attempt("section") { try inspection.facts(ofSection: sectionID, in: id) }
      guard let item = section.items.last.flatMap({ try? ItemID($0.item) }) else { continue }
      attempt("item") { try inspection.facts(ofItem: item, in: id) }
    }
  }

  /// What an app does.
  func open() {
    var options = Repository.Options()
    options.migration.migrations = TestMigrations.all
    attempt("migrate") { try Migrator.up(file, migrations: TestMigrations.all) }
    guard let repository = attempt("open", { try Repository(at: file, options: options) }) else {
      return
    }
    attempt("check") { try repository.checkInvariants() }
    for list in attempt("lists", { try repository.lists() }) ?? [] {
      attempt("tree") { try repository.tree(of: list) }
      attempt("commits") { try repository.commits(of: list) }
      if let provider = attempt("provider", { try repository.provider(for: list) }) {
        read(provider)
      }
      let revision = (try? repository.revision(of: list)) ?? 0
      attempt("undo") { try repository.undoCommit(revision, of: list) }
      attempt("edit") {
        try repository.edit(list) { list in
          try list.insertSectionIfMissing("new section")
          for number in 0..<3 {
            try list.apply(
              .insertItem(
                Item(id: ItemID(stringLiteral: "new \(number)"), cell: "C", content: "1"),
                in: "new section", at: .index(0)))
          }
          if try list.numberOfItems(in: "new section") > 5 {
            try list.apply(.moveItem("new 0", to: .end))
          }
        }
      }
      attempt("commit") { try repository.commit([.deleteItem("new 1")], to: list) }
      attempt("rename") { try repository.renameCell("C", to: "D") }
      let key = SizeKey(fittingPixels: 320, environment: LayoutEnvironment())
      attempt("sizes") { try repository.sizes(of: list, for: key) }
      attempt("save sizes") {
        try repository.save(
          [
            MeasuredSize(
              item: "new 2", size: Size(width: 1, height: 2), cell: "D", contentRevision: 1)
          ], for: key, in: list)
      }
      attempt("truncate") {
        try repository.truncateLog(of: list, keeping: LogRetention(changes: 1))
      }
    }
  }

  /// The ends and the middle of a Provider, which answers nothing for what it can't read.
  private func read(_ provider: Provider) {
    for index in Set([0, provider.numberOfSections / 2, provider.numberOfSections - 1]) {
      let count = provider.numberOfItems(inSection: index)
      for item in Set([0, count / 2, count - 1]) {
        _ = provider.item(at: ItemPath(section: index, item: item))
      }
    }
    if provider.numberOfItems < 10_000 { _ = provider.tree }
  }
}
