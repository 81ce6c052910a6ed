public import ListModel

/// What one `performBatchUpdates` call is told.
///
/// Deletes, sources of moves, reloads and reconfigures are paths in the list before the stage;
/// inserts and targets of moves are paths in the list after it. The order of the operations inside
/// a stage means nothing.
public struct Stage: Hashable, Sendable {
  /// Indexes before the stage; their items go with them.
  public var deleteSections: [Int] = []
  /// Indexes after the stage; their items come with them.
  public var insertSections: [Int] = []
  /// Sections that change their order among the surviving ones.
  public var moveSections: [Move<Int>] = []
  /// Paths before the stage.
  public var deleteItems: [ItemPath] = []
  /// Paths after the stage.
  public var insertItems: [ItemPath] = []
  /// Items that change their section, or their order in it.
  public var moveItems: [Move<ItemPath>] = []
  /// Paths of items whose cell is another one.
  public var reloadItems: [ItemPath] = []
  /// Paths of items with the same cell and new content.
  public var reconfigureItems: [ItemPath] = []
  /// Indexes of sections whose layout, header, footer or meta changed.
  public var updateSections: [Int] = []
  /// How many items each section holds after the stage.
  public var counts: SectionCounts = []

  /// A stage that tells the view nothing.
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

  /// Whether it changes which sections and items there are, or their order.
  public var isStructural: Bool {
    !(deleteSections.isEmpty && insertSections.isEmpty && moveSections.isEmpty
      && deleteItems.isEmpty && insertItems.isEmpty && moveItems.isEmpty)
  }

  /// Whether it tells the view nothing.
  public var isEmpty: Bool {
    !isStructural && reloadItems.isEmpty && reconfigureItems.isEmpty && updateSections.isEmpty
  }

  /// How many operations it holds.
  public var operationCount: Int {
    deleteSections.count + insertSections.count + moveSections.count + deleteItems.count
      + insertItems.count + moveItems.count + reloadItems.count + reconfigureItems.count
      + updateSections.count
  }
}
