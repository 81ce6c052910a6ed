import Foundation
package import ListModel
import ListTables

extension Repository {
  /// Keeps measured sizes of items; those of items that the list does not have are ignored.
  ///
  /// - Throws: `StoreError` with ``/ListModel/StoreError/Code/invalidValue`` if a length is not
  ///   finite, negative or beyond 1,000,000 points, or if the key fits no pixel. No size is kept
  ///   then.
  package func save(
    _ sizes: [MeasuredSize], for key: SizeKey, in list: ListID
  ) throws(StoreError) {
    try check(key)
    for size in sizes { try check(size.size, of: "item \"\(size.item)\"") }
    try saveSizes(for: key, in: list) { rows, key in try rows.save(sizes, key: key) }
  }

  /// Keeps measured sizes of headers, footers and other views of sections, as of items.
  package func save(
    _ sizes: [MeasuredSupplementarySize], for key: SizeKey, in list: ListID
  ) throws(StoreError) {
    try check(key)
    for size in sizes {
      try check(size.size, of: "the \(size.kind) of section \"\(size.section)\"")
    }
    try saveSizes(for: key, in: list) { rows, key in
      for size in sizes { try rows.save(size, key: key) }
    }
  }

  private func saveSizes(
    for key: SizeKey, in list: ListID, _ body: (SizeRows, SizeRows.Key) throws -> Void
  ) throws(StoreError) {
    try write("keep sizes of \"\(list)\"") { transaction in
      let rows = try rows(transaction, list)
      let sizeRows = SizeRows(rows)
      guard let key = try sizeRows.key(key, usedAt: WallClock.now) else { return }
      try body(sizeRows, key)
      try rows.sums.save()
    }
  }

  private func check(_ size: Size, of what: @autoclosure () -> String) throws(StoreError) {
    guard size.isStorable else {
      throw StoreError(
        .invalidValue,
        "\(what()) was measured \(size.width) × \(size.height); lengths must be in 0...1,000,000 points",
        file: filePath)
    }
  }

  private func check(_ key: SizeKey) throws(StoreError) {
    guard key.isUsable else {
      throw StoreError(
        .invalidValue,
        "sizes that fit \(key.fittingPixels) pixels at scale \(key.environment.displayScale) are "
          + "not kept; both must be above 0",
        file: filePath)
    }
  }

  /// Writes the sizes that Providers keep and that still wait to be written.
  ///
  /// Without this call they are written a quarter of a second after they were measured. Call it if
  /// you can't wait, for instance when the app is about to be suspended.
  public func flushSizes() { sizeQueue.flush() }

  /// The stored size of each item of a list for a key; items without a size are left out.
  ///
  /// - Complexity: O(*n*), *n* items.
  package func sizes(
    of list: ListID, for key: SizeKey, measurerVersion: Int? = nil
  ) throws(StoreError) -> [ItemID: SizeAnswer] {
    try read("read sizes of \"\(list)\"") { db in
      let rows = try rows(db, list)
      let sizeRows = SizeRows(rows)
      let keys = try sizeRows.keys()
      if keys.isEmpty { return [:] }
      let wanted = try sizeRows.wanted(key)
      var answers: [ItemID: SizeAnswer] = [:]
      try rows.forEachSection { section in
        let layout = try rows.layoutHash(ofSection: section.id)
        try rows.forEachMember(of: section) { member in
          let answer = try sizeRows.record(of: member, key: wanted, keys: keys)
            .answer(layout: layout, measurerVersion: measurerVersion)
          if answer != .missing { answers[try ItemID(member.name)] = answer }
        }
      }
      return answers
    }
  }

  /// The stored size of each view of a list's sections for a key; views without a size are left out.
  ///
  /// - Complexity: O(*s*), *s* sections.
  package func supplementarySizes(
    of list: ListID, for key: SizeKey, measurerVersion: Int? = nil
  ) throws(StoreError) -> [SectionID: [Supplementary.Kind: SizeAnswer]] {
    try read("read sizes of \"\(list)\"") { db in
      let rows = try rows(db, list)
      let sizeRows = SizeRows(rows)
      let keys = try sizeRows.keys()
      if keys.isEmpty { return [:] }
      let wanted = try sizeRows.wanted(key)
      var answers: [SectionID: [Supplementary.Kind: SizeAnswer]] = [:]
      try rows.forEachSection { section in
        let attributes = try rows.attributes(of: section.id)
        for kind in attributes.supplementaryKinds {
          guard let view = attributes[kind] else { continue }
          var record = try sizeRows.record(
            of: kind, inSection: section.id, key: wanted, keys: keys)
          record.compare(content: view.stableHash)
          let answer = record.answer(
            layout: attributes.layout.stableHash, measurerVersion: measurerVersion)
          if answer != .missing { answers[section.section, default: [:]][kind] = answer }
        }
      }
      return answers
    }
  }
}
