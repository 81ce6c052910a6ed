package import ListModel

/// A measured size of an item or of a section's view, with what it was measured with, and how far
/// it can be trusted.
///
/// The same record goes from the cell to memory and to its row, and back: 48 bytes.
package struct SizeRecord: Sendable {
  /// How far a size can be trusted, its layout and its measurer apart.
  package enum Status: UInt8, Sendable {
    /// The store was not asked yet.
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

  var width = 0.0
  var height = 0.0
  /// What was shown: the content revision of an item, or the hash of a view's name and content.
  package var content: UInt64 = 0
  /// The hash of the section's layout that it holds for.
  var layout: UInt64 = 0
  var measurerVersion = 0
  /// The row of an item's cell; 0 for a section's view.
  package var cell: UInt32 = 0
  /// How far it can be trusted.
  package var status: Status

  /// Width and height in points.
  package var size: Size { Size(width: width, height: height) }

  /// A record without a size.
  package init(_ status: Status) { self.status = status }

  /// The record of a size that was measured.
  package init(
    _ size: Size, cell: UInt32 = 0, content: UInt64, layout: UInt64, measurerVersion: Int
  ) {
    (width, height) = (size.width, size.height)
    (self.cell, self.content) = (cell, content)
    self.layout = layout
    self.measurerVersion = measurerVersion
    status = .measured
  }

  /// Whether the size is one for the key that was asked for, exact or not.
  package var isOfOwnKey: Bool {
    switch status {
    case .measured, .otherCell, .otherContent: true
    case .unknown, .missing, .otherVariant, .otherEnvironment, .otherWidth: false
    }
  }

  /// Whether another record has the same size, measured with the same.
  func isSame(as other: SizeRecord) -> Bool {
    width == other.width && height == other.height && cell == other.cell
      && content == other.content && layout == other.layout
      && measurerVersion == other.measurerVersion
  }

  /// Turns the size into an estimate, although what is shown is the same.
  package mutating func makeEstimate() { if status == .measured { status = .otherContent } }

  /// Compares what was measured with what is shown now.
  package mutating func compare(cell: UInt32 = 0, content: UInt64) {
    guard status == .measured else { return }
    if cell != self.cell {
      status = .otherCell
    } else if content != self.content {
      status = .otherContent
    }
  }

  /// How far the size can be trusted, if it was compared with what is shown now.
  ///
  /// `layout`: The hash of the layout that the section has.
  /// `measurerVersion`: The version of the code that measures now; `nil`: any.
  package func answer(layout: UInt64, measurerVersion: Int?) -> SizeAnswer {
    switch status {
    case .unknown, .missing: .missing
    case .measured:
      if layout != self.layout {
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

/// Whose sizes are marked.
package enum SizeOwner: Sendable {
  /// An item, by its row.
  case item(Int)
  case supplementary(SupplementaryPlace)
  /// All items and views of a section.
  case section(SectionID)
}

/// A size of an item, as a Provider has it.
package struct SizedItem: Sendable {
  var record: SizeRecord
  /// The size that the Provider knew before, if any.
  var known: SizeRecord
  var row: Int
  var path: ItemPath

  /// A size that is to be written.
  ///
  /// `row`: The item's row.
  /// `path`: Where the Provider has the item.
  package init(record: SizeRecord, known: SizeRecord, row: Int, path: ItemPath) {
    self.record = record
    self.known = known
    self.row = row
    self.path = path
  }
}

/// Sizes of items, with the items' ids.
///
/// An id is needed only if the item may have moved since. So it is kept as bytes: a string for each
/// took a fifth of the time of keeping a size.
package struct SizedItems: Sendable {
  private(set) var items: [SizedItem] = []
  private var names: [UInt8] = []
  private var nameEnds: [Int] = []

  /// No sizes.
  package init() {}

  /// Adds a size; `name` is the item's id as UTF-8.
  package mutating func append(_ item: SizedItem, name: UnsafeRawBufferPointer) {
    items.append(item)
    names.append(contentsOf: name)
    nameEnds.append(names.count)
  }

  func ids() throws -> [ItemID] {
    try zip([0] + nameEnds, nameEnds).map { start, end in
      try ItemID(String(decoding: names[start..<end], as: UTF8.self))
    }
  }
}

/// A header, a footer or another view of a section.
///
/// It has the section's id and not its row: if the section is deleted before the size is written,
/// another section may have the row.
package struct SupplementaryPlace: Hashable, Sendable {
  /// The section that has the view.
  package var section: SectionID
  /// Which of the section's views it is.
  package var kind: Supplementary.Kind

  /// The view of a kind in a section.
  package init(section: SectionID, kind: Supplementary.Kind) {
    self.section = section
    self.kind = kind
  }
}
