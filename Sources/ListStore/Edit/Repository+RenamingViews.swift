import Foundation
public import ListModel
import ListTables
import StoreFiles
import StoreSchema

extension Repository {
  /// Changes the name of a view in all headers, footers, other supplementary views and decorations
  /// that have it.
  ///
  /// Readers see commits, and measured sizes stay exact. Each commit changes at most 500 sections, so
  /// no writer waits long; a call that was interrupted can be repeated. To write nothing, declare an
  /// alias in the app's view registry instead.
  ///
  /// - Parameters:
  ///   - old: The name that the views have.
  ///   - new: The name that they get; other views may have it already.
  ///   - author: The author of the commits.
  ///   - progress: Gets the fraction of the work that is done, from 0 to 1, now and then.
  /// - Returns: The number of sections with such views by list; lists without one are left out.
  /// - Throws: ``/ListModel/StoreError``; earlier transactions stay.
  /// - Complexity: O(*s*), *s* sections of the store.
  @discardableResult
  public func renameView(
    _ old: ViewName, to new: ViewName, by author: Author = .app,
    progress: (Double) -> Void = { _ in }
  ) throws(StoreError) -> [ListID: Int] {
    var counts: [ListID: Int] = [:]
    try writer.requireWritable("rename view \"\(old)\"")
    if old == new { return counts }
    sizeQueue.flush()
    let lists = try editedLists()
    for (index, list) in lists.enumerated() {
      var last: SectionID?
      repeat {
        let sections = try sections(of: list, withView: old, after: last)
        let count = try renameView(old, to: new, of: sections, in: list, by: author)
        if count > 0 { counts[list, default: 0] += count }
        last = sections.last
      } while last != nil
      progress(Double(index + 1) / Double(lists.count))
    }
    return counts
  }

  /// Sections that have a view, in the order of their ids.
  private func sections(
    of list: ListID, withView view: ViewName, after last: SectionID?
  ) throws(StoreError) -> [SectionID] {
    try read("read sections of \"\(list)\"") { db in
      var sections: [SectionID] = []
      try Statements(db)(
        """
        SELECT name FROM section
        WHERE list = (SELECT id FROM list WHERE name = ?1) AND name > ?2
          AND (EXISTS (SELECT * FROM supplementary WHERE section = section.id AND view = ?3)
            OR EXISTS (SELECT * FROM decoration WHERE section = section.id AND view = ?3))
        ORDER BY name LIMIT 500
        """
      ).forEach(list.rawValue, last?.rawValue ?? "", view.rawValue) {
        sections.append(try SectionID($0.text(0)))
      }
      return sections
    }
  }

  private func renameView(
    _ old: ViewName, to new: ViewName, of sections: [SectionID], in list: ListID, by author: Author
  ) throws(StoreError) -> Int {
    if sections.isEmpty { return 0 }
    let commit = try commit(
      to: list, by: author, "rename view \"\(old)\" in \"\(list)\""
    ) { rows, commit in
      for id in sections {
        // Others may have deleted or changed it meanwhile.
        guard let section = try rows.sectionRow(id) else { continue }
        let before = try rows.attributes(of: section.id)
        let after = before.renamingView(old, to: new)
        if after == before { continue }
        if case .failure(let error) = try commit.apply(.updateSection(id, .init(views: after))) {
          throw StoreError.damaged(filePath, because: "\(error)", cause: error)
        }
        try rows.keepSizes(ofSection: section.id, from: before, to: after)
      }
    }
    return commit?.entries.count ?? 0
  }
}

extension SectionAttributes {
  fileprivate func renamingView(_ old: ViewName, to new: ViewName) -> SectionAttributes {
    var renamed = self
    for kind in supplementaryKinds where self[kind]?.view == old { renamed[kind]?.view = new }
    for index in decorations.indices where decorations[index].view == old {
      renamed.decorations[index].view = new
    }
    return renamed
  }
}

extension SectionUpdate {
  /// Sets all views.
  fileprivate init(views: SectionAttributes) {
    self.init(
      header: .set(views.header), footer: .set(views.footer),
      supplementaries: .set(views.supplementaries), decorations: .set(views.decorations))
  }
}

extension ListRows {
  /// Makes the sizes of renamed views hold as they did before.
  fileprivate func keepSizes(
    ofSection section: Int, from before: SectionAttributes, to after: SectionAttributes
  ) throws {
    for kind in before.supplementaryKinds {
      guard let old = before[kind], let new = after[kind], old != new,
        let view = try supplementaryRow(kind, inSection: section)
      else { continue }
      try statements("UPDATE measuredSize SET content = ? WHERE owner = ? AND content = ?")
        .run(new.stableHash, view, old.stableHash)
    }
  }
}
