import Dispatch
import Foundation
import GRDB
import ListModel
import ListStore
import ListTables
import StoreFiles
import StoreSchema

extension Inspection {
  /// Checks the whole store.
  ///
  /// SQLite's check of the pages; then counts, order, references and sums of sizes; each list
  /// against its digest, and its log from its beginning to the head; contents, actions and
  /// attributes, which must be JSON; sizes and saved states, which must be possible; owners of
  /// nested lists; derived lists, which must be what their definitions make of their sources. Each
  /// part by itself, so that one that can't be read hides no other.
  ///
  /// - Parameter registry: The names of the cells that the app knows; others are warned of. `nil`
  ///   if they are not known.
  /// - Returns: Everything that was found, the opening included, the worst first; empty for a sound
  ///   store that was copied whole.
  /// - Complexity: O(*n* + *k*), *n* rows, *k* changes in the logs; and a derivation of each derived
  ///   list.
  public func check(registry: Set<String>? = nil) -> [Finding] {
    guard case .success(let store) = opened else { return findings }
    let parts = Guarded([[Finding]](repeating: [], count: 2))
    // Each reads the whole file, on a connection of its own.
    DispatchQueue.concurrentPerform(iterations: 2) { part in
      let found = part == 0 ? pageFindings(store) : rowFindings(store, registry)
      parts.withValue { $0[part] = found }
    }
    var found = findings + parts.withValue { $0.joined() }
    if evidence.lacksLog, found.contains(where: { $0.code == .pages }),
      !found.contains(where: { $0.code == .logMissing })
    {
      // A file that is copied while the log is written into it has pages of two moments.
      found.append(.logMissing(file.path, "pages do not fit together, and no -wal is beside it"))
    }
    return found.enumerated().sorted { lhs, rhs in
      (rhs.element.severity, lhs.offset) < (lhs.element.severity, rhs.offset)
    }.map(\.element)
  }

  /// What the library's check says.
  private func rowFindings(_ store: OpenedStore, _ registry: Set<String>?) -> [Finding] {
    do throws(StoreError) {
      let repository = try store.lists.get()
      let found = try repository.checkInvariants().map(Finding.init)
      return found + (registry.map { unknownCells(repository, $0) } ?? [])
    } catch {
      return [.unreadable("the lists", error)]
    }
  }

  /// What SQLite's own check says.
  private func pageFindings(_ store: OpenedStore) -> [Finding] {
    Finding.pages(
      PageCheck(
        on: store.file, without: store.schema.foreignSQL, logCommits: store.isTrial ? 0 : .max,
        atMost: 20
      ) { try store.read("check the pages", $0) })
  }

  private func unknownCells(_ repository: Repository, _ registry: Set<String>) -> [Finding] {
    do throws(StoreError) {
      return try repository.storedNames().cells.filter { !registry.contains($0.key.rawValue) }
        .sorted { $0.key.rawValue < $1.key.rawValue }
        .map { cell, count in .unknownCell(cell.rawValue, count: count) }
    } catch { return [.unreadable("the names of cells", error)] }
  }
}

extension Finding {
  fileprivate init(_ problem: StoreProblem) {
    let (meaning, advice) = Self.consequence(of: problem.code)
    self.init(
      severity: .error, code: problem.code,
      place: problem.list.map { "list \"\($0)\"" }, message: problem.message, meaning: meaning,
      advice: advice)
  }

  /// What SQLite's own check of a database says.
  static func pages(_ check: PageCheck) -> [Finding] {
    let end = check.failure.map { Finding.pages("the check ended early: " + reason($0)) }
    return check.problems.map(Finding.pages) + [end].compactMap(\.self)
  }

  private static func pages(_ problem: String) -> Finding {
    Finding(
      severity: .error, code: .pages, place: nil, message: "SQLite's check says: " + problem,
      meaning: "Pages of the file are damaged; the app fails when it reads them.",
      advice: "Run `cellar repair FILE`: it reads the pages that are whole.")
  }

  fileprivate static func unknownCell(_ cell: String, count: Int) -> Finding {
    Finding(
      severity: .warning, code: .unknownCell, place: cell,
      message: "\(count) items have a cell that the app does not register",
      meaning: "The app shows its fallback in their place.",
      advice: "Register the name, or give the new one an alias; or run "
        + "`cellar rename cell \(ShownText.argument(cell)) NEW FILE`.")
  }

  /// What a fault means for the app, and what to do about it.
  static func consequence(of code: StoreProblem.Code) -> (meaning: String, advice: String) {
    let repair = "Run `cellar repair FILE`: it says what would be lost before it changes anything."
    return switch code {
    case .rows: ("The app fails where it reads these rows.", repair)
    case .order: ("Items are missing, doubled or out of place on the screen.", repair)
    case .digest:
      (
        "Something other than Cellar changed the list, or it is damaged.",
        "Run `cellar repair FILE`: it takes the list as it is, and begins its log anew."
      )
    case .log:
      (
        "The items are all there. Views can't follow the log: they load the list anew, and undo "
          + "does not go so far back.",
        "Run `cellar repair FILE`: it keeps the end of the log that is whole."
      )
    case .content: ("Items can't be shown, or contents take room for nothing.", repair)
    case .size:
      (
        "Scrolling jumps, or cells have a wrong height, until they are measured again.",
        "Delete the sizes in the app (`Repository.deleteSizes`), or run `cellar repair FILE`."
      )
    case .owner: ("A nested list is lost, or is shown in another item.", repair)
    case .viewState:
      (
        "A screen does not come back where it was; it is saved anew when it is used.",
        "None is needed; `cellar repair FILE` removes it."
      )
    case .derived:
      (
        "Screens show another list than the one that was defined, or updates of it fail.",
        "Run `cellar repair FILE`: it derives all such lists anew from their sources."
      )
    case .search:
      (
        "A search misses items, or finds others.",
        "Run `cellar derive FILE --reindex`, or `cellar repair FILE`: the items are not concerned."
      )
    default: ("The app can't read it either.", repair)
    }
  }
}
