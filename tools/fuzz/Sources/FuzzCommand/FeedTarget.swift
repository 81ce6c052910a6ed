import DerivedLists
import Foundation
import ListModel
import ListStore
import ListSync

/// A feed that is applied to a store: the store is sound afterwards, its derived lists included, and the
/// feed applied once more changes nothing.
///
/// Lines at the beginning that are definitions of derived lists are defined before.
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
    let feed = Array(lines.joined(separator: [UInt8(ascii: "\n")]))
    let isWhole = apply(feed, to: repository)
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

/// - Returns: Whether all lines were taken or skipped.
private func apply(_ feed: [UInt8], to repository: Repository) -> Bool {
  attempt("feed") {
    var run = FeedRun(
      into: repository, from: FeedSource(nil, shownAs: "feed", lists: .notOfOthers))
    run.lines.append(contentsOf: feed)
    try run.applyLines { _ in }
    try run.finish()
    return true
  } ?? false
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
