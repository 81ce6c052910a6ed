import ArgumentParser
import Foundation
import ListInspection
import ListModel

/// How a command opens the stores that it looks at.
struct OpeningOption: ParsableArguments {
  @Flag(help: "Make no copy in any case; nobody may have the store open.")
  var inPlace = false

  @OptionGroup var known: KnownMigrations

  /// A copy of a store; with `--in-place` the store itself.
  func inspection(of path: String) throws(StoreError) -> Inspection {
    try Inspection(of: URL(fileURLWithPath: path), inPlace: inPlace, migrations: known.all())
  }

  /// The store itself, if nobody has it open; else a copy.
  private func inspectionAtRest(of path: String) throws(StoreError) -> Inspection {
    if !inPlace,
      let found = try Inspection.ofStoreAtRest(URL(fileURLWithPath: path), known.all())
    {
      return found
    }
    return try inspection(of: path)
  }

  /// Looks at stores; if somebody has written into one meanwhile, once more, at copies.
  ///
  /// - Parameters:
  ///   - opened: Opens what is looked at, by a way to open a store.
  ///   - isOutdated: Whether somebody has written into one of them.
  ///   - mayRepeat: Whether all of it can be opened twice; if not, copies are looked at.
  ///   - look: Prints nothing yet: it may be called twice.
  /// - Returns: What was opened, and what was seen.
  /// - Throws: What opening or looking throws.
  func look<Opened, Seen>(
    at opened: ((String) throws -> Inspection) throws -> Opened,
    outdatedIf isOutdated: (Opened) -> Bool, mayRepeat: Bool = true,
    _ look: (Opened) throws -> Seen
  ) throws -> (opened: Opened, seen: Seen) {
    let first = try opened(mayRepeat ? inspectionAtRest : inspection)
    let seen = Result { try look(first) }
    guard !inPlace, isOutdated(first) else { return (first, try seen.get()) }
    let second = try opened(inspection)
    return (second, try look(second))
  }
}

extension Finding {
  /// The lines that tell of a finding.
  var lines: [String] {
    [description, "  " + meaning, "  " + advice]
  }
}
