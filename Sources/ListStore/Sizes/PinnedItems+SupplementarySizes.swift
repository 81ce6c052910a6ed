import GRDB
package import ListModel
import Providers
import StoreSchema

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
        let place = SizeCache.SupplementaryPlace(section: section, kind: kind)
        let known = state.sizes.withPages(for: key) { $0.supplementaries[place] }
        let entry = try known ?? state.loadSize(of: place, for: key)
        return entry.answer(
          content: view.stableHash, layout: try state.layout(of: section),
          measurerVersion: measurerVersion)
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
        let layout = try state.layout(of: section)
        let place = SizeCache.SupplementaryPlace(section: section, kind: kind)
        state.sizes.withPages(for: key) {
          $0.supplementaries[place] = SizeCache.SupplementaryEntry(
            entry: SizeCache.Entry(
              width: size.width, height: size.height, layout: layout,
              measurerVersion: measurerVersion, status: .measured),
            content: view.stableHash)
        }
        state.sizeQueue.add(
          .init(
            list: state.list, key: key,
            size: .supplementary(
              KnownSupplementarySize(
                section: section, kind: kind, size: size, content: view.stableHash,
                layout: layout, measurerVersion: measurerVersion))))
        return true
      }
      return isKept ?? false
    }
  }

  /// Turns the kept sizes of a section's view into estimates: in memory at once, in the store soon.
  package func setNeedsLayout(of kind: Supplementary.Kind, in section: SectionID) {
    let place = SizeCache.SupplementaryPlace(section: section, kind: kind)
    state.withValue { state in
      state.staleSupplementaries.insert(place)
      state.sizes.makeEstimate(place)
      state.sizeQueue.add(
        .init(list: state.list, key: nil, size: .staleSupplementary(section, kind)))
    }
  }
}

extension PinnedItems.State {
  /// Reads the size of a section's view.
  fileprivate mutating func loadSize(
    of place: SizeCache.SupplementaryPlace, for key: SizeKey
  ) throws -> SizeCache.SupplementaryEntry {
    var entry = try read { db, state in
      guard let rows = try ListRows(db, state.list), let row = try rows.sectionRow(place.section)
      else { return SizeCache.SupplementaryEntry(entry: SizeCache.Entry(status: .missing)) }
      let sizeRows = SizeRows(rows)
      return try sizeRows.entry(
        of: place.kind, ofSection: row.id, key: sizeRows.wanted(key), keys: sizeRows.keys())
    }
    let isStale = staleSections.contains(place.section) || staleSupplementaries.contains(place)
    if isStale, entry.entry.status == .measured {
      entry.entry.status = .otherContent
    }
    sizes.withPages(for: key) { $0.supplementaries[place] = entry }
    return entry
  }
}
