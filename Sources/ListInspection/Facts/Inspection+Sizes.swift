import Foundation
public import ListModel
import ListStore
import ListTables

extension Inspection {
  /// The measured sizes of items and of sections' views: how they are spread for each cell or view
  /// and each key, and which hold no longer.
  ///
  /// A list whose sizes can't be read is absent, and ``StoreSizes/findings`` says why.
  ///
  /// - Parameter list: The list; `nil` for all lists.
  /// - Returns: The sizes of each list by cell and key.
  /// - Complexity: O(*n*), *n* items and sizes.
  public func sizes(of list: ListID? = nil) -> StoreSizes {
    var sizes = StoreSizes(file: file.path)
    sizes.findings = findings
    guard case .success = opened else { return sizes }
    do throws(StoreError) {
      let repository = try lists()
      let keys = try sizeKeys(repository)
      sizes.keys = keys.map(\.key)
      let places = Dictionary(uniqueKeysWithValues: zip(keys.map(\.row), keys.indices))
      let wanted: [ListID]
      if let list { wanted = [list] } else { wanted = try repository.lists() }
      for list in wanted {
        do throws(StoreError) {
          var counter = SizeCounter(keys: sizes.keys, places: places)
          try repository.forEachStoredSize(of: list) { counter.add($0) }
          try addViews(of: list, repository, to: &counter)
          if counter.impossibleCount > 0 {
            sizes.findings.append(.impossibleSizes(list, counter.impossibleCount))
          }
          if let answer = counter.answer(list) { sizes.lists.append(answer) }
        } catch {
          sizes.findings.append(.unreadable("list \"\(list)\": its measured sizes", error))
        }
      }
    } catch {
      sizes.findings.append(.unreadable("the measured sizes", error))
    }
    return sizes
  }

  /// Counts the sizes of headers, footers and other views.
  private func addViews(
    of list: ListID, _ repository: Repository, to counter: inout SizeCounter
  ) throws(StoreError) {
    var counted = counter
    try repository.read(list: list, "read the sizes of views of \"\(list)\"") { stored in
      try stored.forEachSection { section in
        let attributes = try stored.attributes(of: section)
        for kind in attributes.supplementaryKinds {
          guard let view = attributes[kind] else { continue }
          let owner = SizeCounter.Owner(name: view.view.rawValue, kind: kind.rawValue)
          let wanted = SizeFacts.Wanted(
            content: view.stableHash, layout: attributes.layout.stableHash)
          try SizeFacts.forEachSize(
            of: kind, inSection: section.row, stored.statements, wanted
          ) { key, size in
            counted.add(
              Size(width: size.width, height: size.height), key: key, measured: owner, now: owner,
              reason: size.reasons.contains(.content)
                ? .content : size.reasons.contains(.layout) ? .layout : nil)
          }
        }
        return true
      } unreadable: {
        throw $0
      }
    }
    counter = counted
  }

  /// The keys of the store, those used last first.
  private func sizeKeys(
    _ repository: Repository
  ) throws(StoreError) -> [(row: Int, key: StoreSizes.Key)] {
    try repository.read("read what sizes were measured for") { db in
      var keys: [(row: Int, key: StoreSizes.Key)] = []
      var newest: Set<String> = []
      try Statements(db)(
        """
        SELECT sizeKey.id, axis, fittingPixels, variant, usedAt, contentSizeCategory,
          legibilityWeight, layoutDirection, locale, displayScale, system
        FROM sizeKey JOIN layoutEnvironment ON layoutEnvironment.id = environment
        WHERE usedAt >= 0 ORDER BY usedAt DESC, sizeKey.id DESC
        """
      ).forEach { row in
        let axis = try row.text(1)
        let environment = try LayoutEnvironment(row, from: 5)
        guard environment.displayScale.isFinite else {
          throw FormatError("a display scale is \(environment.displayScale)")
        }
        let key = StoreSizes.Key(
          axis: axis, fittingPixels: try row.integer(2), variant: try row.text(3),
          environment: environment, usedAt: try row.integer(4),
          isNewest: newest.insert(axis).inserted)
        keys.append((try row.integer(0), key))
      }
      return keys
    }
  }
}

extension Finding {
  fileprivate static func impossibleSizes(_ list: ListID, _ count: Int) -> Finding {
    Finding(
      severity: .error, code: .size, place: "list \"\(list)\"",
      message: "measured sizes that no cell can have: \(count)",
      meaning: Finding.consequence(of: .size).meaning,
      advice: Finding.consequence(of: .size).advice)
  }
}
