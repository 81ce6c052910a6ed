package import ListModel
import Providers
import StoreFiles
import ListTables

extension PinnedItems {
  /// The size of a section's view, and how far it can be trusted.
  package func size(
    of kind: Supplementary.Kind, in section: SectionID, for key: SizeKey, measurerVersion: Int?
  ) -> SizeAnswer {
    state.withValue { state in
      let answer = state.answer { state -> SizeAnswer? in
        guard let attributes = try state.attributes(of: section), let view = attributes[kind] else {
          return .missing
        }
        let place = SupplementaryPlace(section: section, kind: kind)
        let known = state.sizes.withPages(for: key) { $0.supplementaries[place] }
        var record = try known ?? state.loadSize(of: place, for: key)
        record.compare(content: view.stableHash)
        return record.answer(
          layout: try state.layout(of: section), measurerVersion: measurerVersion)
      }
      return answer ?? .missing
    }
  }

  /// Keeps the measured size of a section's view: in memory at once, in the store soon.
  package func keep(
    _ size: Size, of kind: Supplementary.Kind, in section: SectionID, for key: SizeKey,
    measurerVersion: Int
  ) -> Bool {
    state.withValue { state in
      let isKept = state.answer { state -> Bool? in
        guard let view = try state.attributes(of: section)?[kind] else { return false }
        let place = SupplementaryPlace(section: section, kind: kind)
        let record = SizeRecord(
          size, content: view.stableHash, layout: try state.layout(of: section),
          measurerVersion: measurerVersion)
        state.sizes.withPages(for: key) { $0.supplementaries[place] = record }
        state.sizeQueue.add(record, of: place, for: key, in: state.list, at: state.chain)
        return true
      }
      return isKept ?? false
    }
  }

  /// Turns the kept sizes of a section's view into estimates: in memory at once, in the store soon.
  package func setNeedsLayout(of kind: Supplementary.Kind, in section: SectionID) {
    let place = SupplementaryPlace(section: section, kind: kind)
    state.withValue { state in
      state.staleSupplementaries.insert(place)
      state.sizes.makeEstimate(place)
      state.sizeQueue.makeEstimates(of: .supplementary(place), in: state.list)
    }
  }
}

extension PinnedItems.State {
  /// Reads the size of a section's view.
  fileprivate mutating func loadSize(
    of place: SupplementaryPlace, for key: SizeKey
  ) throws -> SizeRecord {
    var record = try read { db, state in
      guard let rows = try ListRows(db, state.list), let row = try rows.sectionRow(place.section)
      else { return SizeRecord(.missing) }
      let sizeRows = SizeRows(rows)
      return try sizeRows.record(
        of: place.kind, inSection: row.id, key: sizeRows.wanted(key), keys: sizeRows.keys())
    }
    if staleSections.contains(place.section) || staleSupplementaries.contains(place) {
      record.makeEstimate()
    }
    sizes.withPages(for: key) { $0.supplementaries[place] = record }
    return record
  }
}
