import ListModel
import ListStore
import ListTables
import Providers

/// At most 500 revisions of a list, evenly spread over its log.
struct SampledLog {
  /// A commit, without its changes.
  struct Sample {
    var revision: Int
    var author: String
    var time: Int?
    /// How many changes the log had, this commit's included.
    var changeTotal: Int
  }

  /// The revision before the first commit that the log has.
  let floor: Int
  private(set) var samples: [Sample] = []

  static let mostSamples = 500

  init(of list: ListID, in repository: Repository) throws {
    let (floor, samples) = try repository.read("read the log of \"\(list)\"") { db in
      let statements = Statements(db)
      let found = try statements(
        "SELECT id, logFloor, revision FROM list WHERE name = ?"
      ).first(list.rawValue) { (try $0.integer(0), try $0.integer(1), try $0.integer(2)) }
      guard let (id, floor, head) = found, floor >= 0, floor < head else {
        return (found?.1 ?? 0, [Sample]())
      }
      let count = min(head - floor, Self.mostSamples)
      var samples: [Sample] = []
      for number in 1...count {
        // The last of each stretch of commits; wide, because a damaged file can hold any number.
        let product = (head - floor).multipliedFullWidth(by: number)
        let revision = floor + count.dividingFullWidth(product).quotient
        let sample = try statements(
          """
          SELECT author.name, time, changeTotal FROM listCommit
            JOIN author ON author.id = listCommit.author WHERE list = ? AND revision = ?
          """
        ).first(id, revision) { row in
          Sample(
            revision: revision, author: try row.text(0), time: try row.integerIfPresent(1),
            changeTotal: try row.integer(2))
        }
        if let sample { samples.append(sample) }
      }
      return (floor, samples)
    }
    (self.floor, self.samples) = (floor, samples)
  }
}

/// What a page tells of a list's log.
struct ReportedHistory {
  /// A revision, with what led to it since the one before.
  struct Step {
    var revision: Int
    /// The commits since the step before.
    var commitCount: Int
    /// Who made the last of them.
    var author: String
    /// When, in milliseconds since 1970.
    var time: Int?
    /// What they changed.
    var words: String
    /// The list at this revision, if it was drawn.
    var drawing: ListDrawing?
  }

  private(set) var steps: [Step] = []

  /// The most changes, and the most items, for which earlier revisions are drawn.
  private static let mostChanges = 50_000

  init() {}

  init(_ log: SampledLog) {
    var (revision, total) = (log.floor, Int?.none)
    for sample in log.samples {
      let changes = total.map { sample.changeTotal &- $0 } ?? sample.changeTotal
      steps.append(
        Step(
          revision: sample.revision, commitCount: sample.revision - revision,
          author: sample.author, time: sample.time,
          words: changes >= 0 && (total != nil || log.floor == 0)
            ? Shown.count(changes, "change") : "",
          drawing: nil))
      (revision, total) = (sample.revision, sample.changeTotal)
    }
  }

  /// Draws the steps, unless the list or its log is too long.
  ///
  /// Of more than `mostDrawings` steps it draws as many, evenly spread, the last among them.
  ///
  /// - Throws: If the log can't be read, or does not fit the list; steps before that are drawn.
  mutating func draw(
    _ list: ListID, in repository: Repository, from floor: Int, view: DrawingView,
    source: DrawingSource, mostDrawings: Int, title: (JSON) -> String?
  ) throws {
    let pinned = try repository.pin()
    guard !steps.isEmpty, try repository.itemCount(of: list, in: pinned) <= Self.mostChanges,
      let commits = try repository.commits(
        of: list, after: floor, ofAtMost: Self.mostChanges, in: pinned)
    else { return }
    var shown = Provider(try repository.tree(of: list, at: floor))
    var step = 0
    let stride = (steps.count - 1) / max(1, mostDrawings) + 1
    var changes = ChangeWords()
    for commit in commits {
      try shown.apply([commit])
      changes.add(commit.entries)
      guard steps.indices.contains(step), steps[step].revision == commit.revision else { continue }
      steps[step].words = changes.words { id in
        shown.path(of: id).flatMap { shown.item(at: $0) }
          .flatMap { title($0.state.content) } ?? id.rawValue
      }
      if (steps.count - 1 - step) % stride == 0 {
        steps[step].drawing = ListDrawing(
          shown, in: view, source: source, changed: changes.items)
      }
      changes = ChangeWords()
      step += 1
    }
  }
}

/// What commits changed, in words.
struct ChangeWords {
  /// The items that were inserted, moved, updated or touched.
  private(set) var items: Set<ItemID> = []
  private var groups: [Kind: (count: Int, names: [Name])] = [:]

  private enum Kind: String, CaseIterable {
    case inserted = "Inserted"
    case updated = "Updated"
    case moved = "Moved"
    case deleted = "Deleted"
    case touched = "Touched"
    case insertedSections = "Sections inserted"
    case updatedSections = "Sections updated"
    case movedSections = "Sections moved"
    case deletedSections = "Sections deleted"
    case list = "The list’s own data changed"
  }

  private enum Name {
    case item(ItemID)
    case section(SectionID)
  }

  private static let mostNames = 4

  mutating func add(_ entries: [LogEntry]) {
    for entry in entries {
      switch entry {
      case .insertItem(let item, _): note(.inserted, .item(item.id))
      case .updateItem(let id, _, _, _): note(.updated, .item(id))
      case .moveItem(let id, _, _): note(.moved, .item(id))
      case .touchItem(let id, _): note(.touched, .item(id))
      case .deleteItem(let item, _): note(.deleted, .item(item.id))
      case .insertSection(let id, _, _): note(.insertedSections, .section(id))
      case .updateSection(let id, _, _, _): note(.updatedSections, .section(id))
      case .moveSection(let id, _, _): note(.movedSections, .section(id))
      case .deleteSection(let section, _): note(.deletedSections, .section(section.id))
      case .updateList: note(.list, nil)
      }
    }
  }

  private mutating func note(_ kind: Kind, _ name: Name?) {
    var group = groups[kind] ?? (0, [])
    group.count += 1
    if let name, group.names.count < Self.mostNames { group.names.append(name) }
    groups[kind] = group
    if case .item(let id) = name, kind != .deleted { items.insert(id) }
  }

  /// A sentence for each kind of change, with the first names.
  func words(_ title: (ItemID) -> String) -> String {
    let sentences = Kind.allCases.compactMap { kind -> String? in
      guard let group = groups[kind] else { return nil }
      if group.names.isEmpty { return kind.rawValue + "." }
      let names = group.names.map { name in
        switch name {
        case .item(let id): Shown.cut(title(id), to: 40)
        case .section(let id): Shown.cut(id.rawValue, to: 40)
        }
      }
      let more = group.count - names.count
      return "\(kind.rawValue): \(names.joined(separator: ", "))"
        + (more > 0 ? " and \(Shown.number(more)) more." : ".")
    }
    return sentences.isEmpty ? "Nothing changed." : sentences.joined(separator: " ")
  }
}
