public import Foundation

/// UIKit's additions to an index path: the first index is the section, the second the item or row.
extension IndexPath {
  /// The path of an item.
  ///
  /// - Parameters:
  ///   - item: The index of the item in its section.
  ///   - section: The index of the section.
  public init(item: Int, section: Int) { self.init(indexes: [section, item]) }

  /// The path of a row.
  ///
  /// - Parameters:
  ///   - row: The index of the row in its section.
  ///   - section: The index of the section.
  public init(row: Int, section: Int) { self.init(indexes: [section, row]) }

  /// The index of the section.
  public var section: Int {
    get { self[0] }
    set { self[0] = newValue }
  }

  /// The index of the item in its section.
  public var item: Int {
    get { self[1] }
    set { self[1] = newValue }
  }

  /// The index of the row in its section: the same as ``item``.
  public var row: Int {
    get { self[1] }
    set { self[1] = newValue }
  }
}
