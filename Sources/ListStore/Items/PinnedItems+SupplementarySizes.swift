import ListModel
import ListTables
import Providers
import StoreFiles

extension PinnedItems {
  func size(
    of kind: Supplementary.Kind, inSection index: Int, of list: Provider, for key: SizeKey,
    measurerVersion: Int?
  ) -> SizeAnswer {
    guard let section = list.sectionID(at: index) else { return .missing }
    let place = SupplementaryPlace(section: section, kind: kind)
    let answer = answer(in: list) { cache -> SizeAnswer? in
      guard let attributes = cache.attributes[section], let layout = cache.layout(of: section)
      else { return nil }
      guard let view = attributes[kind] else { return .missing }
      guard var record = cache.sizes.withPages(for: key, { $0.supplementaries[place] }) else {
        return nil
      }
      record.compare(content: view.stableHash)
      return record.answer(layout: layout, measurerVersion: measurerVersion)
    } reading: { _, statements in
      try loadAttributes(of: section, in: list, statements)
      if cache.withValue({ $0.attributes[section]?[kind] != nil }) {
        try loadSize(of: place, in: list, for: key, statements)
      }
    }
    return answer ?? .missing
  }

  func keep(
    _ size: Size, of kind: Supplementary.Kind, inSection index: Int, of list: Provider,
    for key: SizeKey, measurerVersion: Int
  ) -> Bool {
    guard let section = list.sectionID(at: index) else { return false }
    let place = SupplementaryPlace(section: section, kind: kind)
    let isKept = answer(in: list) { cache -> Bool? in
      guard let attributes = cache.attributes[section], let layout = cache.layout(of: section)
      else { return nil }
      guard let view = attributes[kind] else { return false }
      let record = SizeRecord(
        size, content: view.stableHash, layout: layout, measurerVersion: measurerVersion)
      cache.sizes.withPages(for: key) { $0.supplementaries[place] = record }
      sizeQueue.add(record, of: place, for: key, in: list.list, at: list.position?.chain)
      return true
    } reading: { _, statements in
      try loadAttributes(of: section, in: list, statements)
    }
    return isKept ?? false
  }

  func setNeedsLayout(
    of kind: Supplementary.Kind, inSection index: Int, of list: Provider
  ) {
    guard let section = list.sectionID(at: index) else { return }
    let place = SupplementaryPlace(section: section, kind: kind)
    cache.withValue { $0.sizes.setNeedsLayout(of: place) }
    sizeQueue.makeEstimates(of: .supplementary(place), in: list.list)
  }

  /// Reads the size of a section's view, unless it was read before.
  private func loadSize(
    of place: SupplementaryPlace, in list: Provider, for key: SizeKey, _ statements: Statements
  ) throws {
    let isKnown = cache.withValue {
      $0.sizes.withPages(for: key) { $0.supplementaries[place] != nil }
    }
    if isKnown { return }
    var record = SizeRecord(.missing)
    if let rows = try ListRows(statements, list.list),
      let row = try rows.sectionRow(place.section)
    {
      let sizeRows = SizeRows(rows)
      record = try sizeRows.record(
        of: place.kind, inSection: row.id, key: sizeRows.wanted(key), keys: sizeRows.keys())
    }
    cache.withValue { $0.sizes.add(record, of: place, for: key) }
  }
}
