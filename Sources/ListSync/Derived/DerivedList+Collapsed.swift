import DerivedLists
public import ListModel
import ListStore
import ListTables

extension DerivedList {
  /// The same list, in which sections can be collapsed: they keep their headers, and have no items.
  ///
  /// It is a list derived from this one, whose counts stay those of all items. Show it instead.
  ///
  /// - Returns: The list, with the sections collapsed that were so.
  /// - Throws: ``/ListModel/StoreError``.
  public func collapsible() throws -> DerivedList {
    let list = try ListID("\(id.rawValue) collapsible")
    let known = try repository.derivedLists().first { $0.list == list }
    guard let known, known.definition.source == id else {
      return try collapsible(list, [])
    }
    return DerivedList(
      shown.derivedList(list, types: shown.types, supplementaryTypes: shown.supplementaryTypes))
  }

  /// The sections that are collapsed, of a list that ``collapsible()`` returned.
  ///
  /// - Throws: ``/ListModel/StoreError``.
  public func collapsedSections() throws(StoreError) -> Set<SectionID> {
    let known = try repository.derivedLists().first { $0.list == id }
    return Set(known?.definition.leftOutSections ?? [])
  }

  /// Collapses sections, and shows the items of all others.
  ///
  /// One write transaction and one commit, of the items that come and go. It survives a relaunch, and
  /// holds for all screens and processes.
  ///
  /// - Parameter sections: The sections; one that the list does not have is collapsed when it comes.
  /// - Throws: ``/ListModel/StoreError``, with ``/ListModel/StoreError/Code/invalidValue`` for a list
  ///   that ``collapsible()`` did not return.
  public func collapse(_ sections: Set<SectionID>) throws {
    let known = try repository.derivedLists().first { $0.list == id }
    guard let known, id.rawValue == "\(known.definition.source.rawValue) collapsible" else {
      throw StoreError(
        .invalidValue, "\"\(id)\" can't collapse sections: show what `collapsible()` returns")
    }
    try DerivedList(
      shown.derivedList(
        known.definition.source, types: shown.types, supplementaryTypes: shown.supplementaryTypes)
    ).collapsible(id, sections)
  }

  @discardableResult
  private func collapsible(_ list: ListID, _ sections: Set<SectionID>) throws -> DerivedList {
    let names = sections.map(\.rawValue).sorted().map { JSONWriter.quoted($0) }
    return try derived(
      by: JSON(
        parsing: """
          {"derived":\(JSONWriter.quoted(list.rawValue)),"of":\(JSONWriter.quoted(id.rawValue)),\
          "where":[{"not":[{"path":"#section","in":[\(names.joined(separator: ","))]}]}],\
          "section":{"path":"#section","keepsEmpty":true}}
          """))
  }
}
