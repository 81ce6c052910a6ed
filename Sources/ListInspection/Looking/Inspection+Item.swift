import Foundation
public import ListModel
import ListStore
import ListTables

extension Inspection {
  /// All that the store knows of an item: where it is, what it shows, its sizes with the reasons why
  /// they hold or not, and its history.
  ///
  /// - Parameters:
  ///   - item: The item, which may have been deleted.
  ///   - list: Its list.
  ///   - measurerVersion: The version of the code that measures its cell; `nil` if it is not known.
  ///   - last: The most commits of its history; with 0 the log is not read, and only items that the
  ///     list has now are found.
  ///   - content: How much is told of contents.
  /// - Returns: What is known; parts that can't be read are absent.
  /// - Throws: `StoreError` with ``/ListModel/StoreError/Code/listNotFound``; with
  ///   ``/ListModel/StoreError/Code/itemNotFound`` if neither the list nor its log has the item.
  /// - Complexity: O(log *n* + *k*), *n* items, *k* changes in the log since the earliest commit
  ///   that is told.
  public func facts(
    ofItem item: ItemID, in list: ListID, measurerVersion: Int? = nil, last: Int = 20,
    content: ContentDetail = .hash
  ) throws(StoreError) -> ItemFacts {
    try naming { () throws(StoreError) in
      let repository = try lists()
      var facts = try repository.read(list: list, "read item \"\(item)\"") { stored in
        var facts = ItemFacts(
          file: file.path, list: list.rawValue, revision: stored.revision, item: item.rawValue,
          isThere: false)
        facts.read(item, of: stored, measurerVersion, content)
        return facts
      }
      facts.attempt("its nested lists") { facts throws(StoreError) in
        for (name, nested) in try repository.nestedLists(of: item, in: list) {
          facts.nestedLists[name.rawValue] = nested.rawValue
        }
      }
      if last > 0 {
        facts.attempt("its history") { facts throws(StoreError) in
          let logged = try history(
            of: list, matching: CommitFilter(item: item.rawValue), last: last, content: content)
          facts.history = logged.history
          facts.findings += logged.findings
        }
      }
      if !facts.isThere, facts.findings.isEmpty, facts.history?.commits.isEmpty != false {
        throw try repository.read(list: list, "read item \"\(item)\"") { $0.notFound(item) }
      }
      return facts
    }
  }

  /// All that the store knows of a section: where it is, its layout, its views with their sizes, and
  /// its history.
  ///
  /// - Parameters:
  ///   - section: The section, which may have been deleted.
  ///   - list: Its list.
  ///   - measurerVersion: The version of the code that measures its views; `nil` if it is not
  ///     known.
  ///   - last: The most commits of its history.
  ///   - content: How much is told of contents.
  /// - Returns: What is known; parts that can't be read are absent.
  /// - Throws: `StoreError` with ``/ListModel/StoreError/Code/listNotFound``; with
  ///   ``/ListModel/StoreError/Code/sectionNotFound`` if neither the list nor its log has it.
  /// - Complexity: O(*s* + *k*), *s* sections, *k* changes in the log since the earliest commit
  ///   that is told.
  public func facts(
    ofSection section: SectionID, in list: ListID, measurerVersion: Int? = nil, last: Int = 20,
    content: ContentDetail = .hash
  ) throws(StoreError) -> SectionFacts {
    try naming { () throws(StoreError) in
      let repository = try lists()
      var facts = try repository.read(list: list, "read section \"\(section)\"") { stored in
        var facts = SectionFacts(
          file: file.path, list: list.rawValue, revision: stored.revision,
          section: section.rawValue, isThere: false)
        facts.read(section, of: stored, measurerVersion, content)
        return facts
      }
      do throws(StoreError) {
        let logged = try history(
          of: list, matching: CommitFilter(section: section.rawValue), last: last, content: content)
        facts.history = logged.history
        facts.findings += logged.findings
      } catch { facts.findings.append(.unreadable("its history", error)) }
      if !facts.isThere, facts.findings.isEmpty, facts.history?.commits.isEmpty == true {
        throw try repository.read(list: list, "read section \"\(section)\"") {
          $0.notFound(section)
        }
      }
      return facts
    }
  }
}

extension Inspection.ItemFacts {
  /// Reads a part; if it can't be read, a finding says so.
  fileprivate mutating func attempt<Failure: Error>(
    _ what: String, _ body: (inout Self) throws(Failure) -> Void
  ) {
    do { try body(&self) } catch {
      findings.append(.unreadable("list \"\(list)\", item \"\(item)\": \(what)", error))
    }
  }

  fileprivate mutating func read(
    _ id: ItemID, of stored: StoredList, _ measurerVersion: Int?,
    _ detail: Inspection.ContentDetail
  ) {
    attempt("its row") { facts in
      guard let (row, block) = try stored.row(of: id) else { return }
      facts.isThere = true
      (facts.row, facts.block) = (row, block)
    }
    guard let row, let block else { return }
    var layout: UInt64?
    attempt("its place") { facts in
      guard let (section, path) = try stored.place(of: id) else { return }
      facts.place = Inspection.Timeline.Place(path)
      facts.place?.section = section.rawValue
      guard let holder = try stored.section(section)?.section else { return }
      let own = try stored.attributes(of: holder).layout
      facts.layout = own.map(Inspection.LayoutFacts.init)
      layout = own.stableHash
    }
    attempt("its state") { facts in
      let member = try stored.member(row, in: block)
      facts.contentRevision = member.contentRevision
      facts.attempt("its sizes") { facts in
        facts.sizes = try Inspection.SizeFacts.sizes(
          ofItem: row, stored.statements,
          .init(
            cell: member.cell, content: UInt64(bitPattern: Int64(member.contentRevision)),
            layout: layout, measurerVersion: measurerVersion))
      }
      let cell = try stored.cellName(member.cell).rawValue
      facts.attempt("its content") { facts in
        let stores = try StoredContent(member.content, stored.statements)
        facts.type = stores.type
        facts.content = Inspection.ContentFacts(stores.content, detail)
        facts.action = stores.action.flatMap { Inspection.ContentFacts($0, detail) }
        facts.gap = Inspection.GapFacts(cell: cell, content: stores.content, detail)
      }
      facts.cell = cell
    }
  }
}

extension Inspection.SectionFacts {
  private mutating func attempt(_ what: String, _ body: (inout Self) throws -> Void) {
    do { try body(&self) } catch {
      findings.append(.unreadable("list \"\(list)\", section \"\(section)\": \(what)", error))
    }
  }

  fileprivate mutating func read(
    _ id: SectionID, of stored: StoredList, _ measurerVersion: Int?,
    _ detail: Inspection.ContentDetail
  ) {
    var found: StoredList.Section?
    attempt("its row") { facts in
      guard let (section, index) = try stored.section(id) else { return }
      found = section
      facts.isThere = true
      facts.index = index
      (facts.row, facts.block, facts.root) = (section.row, section.block, section.root)
      facts.itemCount = section.itemCount
    }
    guard let found else { return }
    attempt("its attributes") { facts in
      let attributes = try stored.attributes(of: found)
      facts.visibility = attributes.visibility.rawValue
      facts.layout = attributes.layout.map(Inspection.LayoutFacts.init)
      facts.meta = attributes.meta.flatMap { .init($0.text, detail) }
      facts.decorations = attributes.decorations.map(\.view.rawValue)
      for kind in attributes.supplementaryKinds {
        guard let view = attributes[kind] else { continue }
        facts.attempt("its \(kind)") { facts in
          facts.views.append(
            Inspection.ViewFacts(
              kind: kind.rawValue, view: view.view.rawValue,
              content: .init(view.content.text, detail),
              sizes: try Inspection.SizeFacts.sizes(
                of: kind, inSection: found.row, stored.statements,
                .init(
                  content: view.stableHash, layout: attributes.layout.stableHash,
                  measurerVersion: measurerVersion))))
        }
      }
    }
  }
}
