import DerivedLists
import Foundation
import ListModel
import ListStore
import ListSync

/// A feed that is applied to a store: the store is sound afterwards, its derived lists included, and the
/// feed applied once more changes nothing.
///
/// Lines at the beginning that are definitions of derived lists are defined before. A line whose `t` is
/// `edit` is an edit of the app's own that waits for a server.
func fuzzFeed(_ bytes: [UInt8]) {
  Shelves.withFolder { folder in
    let file = folder.appendingPathComponent("store.sqlite")
    Shelves.empty.write(to: file)
    let repository = requireSuccess("open") {
      try Repository(existing: file, options: Shelves.options)
    }
    var lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)[...]
    while let line = lines.first,
      let definition = try? DerivedDefinition(parsing: Array(line))
    {
      attempt("define") { try repository.define([(definition, 1)]) }
      lines = lines.dropFirst()
    }
    var isWhole = true
    var feed: [ArraySlice<UInt8>] = []
    for line in lines {
      if let changes = ownEdit(line) {
        isWhole = apply(feed + [[]], to: repository) && isWhole
        attempt("edit") {
          try repository.liveList("list").editPending { list in
            for change in changes { try list.apply(change) }
          }
        }
      } else {
        feed.append(line)
      }
    }
    isWhole = apply(feed, to: repository) && isWhole
    checkSoundness(of: repository)
    let before = states(of: repository)
    let isWholeAgain = apply(feed, to: repository)
    if isWhole {
      require(isWholeAgain, "a feed that was applied is refused the second time")
      require(states(of: repository) == before, "a feed that is applied again changes something")
    }
    checkSoundness(of: repository)
    requireSuccess("close") { try repository.close() }
  }
}

/// The changes of an edit; `nil` for another line.
private func ownEdit(_ line: ArraySlice<UInt8>) -> [Change]? {
  guard let object = try? JSONNode(parsing: Array(line)).object(),
    (try? object.required("t", as: String.self)) == "edit"
  else { return nil }
  return try? object.required("ops", as: [Change].self)
}

/// - Returns: Whether all lines were taken or skipped.
private func apply(_ feed: [ArraySlice<UInt8>], to repository: Repository) -> Bool {
  attempt("feed") {
    var run = FeedRun(
      into: repository, from: FeedSource(nil, shownAs: "feed", lists: .notOfOthers))
    run.lines.append(contentsOf: feed.joined(separator: [UInt8(ascii: "\n")]))
    try run.applyLines { _ in }
    try run.finish()
    return true
  } ?? false
}

/// Files that other processes have left in the folder of edits: they are imported or put aside, and the store
/// is sound.
func fuzzFolder(_ bytes: [UInt8]) {
  Shelves.withFolder { folder in
    let file = folder.appendingPathComponent("store.sqlite")
    Shelves.small.write(to: file)
    let repository = requireSuccess("open") {
      try Repository(existing: file, options: Shelves.options)
    }
    let left = Repository.EditFolder(for: file).url
    let edits = bytes.split(separator: UInt8(ascii: "\n")).prefix(8)
    requireSuccess("leave") {
      try FileManager.default.createDirectory(at: left, withIntermediateDirectories: true)
      for (number, edit) in edits.enumerated() {
        try Data(edit).write(to: left.appendingPathComponent("000000000000000\(number)-e.json"))
      }
    }
    let imported = requireSuccess("import") { try repository.importEdits() }
    let count = imported.commits.count + imported.rejected.count
    require(count <= edits.count, "\(count) edits of \(edits.count)")
    let again = requireSuccess("import") { try repository.importEdits() }
    require(again.commits.isEmpty && again.rejected.isEmpty, "an edit is imported twice")
    checkSoundness(of: repository)
    requireSuccess("close") { try repository.close() }
  }
}

func checkSoundness(of repository: Repository) {
  let problems = requireSuccess("check") { try repository.checkInvariants() }
  require(problems.isEmpty, "the store is not sound: \(problems.prefix(3))")
  let count = repository.diagnostics["mismatch"] ?? 0
  require(count == 0, "a replay led to another list")
}

/// The trees of all lists.
func states(of repository: Repository) -> [ListTree] {
  requireSuccess("lists") { try repository.lists().map { try repository.tree(of: $0) } }
}
