import Foundation
import ListModel
import ListStore
import ListTables
import Providers

/// Values in the rows of a store: whatever stands there, each call ends with an answer or a typed error.
///
/// The input is a byte of flags, then changes: the number of a column, that of a row, the kind of the value,
/// the number of its bytes, the bytes. Flags: 1, the store does not know that another program has written to
/// it; 2, it is a large one; 4, it is not only read; 8, it is recovered instead.
func fuzzRows(_ bytes: [UInt8]) {
  let flags = bytes.first ?? 0
  Shelves.withFolder { folder in
    let file = folder.appendingPathComponent("store.sqlite")
    (flags & 2 == 0 ? Shelves.small : Shelves.large).write(to: file)
    var changes = RowChanges(bytes.dropFirst(), areSeen: flags & 1 == 0)
    requireSuccess("change rows") { try changes.apply(to: file) }
    if flags & 8 != 0 {
      recover(file, in: folder, includesDeleted: flags & 4 != 0)
    } else {
      look(at: file, writes: flags & 4 != 0)
    }
  }
}

/// What an app does with a store.
func look(at file: URL, writes: Bool) {
  let opened = attempt("open") { try Repository(existing: file, options: Shelves.options) }
  guard let repository = opened else { return }
  attempt("check") { try repository.checkInvariants() }
  for list in attempt("lists", { try repository.lists() }) ?? [] {
    attempt("tree") { try repository.tree(of: list) }
    attempt("earlier tree") { try repository.tree(of: list, at: 1) }
    attempt("commits") { try repository.commits(of: list) }
    if let provider = attempt("provider", { try repository.provider(for: list) }) {
      read(provider)
    }
    let key = SizeKey(fittingPixels: 320, environment: LayoutEnvironment())
    attempt("sizes") { try repository.sizes(of: list, for: key) }
    if writes { write(list, of: repository) }
  }
  attempt("close") { try repository.close() }
}

private func write(_ list: ListID, of repository: Repository) {
  let revision = (try? repository.revision(of: list)) ?? 0
  attempt("undo") { try repository.undoCommit(revision, of: list) }
  attempt("edit") {
    try repository.edit(list) { list in
      try list.insertSectionIfMissing("new")
      try list.apply(
        .insertItem(Item(id: "new", cell: "C", content: .null), in: "new", at: .index(0)))
      try list.apply(.moveItem("item 1", in: nil, to: .end))
    }
  }
  attempt("truncate") { try repository.truncateLog(of: list, keeping: LogRetention(changes: 1)) }
}

/// The ends and the middle of a list.
private func read(_ provider: Provider) {
  for index in Set([0, provider.numberOfSections / 2, provider.numberOfSections - 1]) {
    let count = provider.numberOfItems(inSection: index)
    for item in Set([0, count / 2, count - 1]) {
      _ = provider.item(at: ItemPath(section: index, item: item))
    }
  }
  if provider.numberOfItems < 10_000 { _ = provider.tree }
}
