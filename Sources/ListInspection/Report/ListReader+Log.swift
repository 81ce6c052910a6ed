import ListModel
import ListStore
import ListTables

extension ListReader {
  /// The commits that are read in a transaction, which has a time limit.
  private static let pageSize = 256
  /// The most bytes that a number of a change takes, with its comma.
  private static let numberByteCount = 8

  /// Reads the log from its end until there is no room; what can't be read is found.
  mutating func readLog(in repository: Repository) {
    do {
      let id = try ListID(list.list)
      var next: Int? = list.revision
      while let revision = next {
        next = try repository.read(list: id, "read the log of \"\(id)\"") { stored in
          try readPage(of: stored, upTo: revision)
        }
      }
    } catch {
      endLog("revision \(list.revision - list.changes.count) can’t be read", error)
    }
  }

  /// - Returns: The revision of the next commit to read.
  private mutating func readPage(of stored: StoredList, upTo revision: Int) throws -> Int? {
    var next = revision
    for commit in try stored.commits(upTo: revision, limit: Self.pageSize)
    where commit.revision > stored.logFloor {
      guard commit.revision == next else { break }
      let (entries, failure) = stored.entries(of: commit, hasContents: content != .none)
      if let failure { throw failure }
      guard try add(commit, entries) else {
        list.logEnd =
          "the page has room for the newest \(Shown.count(list.changes.count, "revision"))"
        return nil
      }
      next -= 1
    }
    if next > max(stored.logFloor, 0) {
      if next < revision { return next }
      throw Unreadable("revision \(next) is not in the log")
    }
    if next > 0 { list.logEnd = "the log begins after revision \(Shown.number(next))" }
    return nil
  }

  private mutating func endLog(_ words: String, _ error: any Error) {
    list.logEnd = words
    note("its log", error)
  }

  /// Adds a commit and takes it back from the list; returns `false` if there is no room for it.
  private mutating func add(_ commit: LoggedCommit, _ entries: [LogEntry]) throws -> Bool {
    guard entries.reduce(64, { $0 + textByteCount(of: $1) }) <= room else { return false }
    var changes: [[Int]] = []
    for entry in entries.reversed() { try revert(entry, into: &changes) }
    guard take(changes.reduce(64) { $0 + $1.count * Self.numberByteCount }) else { return false }
    list.times.append(commit.time)
    list.commitAuthors.append(number(ofAuthor: commit.author ?? "?"))
    list.changes.append(changes.reversed())
    return true
  }

  /// About the most bytes of the texts that an entry brings along.
  private func textByteCount(of entry: LogEntry) -> Int {
    func count(_ item: Item) -> Int {
      Self.byteCount(of: item.id.rawValue) + count(item.state)
    }
    func count(_ state: ItemState) -> Int {
      16 + Self.byteCount(of: shownText(state.content) ?? "")
        + Self.byteCount(of: details(of: state) ?? "")
    }
    switch entry {
    case .deleteItem(let item, _): return count(item)
    case .updateItem(_, _, let before, _): return count(before)
    case .deleteSection(let section, _): return section.items.reduce(512) { $0 + count($1) }
    default: return 0
    }
  }

  // MARK: Backwards

  private struct Misfit: Error, CustomStringConvertible {
    var description: String { "its changes do not lead to the list" }
  }

  /// Adds an entry of the log to changes, the last one first, and takes it back.
  private mutating func revert(_ entry: LogEntry, into changes: inout [[Int]]) throws {
    func add(_ operation: ReportedList.Operation, _ numbers: Int...) {
      changes.append([operation.rawValue] + numbers)
    }
    func section(at index: Int) throws -> Int {
      guard order.indices.contains(index) else { throw Misfit() }
      return order[index]
    }
    func item(_ id: ItemID) throws -> Int {
      guard let item = items[id] else { throw Misfit() }
      return item
    }
    switch entry {
    case .updateList(let before, let after): add(.updateList, number(of: before), number(of: after))
    case .insertSection(_, _, let index):
      add(.insertSection, try section(at: index), index)
      order.remove(at: index)
    case .deleteSection(let deleted, let index):
      guard (0...order.count).contains(index) else { throw Misfit() }
      let text = number(of: deleted.attributes)
      let section = number(of: deleted.id, -1)
      if sectionTexts[section] != text {
        add(.returnSection, section, text, sectionTexts[section])
        sectionTexts[section] = text
      }
      let items = deleted.items.map { returned($0, into: &changes) }
      changes.append([ReportedList.Operation.deleteSection.rawValue, section, index] + items)
      order.insert(section, at: index)
    case .moveSection(_, let from, let to):
      let section = try section(at: to)
      order.remove(at: to)
      guard (0...order.count).contains(from) else { throw Misfit() }
      order.insert(section, at: from)
      add(.moveSection, section, from, to)
    case .updateSection(_, let index, let before, _):
      let section = try section(at: index)
      let text = number(of: before)
      add(.updateSection, section, text, sectionTexts[section])
      sectionTexts[section] = text
    case .insertItem(let inserted, let path):
      insert(try item(inserted.id), try section(at: path.section), path.item, into: &changes)
    case .deleteItem(let deleted, let path):
      let item = returned(deleted, into: &changes)
      add(.deleteItem, try section(at: path.section), path.item, item)
    case .moveItem(let id, let from, let to):
      add(
        .moveItem, try item(id), try section(at: from.section), from.item,
        try section(at: to.section), to.item)
    case .updateItem(let id, let path, let before, _):
      let item = try item(id)
      let state = number(of: before)
      add(
        .updateItem, item, try section(at: path.section), path.item, state, itemStates[item])
      itemStates[item] = state
    case .touchItem(let id, let path):
      add(.touchItem, try item(id), try section(at: path.section), path.item)
    }
  }

  /// The number of an item that was deleted with a state.
  private mutating func returned(_ deleted: Item, into changes: inout [[Int]]) -> Int {
    guard let item = items[deleted.id] else {
      return number(ofNew: deleted.id, number(of: deleted.state))
    }
    if !isState(itemStates[item], deleted.state) {
      let state = number(of: deleted.state)
      changes.append(
        [ReportedList.Operation.returnItem.rawValue, item, state, itemStates[item]])
      itemStates[item] = state
    }
    return item
  }

  /// Adds an insert; one beside the insert after it becomes one with it.
  private func insert(
    _ item: Int, _ section: Int, _ index: Int, into changes: inout [[Int]]
  ) {
    let operation = ReportedList.Operation.insertItems.rawValue
    if let next = changes.last, next[0] == operation, next[1] == section {
      let count = next.count > 4 ? next[4] : 1
      if next[2] == index + 1, next[3] == item + 1 {
        changes[changes.count - 1] = [operation, section, index, item, count + 1]
        return
      }
      if next[2] == index, next[3] + count == item {
        changes[changes.count - 1] = [operation, section, index, next[3], count + 1]
        return
      }
    }
    changes.append([operation, section, index, item])
  }
}
