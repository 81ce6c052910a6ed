import ArgumentParser
import ListInspection
import ListModel

/// The one list of a store that a command is about.
struct ListOption: ParsableArguments {
  @Option(
    help: ArgumentHelp("The list's id; not needed if the store has one list.", valueName: "id"),
    transform: Inspect.listID)
  var list: ListID?

  /// The list that is named, or the only one; those that items own do not count.
  func chosen(in inspection: Inspection) throws -> ListID {
    if let list { return list }
    let lists = try inspection.listIDs(withNested: false)
    if let only = lists.first, lists.count == 1 { return only }
    if lists.isEmpty {
      throw StoreError(
        .listNotFound, "the store has no lists", file: inspection.evidence.files.first?.path)
    }
    let most = 10
    throw ValidationError(
      "name one of the store's \(lists.count) lists by --list: "
        + lists.prefix(most).map { ShownText.quoted($0.rawValue) }.joined(separator: ", ")
        + (lists.count > most ? ", …" : ""))
  }
}
