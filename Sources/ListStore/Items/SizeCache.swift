import ListModel
import ListTables

/// The sizes that were read or measured, by the handles of a Provider: 48 bytes an item and key.
///
/// Sizes are in pages of 64 handles. The few keys that were used last are kept, so that after
/// rotating a device and back all sizes are still in memory.
struct SizeCache: Sendable {
  private var keys: [(key: SizeKey, pages: Pages)] = []

  // The stored sizes of these hold no more, whether or not the store says so already.
  /// All items and views of these sections.
  private var staleSections: Set<SectionID> = []
  /// Items, by their rows.
  private var staleItems: Set<Int> = []
  /// Headers, footers and other views.
  private var staleSupplementaries: Set<SupplementaryPlace> = []

  private static let maximumKeyCount = 4

  /// The records for one key.
  struct Pages: Sendable {
    /// Those of headers, footers and other views.
    var supplementaries: [SupplementaryPlace: SizeRecord] = [:]
    /// The sizes that were kept here and may be missing in the sums of the snapshot.
    var kept = KeptSizes()
    private var pages: ContiguousArray<ContiguousArray<SizeRecord>> = []

    private static let pageBits: Int32 = 6

    subscript(handle: Int32) -> SizeRecord {
      get {
        let page = Int(handle >> Self.pageBits)
        guard page < pages.count, !pages[page].isEmpty else { return SizeRecord(.unknown) }
        return pages[page][Int(handle) & ((1 << Self.pageBits) - 1)]
      }
      set {
        let page = Int(handle >> Self.pageBits)
        while pages.count <= page { pages.append([]) }
        if pages[page].isEmpty {
          pages[page] = .init(repeating: SizeRecord(.unknown), count: 1 << Self.pageBits)
        }
        pages[page][Int(handle) & ((1 << Self.pageBits) - 1)] = newValue
      }
    }

    /// Adds the records of handles to others.
    func append(_ handles: Range<Int32>, to records: inout ContiguousArray<SizeRecord>) {
      var next = handles.lowerBound
      while next < handles.upperBound {
        let page = Int(next >> Self.pageBits)
        let first = Int(next) & ((1 << Self.pageBits) - 1)
        let count = min(Int(handles.upperBound - next), (1 << Self.pageBits) - first)
        if page < pages.count, !pages[page].isEmpty {
          records.append(contentsOf: pages[page][first..<first + count])
        } else {
          records.append(contentsOf: repeatElement(SizeRecord(.unknown), count: count))
        }
        next += Int32(count)
      }
    }
  }

  /// The records for a key, to be read and changed in place.
  mutating func withPages<Result>(
    for key: SizeKey, _ body: (inout Pages) throws -> Result
  ) rethrows -> Result {
    let last: Int
    if let index = keys.firstIndex(where: { $0.key == key }) {
      if index < keys.count - 1 { keys.append(keys.remove(at: index)) }
      last = keys.count - 1
    } else {
      if keys.count == Self.maximumKeyCount { keys.removeFirst() }
      keys.append((key, Pages()))
      last = keys.count - 1
    }
    return try body(&keys[last].pages)
  }

  /// Has the kept sizes compared anew with the sums of the store, which may have them by now.
  mutating func recountKeptSizes() {
    for index in keys.indices { keys[index].pages.kept.recount() }
  }

  /// Takes the stored size of an item, unless it was measured meanwhile.
  ///
  /// `row`: The item's row.
  /// `section`: The section that has it.
  mutating func add(
    _ stored: SizeRecord, of handle: Int32, row: Int, in section: SectionID, for key: SizeKey
  ) {
    var record = stored
    if staleSections.contains(section) || staleItems.contains(row) { record.makeEstimate() }
    withPages(for: key) { if $0[handle].isUnknown { $0[handle] = record } }
  }

  /// Takes the stored size of a section's view, unless it was measured meanwhile.
  mutating func add(_ stored: SizeRecord, of place: SupplementaryPlace, for key: SizeKey) {
    var record = stored
    if staleSections.contains(place.section) || staleSupplementaries.contains(place) {
      record.makeEstimate()
    }
    withPages(for: key) {
      if $0.supplementaries[place] == nil { $0.supplementaries[place] = record }
    }
  }

  /// Turns the sizes of an item into estimates, those in the store too.
  mutating func setNeedsLayout(_ handle: Int32, row: Int) {
    staleItems.insert(row)
    makeEstimates(handle..<handle + 1)
  }

  /// Turns all sizes of a section into estimates, those in the store too.
  ///
  /// `handles`: The section's items.
  mutating func setNeedsLayout(of section: SectionID, _ handles: [Range<Int32>]) {
    staleSections.insert(section)
    for run in handles { makeEstimates(run) }
    for index in keys.indices {
      for place in keys[index].pages.supplementaries.keys where place.section == section {
        makeEstimate(place)
      }
    }
  }

  /// Turns the sizes of a section's view into estimates, those in the store too.
  mutating func setNeedsLayout(of place: SupplementaryPlace) {
    staleSupplementaries.insert(place)
    makeEstimate(place)
  }

  private mutating func makeEstimates(_ handles: Range<Int32>) {
    for index in keys.indices {
      for handle in handles where keys[index].pages[handle].status == .measured {
        keys[index].pages[handle].makeEstimate()
      }
    }
  }

  private mutating func makeEstimate(_ place: SupplementaryPlace) {
    for index in keys.indices { keys[index].pages.supplementaries[place]?.makeEstimate() }
  }

  /// Forgets the sizes of an item that has changed or is gone.
  mutating func forget(_ handle: Int32) {
    for index in keys.indices where !keys[index].pages[handle].isUnknown {
      keys[index].pages[handle] = SizeRecord(.unknown)
    }
  }
}

extension SizeRecord {
  /// Whether the store was not asked yet.
  ///
  /// By pattern: `==` of another module's type is a call through a table, for each of many sizes.
  var isUnknown: Bool { if case .unknown = status { true } else { false } }
}
