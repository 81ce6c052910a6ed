public import ListModel

/// The operations of one `performBatchUpdates` call.
///
/// Deletes, reloads, reconfigures and the sources of moves are paths in the list before the stage.
/// Inserts and the targets of moves are paths in the list after it. The order of the operations
/// inside a stage has no meaning.
public struct Stage: Hashable, Sendable {
  /// Indexes before the stage of sections to delete with all their items.
  public var deleteSections: [Int] = []
  /// Indexes after the stage of sections to insert with all their items.
  public var insertSections: [Int] = []
  /// Sections to move with all their items.
  public var moveSections: [Move<Int>] = []
  /// Paths before the stage of items to delete.
  public var deleteItems: [ItemPath] = []
  /// Paths after the stage of items to insert.
  public var insertItems: [ItemPath] = []
  /// Items to move, inside their section or to another one.
  public var moveItems: [Move<ItemPath>] = []
  /// Paths before the stage of items that get another cell.
  public var reloadItems: [ItemPath] = []
  /// Paths before the stage of items whose cell shows new content.
  public var reconfigureItems: [ItemPath] = []
  /// Indexes after the stage of sections whose layout, supplementary views or decorations changed.
  public var updateSections: [Int] = []
  /// How many items each section holds after the stage.
  public var counts: SectionCounts = []

  /// A stage without operations.
  public init() {}

  /// A move of a section, between indexes, or of an item, between paths.
  public struct Move<Place: Hashable & Sendable>: Hashable, Sendable {
    /// The place before the stage.
    public var from: Place
    /// The place after the stage.
    public var to: Place

    /// A move from one place to another.
    public init(from: Place, to: Place) {
      self.from = from
      self.to = to
    }
  }

  /// Whether the stage inserts, deletes or moves anything.
  public var isStructural: Bool {
    !(deleteSections.isEmpty && insertSections.isEmpty && moveSections.isEmpty
      && deleteItems.isEmpty && insertItems.isEmpty && moveItems.isEmpty)
  }

  /// Whether the stage has no operations.
  public var isEmpty: Bool {
    !isStructural && reloadItems.isEmpty && reconfigureItems.isEmpty && updateSections.isEmpty
  }

  /// How many operations the stage has.
  public var operationCount: Int {
    deleteSections.count + insertSections.count + moveSections.count + deleteItems.count
      + insertItems.count + moveItems.count + reloadItems.count + reconfigureItems.count
      + updateSections.count
  }
}
