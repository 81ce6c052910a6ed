/// What a list has not loaded: the content of an item whose cell is ``cell``.
///
/// Such an item stands where a server has items that the store has not, between items or at an end of the
/// list. In the order, the log, undo and exports it is an item like others.
public struct Gap: JSONReadable, Hashable, Sendable {
  /// The cursor that asks for the page which begins at the gap's upper edge.
  public var after: String?
  /// The cursor that asks for the page which ends at the gap's lower edge.
  public var before: String?
  /// How many items are missing; `nil` if nobody knows.
  public var count: Int?
  /// The position of the first missing one, where a server can be asked by position.
  public var offset: Int?

  /// The cell of all gaps.
  ///
  /// Other cells whose names begin with `#` are reserved.
  public static let cell: CellName = "#gap"

  /// A gap of the given facts.
  public init(
    after: String? = nil, before: String? = nil, count: Int? = nil, offset: Int? = nil
  ) {
    self.after = after
    self.before = before
    self.count = count
    self.offset = offset
  }

  /// Reads the content of a gap; unknown members are ignored.
  ///
  /// - Throws: ``FormatError`` if it is no object, a cursor is no string, or a number is less than 0.
  public init(_ content: JSON) throws(FormatError) {
    try self.init(JSONNode(parsing: Array(content.text.utf8)))
  }

  package init(_ node: JSONNode) throws(FormatError) {
    let object = try node.object()
    after = try object.nullable("after")
    before = try object.nullable("before")
    count = try Self.natural("count", in: object)
    offset = try Self.natural("offset", in: object)
  }

  private static func natural(
    _ name: String, in object: JSONObject
  ) throws(FormatError) -> Int? {
    guard let number = try object.nullable(name, as: Int.self) else { return nil }
    guard number >= 0 else { throw FormatError("\(number) is less than 0", at: name) }
    return number
  }

  /// The gap as the content of an item.
  public var content: JSON {
    JSON(
      minified: JSONWriter.object { writer in
        if let after { writer.member("after", after) }
        if let before { writer.member("before", before) }
        if let count { writer.member("count", count) }
        if let offset { writer.member("offset", offset) }
      })
  }

  /// One gap instead of two, of which the other one stands right below.
  func joined(to lower: Gap) -> Gap {
    var sum: Int?
    if let count, let other = lower.count {
      let (total, isTooMuch) = count.addingReportingOverflow(other)
      sum = isTooMuch ? nil : total
    }
    return Gap(after: after, before: lower.before, count: sum, offset: offset)
  }
}

extension Gap {
  /// The largest number that JSON keeps exactly: sums of some of them are still numbers.
  package static let mostItems = 1 << 53

  /// What a stored gap says, without the numbers that no list can have; nothing, if it is damaged.
  package init(readable content: JSON) {
    self = (try? Gap(content)) ?? Gap()
    if count.map({ $0 > Self.mostItems }) ?? false { count = nil }
    if offset.map({ $0 > Self.mostItems }) ?? false { offset = nil }
  }
}

extension ItemState {
  /// Whether the item is a gap.
  public var isGap: Bool { cell == Gap.cell }

  /// What makes of a gap that has this state another one; nothing if it is the same.
  package func changes(ofGap id: ItemID, to gap: Gap) -> [Change] {
    var after = self
    after.content = gap.content
    let update = ItemUpdate(from: self, to: after)
    return update == ItemUpdate() ? [] : [.updateItem(id, update)]
  }

  /// Why the item can't be a gap; `nil` if it is none, or a proper one.
  package func gapError(of id: ItemID) -> ChangeError? {
    guard isGap else { return nil }
    do throws(FormatError) {
      _ = try Gap(content)
      return nil
    } catch {
      return .invalidGap(id, problem: "\(error)")
    }
  }
}

extension LogEntry {
  /// How many gaps more the list has after the entry.
  package var gapDifference: Int {
    switch self {
    case .insertItem(let item, _): item.state.isGap ? 1 : 0
    case .deleteItem(let item, _): item.state.isGap ? -1 : 0
    case .deleteSection(let section, _): -section.items.count { $0.state.isGap }
    case .updateItem(_, _, let before, let after):
      (after.isGap ? 1 : 0) - (before.isGap ? 1 : 0)
    case .updateList, .insertSection, .moveSection, .updateSection, .moveItem, .touchItem: 0
    }
  }
}
