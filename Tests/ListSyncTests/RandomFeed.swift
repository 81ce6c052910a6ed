import TestSupport

/// A feed made at random, and what it must lead to, by plain arrays alone.
struct RandomFeed {
  /// A line, as the server means it.
  struct Line: Equatable {
    enum Kind: Equatable {
      case commit([Operation])
      /// `meta`: "null" removes it, and a snapshot without one leaves it.
      case snapshot([String], meta: String?)
      case reset
    }

    var list: String
    var sequence: Int
    var kind: Kind
  }

  enum Operation: Equatable {
    case insert(String, Int)
    case delete(String)
    case move(String, Int)
    case setMeta(String)
  }

  /// A list as the feed's lines make it.
  struct Model: Equatable {
    var items: [String] = []
    /// "null": none.
    var meta = "null"
    /// There is one section, once a commit has made it.
    var hasSection = false
    var sequence = 0

    /// Takes a line; one whose number is not above the last one's was taken before.
    ///
    /// - Returns: Whether it was new.
    @discardableResult
    mutating func take(_ line: Line) -> Bool {
      switch line.kind {
      case .reset:
        self = Model()
        return true
      case .snapshot(let items, let newMeta):
        guard line.sequence > sequence else { return false }
        self = Model(
          items: items, meta: newMeta ?? meta, hasSection: true, sequence: line.sequence)
      case .commit(let operations):
        guard line.sequence == sequence + 1 else { return false }
        sequence += 1
        hasSection = true
        for operation in operations {
          switch operation {
          case .insert(let id, let index): items.insert(id, at: index)
          case .delete(let id): items.removeAll { $0 == id }
          case .move(let id, let index):
            items.removeAll { $0 == id }
            items.insert(id, at: index)
          case .setMeta(let text): meta = text
          }
        }
      }
      return true
    }
  }

  private(set) var lines: [Line] = []
  private var models: [String: Model] = [:]
  private var nextItem = 0
  /// From how many ids items are made; `nil`: each has an id of its own, so no two commits are
  /// alike.
  private let pool: Int?

  init(
    count: Int, lists: Int, pool: Int?, hasSnapshots: Bool,
    using generator: inout SeededGenerator
  ) {
    self.pool = pool
    for _ in 0..<count {
      append("l\(generator.number(0..<lists))", hasSnapshots, &generator)
    }
  }

  /// Adds lines of the same feed.
  mutating func append(_ count: Int, using generator: inout SeededGenerator) {
    let lists = Array(Set(lines.map(\.list))).sorted()
    for _ in 0..<count {
      if let list = generator.element(of: lists) { append(list, false, &generator) }
    }
  }

  private mutating func append(
    _ list: String, _ hasSnapshots: Bool, _ generator: inout SeededGenerator
  ) {
    var model = models[list] ?? Model()
    var line = Line(list: list, sequence: model.sequence + 1, kind: .reset)
    switch generator.number(0..<100) {
    case 0..<14: line.sequence = 0
    case 14..<20 where hasSnapshots:
      line.sequence += generator.number(0..<5)
      let items = (0..<generator.number(0..<4)).map { _ in newItem([], &generator) }
      if Set(items).count < items.count { return }
      line.kind = .snapshot(items, meta: generator.percent(50) ? meta(&generator) : nil)
    case 20..<26:
      // A line that the feed has twice.
      if let last = lines.last(where: { $0.list == list }), last.kind != .reset {
        lines.append(last)
      }
      return
    default: line.kind = .commit(operations(for: model, &generator))
    }
    model.take(line)
    models[list] = model
    lines.append(line)
  }

  private mutating func newItem(_ used: [String], _ generator: inout SeededGenerator) -> String {
    guard let pool else {
      nextItem += 1
      return "i\(nextItem)"
    }
    while true {
      let id = "i\(generator.number(0..<pool + used.count))"
      if !used.contains(id) { return id }
    }
  }

  private mutating func operations(
    for model: Model, _ generator: inout SeededGenerator
  ) -> [Operation] {
    var items = model.items
    let new = newItem(items, &generator)
    let place = generator.number(0..<items.count + 1)
    items.insert(new, at: place)
    var operations = [Operation.insert(new, place)]
    if generator.percent(30), let id = generator.element(of: items) {
      operations.append(.delete(id))
      items.removeAll { $0 == id }
    }
    if generator.percent(30), let id = generator.element(of: items) {
      operations.append(.move(id, generator.number(0..<items.count)))
    }
    if generator.percent(20) { operations.append(.setMeta(meta(&generator))) }
    return operations
  }

  private func meta(_ generator: inout SeededGenerator) -> String {
    generator.percent(70) ? "{\"n\":\(generator.number(0..<9))}" : "null"
  }

  /// What the lists are after lines.
  static func models(after lines: some Sequence<Line>) -> [String: Model] {
    var models: [String: Model] = [:]
    for line in lines { models[line.list, default: Model()].take(line) }
    return models
  }

  /// How many of the lines are new, each after the ones before.
  static func newCount(of lines: some Sequence<Line>) -> Int {
    var models: [String: Model] = [:]
    return lines.reduce(0) { $0 + (models[$1.list, default: Model()].take($1) ? 1 : 0) }
  }
}

extension RandomFeed.Line {
  /// The line as JSON.
  var text: String {
    let head = "\"list\":\"\(list)\""
    func content(_ id: String) -> String { "\"cell\":\"C\",\"content\":{\"id\":\"\(id)\"}" }
    switch kind {
    case .reset: return "{\"t\":\"reset\",\(head),\"why\":\"compacted\"}"
    case .snapshot(let items, let meta):
      let meta = meta.map { "\"meta\":\($0)," } ?? ""
      let items = items.map { "{\"id\":\"\($0)\",\(content($0))}" }.joined(separator: ",")
      return "{\"t\":\"snapshot\",\(head),\"seq\":\"\(sequence)\",\(meta)\"sections\":"
        + "[{\"id\":\"s\",\"items\":[\(items)]}]}"
    case .commit(let operations):
      var texts = operations.map { operation in
        switch operation {
        case .insert(let id, let index):
          "{\"op\":\"insertItem\",\"item\":\"\(id)\",\"section\":\"s\",\"index\":\(index),"
            + content(id) + "}"
        case .delete(let id): "{\"op\":\"deleteItem\",\"item\":\"\(id)\"}"
        case .move(let id, let index):
          "{\"op\":\"moveItem\",\"item\":\"\(id)\",\"index\":\(index)}"
        case .setMeta(let text): "{\"op\":\"updateList\",\"meta\":\(text)}"
        }
      }
      if sequence == 1 { texts.insert("{\"op\":\"insertSection\",\"section\":\"s\"}", at: 0) }
      return "{\"t\":\"commit\",\(head),\"seq\":\"\(sequence)\",\"ops\":"
        + "[\(texts.joined(separator: ","))]}"
    }
  }
}
