import GRDB

// Which row of `content` an entry names.

extension LogPacking {
  /// A damaged file can hold any number.
  private static let greatestContent = 1 << 48 - 1

  /// The row of what an item held when it was inserted; before that it held nothing.
  mutating func contentInserted(
    with item: ColumnBytes, in list: Int, as state: OldState
  ) throws -> Int {
    let isNewest = newestItems.isAt(item, in: list)
    var held = try heldContent(of: item, in: list, as: state)
    if held != .unknown {
      try forget(item, in: list)
    } else if isNewest {
      held = newestItems.content(as: state)
    } else {
      held = try find(statements.findItem, item, in: list, as: state)
      if case .row(let row) = held { try newestItems.seek(before: row) }
    }
    if isNewest { try newestItems.advance() }
    return try row(held, of: state)
  }

  /// The row of what an item holds at this point of the log.
  mutating func contentHeld(
    by item: ColumnBytes, in list: Int, as state: OldState
  ) throws -> Int {
    var held = try heldContent(of: item, in: list, as: state)
    if held == .unknown { held = try find(statements.findItem, item, in: list, as: state) }
    return try row(held, of: state)
  }

  /// What is known of an item's content at a point of the log.
  enum HeldContent: Equatable {
    case unknown
    case row(Int)
    /// Another one than the log says, as when something else has written to the list.
    case other

    /// From the columns id, type, action and content.
    init(_ row: PackingStatement, as state: OldState) {
      let isSame =
        row.hasText(state.type, at: 1) && row.hasText(state.action, at: 2)
        && row.hasText(state.content, at: 3)
      self = if isSame, let id = row.integer(0) { .row(id) } else { .other }
    }
  }

  private func heldContent(
    of item: ColumnBytes, in list: Int, as state: OldState
  ) throws -> HeldContent {
    isAnyHeld ? try find(statements.findHeld, item, in: list, as: state) : .unknown
  }

  private func find(
    _ statement: PackingStatement, _ item: ColumnBytes, in list: Int, as state: OldState
  ) throws -> HeldContent {
    statement.bind(list, at: 1)
    statement.bind(text: item, at: 2)
    defer { statement.reset() }
    return try statement.step() ? HeldContent(statement, as: state) : .unknown
  }

  private mutating func row(_ held: HeldContent, of state: OldState) throws -> Int {
    if case .row(let row) = held { return row }
    return try makeContent(state)
  }

  mutating func makeContent(_ state: OldState) throws -> Int {
    guard lastContent < Self.greatestContent else {
      throw DatabaseError(
        resultCode: .SQLITE_CORRUPT, message: "there are no more ids for contents")
    }
    lastContent += 1
    let insert = statements.insertContent
    insert.bind(lastContent, at: 1)
    insert.bind(text: state.type, at: 2)
    insert.bind(text: state.action, at: 3)
    insert.bind(text: state.content, at: 4)
    try insert.run()
    return lastContent
  }

  /// Notes what an item held before the entries that were read.
  mutating func hold(_ content: Int, by item: ColumnBytes, in list: Int) throws {
    isAnyHeld = true
    let insert = statements.hold
    insert.bind(list, at: 1)
    insert.bind(text: item, at: 2)
    insert.bind(content, at: 3)
    try insert.run()
  }

  private func forget(_ item: ColumnBytes, in list: Int) throws {
    let delete = statements.forget
    delete.bind(list, at: 1)
    delete.bind(text: item, at: 2)
    try delete.run()
  }

  /// The items with their contents, the last one made first.
  ///
  /// From its end, the log inserts most items in this order. So they are found without a search.
  struct NewestItems {
    private let rows: PackingStatement
    private var hasRow = false

    init(_ db: Database) throws {
      rows = try PackingStatement(
        db,
        """
        SELECT oldItem.id, type, action, content, list, name
        FROM oldItem CROSS JOIN content ON content.id = oldItem.id
        WHERE oldItem.id < ? ORDER BY oldItem.id DESC
        """)
      try seek(before: .max)
    }

    func isAt(_ item: ColumnBytes, in list: Int) -> Bool {
      hasRow && rows.integer(4) == list && rows.hasText(item, at: 5)
    }

    func content(as state: OldState) -> HeldContent { HeldContent(rows, as: state) }

    mutating func advance() throws { hasRow = try rows.step() }

    mutating func seek(before id: Int) throws {
      end()
      rows.bind(id, at: 1)
      try advance()
    }

    mutating func end() {
      rows.reset()
      hasRow = false
    }
  }
}
