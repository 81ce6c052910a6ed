public import ListModel
import ListStore
import ListTables
import StoreSchema

extension Inspection {
  /// A measured size, with what it was measured for and with, and whether it still holds.
  ///
  /// Its JSON is an output format: names and meanings stay.
  public struct SizeFacts: Codable, Hashable, Sendable {
    /// The width, in points.
    public var width: Double
    /// The height, in points.
    public var height: Double
    /// Whether the cell can be shown with it: nothing that it depends on has changed.
    public var isExact: Bool
    /// Why it is an estimate only; empty for an exact size.
    public var reasons: [Reason]
    /// The direction of scrolling: `vertical` or `horizontal`.
    public var axis: String
    /// The length that it had to fit, across the direction of scrolling, in device pixels.
    public var fittingPixels: Int
    /// A state of the cell that changes its size; absent for the normal one.
    public var variant: String?
    /// The settings that it depends on.
    public var environment: LayoutEnvironment
    /// When a size was last kept for these settings, in milliseconds since 1970.
    public var usedAt: Int
    /// The cell that was measured; absent for a section's view.
    public var cell: String?
    /// The content revision that was measured; absent for a section's view, and if the app asked
    /// for another measurement.
    public var contentRevision: Int?
    /// The version of the code that has measured.
    public var measurerVersion: Int

    /// What has changed since a size was measured.
    public enum Reason: String, Codable, Sendable, CaseIterable {
      /// It was measured with another cell.
      case cell
      /// It was measured with another content.
      case content
      /// Its section had another layout.
      case layout
      /// Another version of the code has measured it.
      case measurer
    }
  }
}

extension Inspection.SizeFacts {
  /// What a size must have been measured with to hold.
  struct Wanted {
    /// The row of the cell; 0 for a section's view.
    var cell = 0
    /// The content revision of an item, or the hash of a view.
    var content: UInt64
    /// `nil` if the layout can't be read.
    var layout: UInt64?
    /// `nil` for any.
    var measurerVersion: Int?
  }

  /// The sizes of an item, by their keys.
  static func sizes(
    ofItem item: Int, _ statements: Statements, _ wanted: Wanted
  ) throws -> [Self] {
    var sizes: [Self] = []
    try forEachRow(ofOwner: item, statements) { row in
      var size = try Self(row, wanted)
      size.cell = try row.textIfPresent(16) ?? "\(row.integer(15))"
      size.contentRevision = try row.integer(12) < 0 ? nil : row.integer(12)
      sizes.append(size)
    }
    return sizes
  }

  /// The sizes of a section's view, by their keys.
  static func sizes(
    of kind: Supplementary.Kind, inSection section: Int, _ statements: Statements, _ wanted: Wanted
  ) throws -> [Self] {
    var sizes: [Self] = []
    try forEachSize(of: kind, inSection: section, statements, wanted) { sizes.append($1) }
    return sizes
  }

  /// Calls a closure with the row of the key of each size of a section's view, and the size.
  static func forEachSize(
    of kind: Supplementary.Kind, inSection section: Int, _ statements: Statements, _ wanted: Wanted,
    _ body: (Int, Self) throws -> Void
  ) throws {
    let view = try statements("SELECT id FROM supplementary WHERE section = ? AND kind = ?")
      .first(section, kind.rawValue) { try $0.integer(0) }
    guard let view else { return }
    try forEachRow(ofOwner: view, statements) { try body($0.integer(17), Self($0, wanted)) }
  }

  /// `body`: Takes a row for each size, with the row of its key at last.
  private static func forEachRow(
    ofOwner owner: Int, _ statements: Statements, _ body: (StatementRow) throws -> Void
  ) throws {
    try statements(
      """
      SELECT axis, fittingPixels, variant, usedAt, contentSizeCategory, legibilityWeight,
        layoutDirection, locale, displayScale, system,
        width, height, content, layout, measurerVersion, cell, cell.name, sizeKey
      FROM measuredSize JOIN sizeKey ON sizeKey.id = sizeKey
        JOIN layoutEnvironment ON layoutEnvironment.id = environment
        LEFT JOIN cell ON cell.id = measuredSize.cell
      WHERE owner = ? ORDER BY sizeKey
      """
    ).forEach(owner) { try body($0) }
  }

  private init(_ row: StatementRow, _ wanted: Wanted) throws {
    axis = try row.text(0)
    fittingPixels = try row.integer(1)
    let variant = try row.text(2)
    self.variant = variant.isEmpty ? nil : variant
    usedAt = try row.integer(3)
    environment = try LayoutEnvironment(row, from: 4)
    width = try row.real(10)
    height = try row.real(11)
    measurerVersion = try row.integer(14)
    reasons = []
    if try row.integer(15) != wanted.cell { reasons.append(.cell) }
    if UInt64(bitPattern: Int64(try row.integer(12))) != wanted.content {
      reasons.append(.content)
    }
    let layout = UInt64(bitPattern: Int64(try row.integer(13)))
    if let own = wanted.layout, layout != own {
      reasons.append(.layout)
    }
    if let version = wanted.measurerVersion, version != measurerVersion {
      reasons.append(.measurer)
    }
    isExact = reasons.isEmpty
  }
}
