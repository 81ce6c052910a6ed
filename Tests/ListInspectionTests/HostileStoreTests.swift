import DerivedLists
import Foundation
import ListModel
import ListStore
import SchemaSupport
import StoreSchema
import TestSupport
import Testing

/// Damaged and hostile stores end in an answer or in a typed error: in bounded time and memory, in
/// the library and under the commands.
///
/// `CELLAR_HOSTILE_STORES=10000`: so many, instead of 30. `CELLAR_HOSTILE_SEED`: others.
@Suite struct HostileStoreTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private static func number(_ name: String) -> Int? {
    ProcessInfo.processInfo.environment[name].flatMap { Int($0) }
  }

  /// Of each version, also of later and of unreleased ones: lists with some hundred items, with blocks above others.
  private func originals() throws -> [URL] {
    let file = folder.file("original")
    let repository = try Repository(at: file)
    var changes: [Change] = []
    for section in 0..<6 {
      let id = SectionID(stringLiteral: "section \(section)")
      changes.append(
        .insertSection(id, SectionAttributes(header: Supplementary(view: "H", content: "{}"))))
      for item in 0..<(section == 2 ? 300 : 5) {
        let name = ItemID(stringLiteral: "item \(section) \(item)")
        changes.append(
          .insertItem(Item(id: name, cell: item % 3 == 0 ? "C" : "D", content: "{\"n\":1}"), in: id)
        )
      }
    }
    try repository.commit(changes, to: "list")
    try repository.commit([.moveItem("item 2 7", in: "section 0", to: .start)], to: "list")
    try repository.commit([.deleteSection("section 5"), .touchItem("item 2 9")], to: "list")
    try repository.commit([.insertSection("s")], to: "other")
    let derived = [
      ##"{"derived":"d","of":"list","section":{"path":"#cell","view":"H"},"sort":[{"path":"#id"}]}"##,
      #"{"derived":"first","of":"d","limit":90}"#,
    ]
    try repository.define(
      derived.enumerated().map { (try DerivedDefinition(parsing: Array($1.utf8)), $0 + 1) })
    try repository.commit(
      [.updateItem("item 2 8", ItemUpdate(content: .set("{\"n\":1.0}")))], to: "list")
    let key = SizeKey(fittingPixels: 320, environment: LayoutEnvironment())
    try repository.save(
      (0..<40).map {
        MeasuredSize(
          item: ItemID(stringLiteral: "item 2 \($0)"), size: Size(width: 320, height: 44),
          cell: "C", contentRevision: 0)
      }, for: key, in: "list")
    let versions = Migration.latestVersion...TestMigrations.all.latestVersion
    let others = try versions.map { version in
      let other = folder.file("version \(version)")
      try TestMigrations.makeStore(at: other, version: version)
      return other
    }
    return [file] + others + [PackageFiles.fixture("unreleased.sqlite")]
  }

  @Test func everyOneEndsInAnAnswerOrATypedError() throws {
    let count = Self.number("CELLAR_HOSTILE_STORES") ?? 10
    let seed = Self.number("CELLAR_HOSTILE_SEED") ?? 13
    let originals = try originals()
    // In portions: so many copies take their room.
    for start in stride(from: 0, to: count, by: 500) {
      let stores = try TemporaryFolder()
      var told: [String: String] = [:]
      for number in start..<min(start + 500, count) {
        let name = String(format: "%07d.store", number)
        let file = stores.file(name)
        try FileManager.default.copyItem(at: originals[number % originals.count], to: file)
        var mutation = StoreMutation(
          generator: SeededGenerator(seed: UInt64(truncatingIfNeeded: seed &* 1_000_003 &+ number)))
        told[name] = "seed \(seed), store \(number): " + (try mutation.apply(to: file))
      }
      try expectEnds(of: stores, told)
    }
  }

  /// Looks at all stores in a process of its own, again from the next one on where that ends early.
  private func expectEnds(of stores: TemporaryFolder, _ told: [String: String]) throws {
    var next: String? = told.keys.min()
    while let first = next {
      let outcome = try BuiltProducts.run(
        "CommitUntilKilled", [stores.url.path, "look", first, "60", "\(3 << 30)"])
      let lines = outcome.output.split(separator: "\n").map(String.init)
      for pair in stride(from: 0, to: lines.count - 1, by: 2) where lines[pair + 1] != "ok" {
        Issue.record("\(told[lines[pair]] ?? lines[pair]): \(lines[pair + 1])")
      }
      guard outcome.exitCode != 0 || lines.count % 2 == 1 else { return }
      let last = lines.count % 2 == 1 ? lines[lines.count - 1] : first
      Issue.record(
        "\(told[last] ?? last): the process ended with \(outcome.exitCode) \(outcome.errors.prefix(300))"
      )
      next = told.keys.filter { $0 > last }.min()
    }
  }
}
