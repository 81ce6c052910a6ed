import ListModel

/// The sizes that were read or measured, by the handles of a Provider: 40 bytes an item and key.
///
/// Sizes are in pages of 64 handles. The few keys that were used last are kept, so that after
/// rotating a device and back all sizes are still in memory.
struct SizeCache: Sendable {
  private var keys: [(key: SizeKey, pages: Pages)] = []

  private static let maximumKeyCount = 4

  /// An item's size for a key, as far as it is known.
  struct Entry: Sendable {
    enum Status: UInt8, Sendable {
      case unknown
      case missing
      /// Holds where section and measurer are the same.
      case measured
      case otherCell
      case otherContent
      case otherVariant
      case otherEnvironment
      case otherWidth
    }

    var width: Double
    var height: Double
    private var ownLayout: UInt64
    var measurerVersion: Int
    private var holdsForAnyLayout: Bool
    var status: Status

    /// The hash of the section's layout that it holds for; `nil`: for any.
    var layout: UInt64? { holdsForAnyLayout ? nil : ownLayout }

    init(
      width: Double = 0, height: Double = 0, layout: UInt64? = nil, measurerVersion: Int = 0,
      status: Status = .unknown
    ) {
      self.width = width
      self.height = height
      ownLayout = layout ?? 0
      holdsForAnyLayout = layout == nil
      self.measurerVersion = measurerVersion
      self.status = status
    }

    var size: Size { Size(width: width, height: height) }

    /// How far it can be trusted.
    ///
    /// `layout`: The hash of the layout that the item's section has.
    /// `measurerVersion`: The version of the code that measures now; `nil`: any.
    func answer(layout: UInt64, measurerVersion: Int?) -> SizeAnswer {
      switch status {
      case .unknown, .missing: .missing
      case .measured:
        if let own = self.layout, own != layout {
          .estimate(size, why: .otherLayout)
        } else if let measurerVersion, measurerVersion != self.measurerVersion {
          .estimate(size, why: .otherMeasurer)
        } else {
          .exact(size)
        }
      case .otherCell: .estimate(size, why: .otherCell)
      case .otherContent: .estimate(size, why: .otherContent)
      case .otherVariant: .estimate(size, why: .otherVariant)
      case .otherEnvironment: .estimate(size, why: .otherEnvironment)
      case .otherWidth: .estimate(size, why: .otherLength)
      }
    }
  }

  /// A header, a footer or another view of a section.
  struct SupplementaryPlace: Hashable, Sendable {
    var section: SectionID
    var kind: Supplementary.Kind
  }

  /// The size of a section's view for a key, as far as it is known.
  struct SupplementaryEntry: Sendable {
    var entry: Entry
    /// The hash of the view's name and content that it holds for.
    var content: UInt64 = 0

    /// How far it can be trusted, where the view's name and content have a hash.
    func answer(content: UInt64, layout: UInt64, measurerVersion: Int?) -> SizeAnswer {
      var entry = entry
      if entry.status == .measured, self.content != content { entry.status = .otherContent }
      return entry.answer(layout: layout, measurerVersion: measurerVersion)
    }
  }

  /// The entries for one key.
  struct Pages: Sendable {
    /// Those of headers and footers.
    var supplementaries: [SupplementaryPlace: SupplementaryEntry] = [:]
    private var pages: ContiguousArray<ContiguousArray<Entry>> = []

    private static let pageBits: Int32 = 6

    subscript(handle: Int32) -> Entry {
      get {
        let page = Int(handle >> Self.pageBits)
        guard page < pages.count, !pages[page].isEmpty else { return Entry() }
        return pages[page][Int(handle) & ((1 << Self.pageBits) - 1)]
      }
      set {
        let page = Int(handle >> Self.pageBits)
        while pages.count <= page { pages.append([]) }
        if pages[page].isEmpty {
          pages[page] = .init(repeating: Entry(), count: 1 << Self.pageBits)
        }
        pages[page][Int(handle) & ((1 << Self.pageBits) - 1)] = newValue
      }
    }

    /// Adds the entries of handles to others.
    func append(_ handles: Range<Int32>, to entries: inout ContiguousArray<Entry>) {
      var next = handles.lowerBound
      while next < handles.upperBound {
        let page = Int(next >> Self.pageBits)
        let first = Int(next) & ((1 << Self.pageBits) - 1)
        let count = min(Int(handles.upperBound - next), (1 << Self.pageBits) - first)
        if page < pages.count, !pages[page].isEmpty {
          entries.append(contentsOf: pages[page][first..<first + count])
        } else {
          entries.append(contentsOf: repeatElement(Entry(), count: count))
        }
        next += Int32(count)
      }
    }
  }

  /// The entries for a key, to be read and changed in place.
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

  /// Turns the sizes of an item into estimates.
  mutating func makeEstimate(_ handle: Int32) { makeEstimates(handle..<handle + 1) }

  /// Turns the sizes of items into estimates.
  mutating func makeEstimates(_ handles: Range<Int32>) {
    for index in keys.indices {
      for handle in handles where keys[index].pages[handle].status == .measured {
        keys[index].pages[handle].status = .otherContent
      }
    }
  }

  /// Turns the sizes of all views of a section into estimates.
  mutating func makeEstimates(of section: SectionID) {
    for index in keys.indices {
      for place in keys[index].pages.supplementaries.keys where place.section == section {
        makeEstimate(place)
      }
    }
  }

  /// Turns the sizes of a section's view into estimates.
  mutating func makeEstimate(_ place: SupplementaryPlace) {
    for index in keys.indices
    where keys[index].pages.supplementaries[place]?.entry.status == .measured {
      keys[index].pages.supplementaries[place]?.entry.status = .otherContent
    }
  }

  /// Forgets the sizes of an item that has changed or is gone.
  mutating func forget(_ handle: Int32) {
    for index in keys.indices where keys[index].pages[handle].status != .unknown {
      keys[index].pages[handle] = Entry()
    }
  }
}
