import BatchUpdates
import ListModel
import ListStore
import ListTables

/// Reads the log of a list from its end, a commit at a time.
struct LogWalk {
  private let repository: Repository
  private let list: ListID
  private let filter: Inspection.CommitFilter
  private let search: TextSearch?
  private let last: Int
  private let entryLimit: Int
  private let content: Inspection.ContentDetail
  private(set) var findings: [Finding] = []
  /// The newest first.
  private var commits: [Inspection.Timeline.Commit] = []
  private var hasEarlier = false
  private var isRated = false
  private var rates = CommitRates()
  private var undone = UndoneCommits()
  /// The sections after the commit that is read next; `nil` if they are not known.
  private var sections: ListOverlay<ListTree>?

  /// The commits that are read in a transaction, which has a time limit.
  private static let pageSize = 256
  private static let mostFindings = 100

  init(
    _ repository: Repository, _ list: ListID, matching filter: Inspection.CommitFilter, last: Int,
    entries: Int, content: Inspection.ContentDetail
  ) {
    self.repository = repository
    self.list = list
    self.filter = filter
    search = filter.text.map(TextSearch.init)
    self.last = last
    entryLimit = entries
    self.content = content
  }

  mutating func run(hasRates: Bool) throws(StoreError) -> Inspection.Timeline.List {
    isRated = hasRates
    var facts = try look { walk, stored in
      walk.sections = try? ListOverlay(stored.sectionOrder())
      return Inspection.Timeline.List(
        list: stored.list.rawValue, revision: stored.revision, floor: stored.logFloor)
    }
    var next = facts.revision
    let floor = max(facts.floor, filter.after[facts.list] ?? 0)
    while next > floor, isRated || !hasEarlier {
      let from = next
      next = try look { walk, stored in
        try walk.readPage(upTo: from, floor: floor, of: stored)
      }
    }
    facts.hasEarlier = hasEarlier
    facts.commits = commits.reversed()
    for index in facts.commits.indices {
      let revision = facts.commits[index].revision
      facts.commits[index].undoneBy = undone.undoneBy[revision]
      facts.commits[index].undoes = undone.undoes[revision]
    }
    if hasRates { facts.rates = rates.rates }
    return facts
  }

  /// Runs one read transaction.
  private mutating func look<Value>(
    _ body: (inout LogWalk, StoredList) throws -> Value
  ) throws(StoreError) -> Value {
    var walk = self
    let value = try repository.read(list: list, "read the log of \"\(list)\"") { stored in
      try body(&walk, stored)
    }
    self = walk
    return value
  }

  /// - Returns: The revision of the next commit to read.
  private mutating func readPage(
    upTo revision: Int, floor: Int, of stored: StoredList
  ) throws -> Int {
    var next = revision
    for commit in try stored.commits(upTo: revision, limit: Self.pageSize) {
      if commit.revision <= floor { return floor }
      if commit.revision < next { missing(commit.revision + 1...next) }
      next = commit.revision - 1
      read(commit, of: stored)
      if hasEarlier, !isRated { return floor }
    }
    // Nothing more was found.
    if next == revision {
      missing(floor + 1...next)
      return floor
    }
    return next
  }

  private mutating func missing(_ revisions: ClosedRange<Int>) {
    sections = nil
    let what =
      revisions.count == 1
      ? "revision \(revisions.lowerBound) is"
      : "revisions \(revisions.lowerBound) to \(revisions.upperBound) are"
    note(.gap("list \"\(list)\"", "\(what) not in the log"))
  }

  private mutating func read(_ commit: LoggedCommit, of stored: StoredList) {
    // What can't be read is found below.
    if let item = filter.item, (try? stored.mayConcern(item, commit)) == false { return }
    let (entries, failure) = stored.entries(of: commit, hasContents: search != nil)
    if let failure { note(failure, commit) }
    undone.note(entries, of: commit) { stored.entries(of: $0, hasContents: true).entries }
    let matching = placed(entries)
    if failure != nil { sections = nil }
    guard fits(commit), !matching.isEmpty || !filter.isOfChanges else {
      return
    }
    if isRated {
      rates.count(commit.author ?? "?", changes: entries.count, time: commit.time)
    }
    guard commits.count < last else {
      hasEarlier = true
      return
    }
    commits.append(
      Inspection.Timeline.Commit(
        revision: commit.revision, time: commit.time, author: commit.author ?? "?",
        feedSequence: commit.feedSequence, changeCount: entries.count,
        counts: Dictionary(entries.lazy.map { ($0.name, 1) }, uniquingKeysWith: +),
        entries: withContents(
          Array(matching.prefix(entryLimit)), of: commit, stored, hasFailed: failure != nil)))
  }

  /// Some changes of a commit with what is told of their contents.
  private mutating func withContents(
    _ chosen: [(index: Int, facts: Inspection.Timeline.Entry)], of commit: LoggedCommit,
    _ stored: StoredList, hasFailed: Bool
  ) -> [Inspection.Timeline.Entry] {
    if content == .none || chosen.isEmpty { return chosen.map(\.facts) }
    let (entries, failure) = stored.entries(of: commit, hasContents: true)
    if let failure, !hasFailed { note(failure, commit) }
    return chosen.filter { entries.indices.contains($0.index) }.map { index, facts in
      var whole = Inspection.Timeline.Entry(entries[index], content)
      (whole.from, whole.to) = (facts.from, facts.to)
      return whole
    }
  }

  private mutating func note(_ failure: any Error, _ commit: LoggedCommit) {
    note(.unreadable("list \"\(list)\", revision \(commit.revision)", failure))
  }

  private mutating func note(_ finding: Finding) {
    if findings.count < Self.mostFindings { findings.append(finding) }
  }

  /// The first changes of a commit that fit, in order, without contents; takes all changes back
  /// from the sections.
  private mutating func placed(
    _ entries: [LogEntry]
  ) -> [(index: Int, facts: Inspection.Timeline.Entry)] {
    // At least one, which tells that there are any.
    let most = max(entryLimit, 1)
    var chosen: [(index: Int, facts: Inspection.Timeline.Entry)] = []
    for (index, entry) in zip(entries.indices, entries).reversed() {
      var facts = Inspection.Timeline.Entry(entry, .none)
      facts.to?.name(in: sections)
      revert(entry)
      facts.from?.name(in: sections)
      guard fits(facts, entry) else { continue }
      chosen.append((index, facts))
      // Those before them are told instead.
      if chosen.count / 2 > most { chosen.removeFirst(chosen.count - most) }
    }
    return chosen.suffix(most).reversed()
  }

  /// Reverts a change of the order of the sections.
  private mutating func revert(_ entry: LogEntry) {
    do {
      switch entry {
      case .deleteSection(let section, let index):
        let empty = ListTree.Section(id: section.id, attributes: section.attributes)
        try sections?.revert(.deleteSection(empty, at: index))
      case .insertSection, .moveSection: try sections?.revert(entry)
      default: break
      }
    } catch {
      sections = nil
    }
  }

  // MARK: Filters

  private func fits(_ commit: LoggedCommit) -> Bool {
    if let last = filter.upTo, commit.revision > last { return false }
    if let author = filter.author, commit.author.map({ $0.utf8.elementsEqual(author.utf8) }) != true
    {
      return false
    }
    if filter.since == nil, filter.until == nil { return true }
    guard let time = commit.time else { return false }
    return time >= filter.since ?? .min && time <= filter.until ?? .max
  }

  private func fits(_ facts: Inspection.Timeline.Entry, _ entry: LogEntry) -> Bool {
    if let item = filter.item {
      var items: [Item] = []
      if case .deleteSection(let section, _) = entry { items = section.items }
      guard
        facts.item?.utf8.elementsEqual(item.utf8) == true
          || items.contains(where: { $0.id.rawValue.utf8.elementsEqual(item.utf8) })
      else { return false }
    }
    if let search, !search.fits(entry) { return false }
    guard let section = filter.section else { return true }
    return [facts.section, facts.from?.section, facts.to?.section].contains {
      $0?.utf8.elementsEqual(section.utf8) == true
    }
  }
}

extension Inspection.CommitFilter {
  /// Whether only commits fit with a change that fits.
  fileprivate var isOfChanges: Bool { item != nil || section != nil || text != nil }
}

extension TextSearch {
  /// Whether an item that a change is about has the text.
  fileprivate func fits(_ entry: LogEntry) -> Bool {
    switch entry {
    case .insertItem(let item, _), .deleteItem(let item, _): fits(item)
    case .updateItem(let id, _, let before, let after):
      fits(Item(id: id, state: before)) || fits(Item(id: id, state: after))
    case .moveItem(let id, _, _), .touchItem(let id, _): fits(id: id.rawValue, contents: [])
    case .deleteSection(let section, _): section.items.contains(where: fits)
    case .updateList, .insertSection, .moveSection, .updateSection: false
    }
  }
}

extension Inspection.Timeline.Place {
  fileprivate mutating func name(in sections: ListOverlay<ListTree>?) {
    guard path.count == 2, let index = path.first, let sections,
      (0..<sections.sectionCount()).contains(index)
    else { return }
    section = sections.sectionID(at: index).rawValue
  }
}

extension StoredList {
  /// The list as it is now, without its items.
  ///
  /// - Throws: What is wrong with the order of the sections.
  fileprivate func sectionOrder() throws -> ListTree {
    var tree = ListTree(list: list, revision: revision)
    try forEachSection { section in
      tree.sections.append(ListTree.Section(id: section.section))
      return true
    } unreadable: {
      throw $0
    }
    return tree
  }
}

extension Finding {
  fileprivate static func gap(_ place: String, _ message: String) -> Finding {
    Finding(
      severity: .error, code: .log, place: place, message: message,
      meaning: "What these commits changed is not known, and no earlier revision can be read.",
      advice: "Run `cellar repair FILE`: it keeps the end of the log that is whole.")
  }
}
