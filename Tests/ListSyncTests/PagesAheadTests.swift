import Foundation
import GRDB
import ListModel
import ListStore
import ListSync
import Pages
import StoreFiles
import TestSupport
import Testing

/// Pages that know more than the lines of the feed which a list has had.
///
/// A line is older than the page then, and it names a place beside a neighbour that the page may have elsewhere.
@Suite struct PagesAheadTests {
  /// A server with a feed, which answers as it was at any time since the last line that was handed out.
  private final class Server: PageLoader {
    struct Entry: Equatable {
      var id: String
      var likes: Int
      var rank: Double

      var content: String { #"{"likes":\#(likes)}"# }
      var item: Item {
        Item(id: .init(stringLiteral: id), cell: "C", content: JSON(stringLiteral: content))
      }
    }

    struct State {
      var random: SeededGenerator
      /// Its list after each line of its feed, with the first one before them.
      var versions: [[Entry]]
      var lines: [String] = []
      /// What it has answered and told, in short.
      var log: [String] = []
      var deliveredCount = 0
      var made: Int
      /// The version that answers; `nil`: any that the device may not know.
      var answering: Int?

      var entries: [Entry] { versions.last ?? [] }
    }

    static let pageSize = 4
    let state: Guarded<State>

    init(_ ids: [String], seed: UInt64 = 0) {
      let entries = ids.enumerated()
        .map { Entry(id: $0.element, likes: 0, rank: Double($0.offset)) }
      state = Guarded(
        State(random: SeededGenerator(seed: seed), versions: [entries], made: ids.count))
    }

    func page(_ request: PageRequest) async throws -> Page {
      try state.withValue { state in
        let sequence =
          state.answering ?? state.random.number(state.deliveredCount..<state.versions.count)
        let entries = state.versions[sequence]
        func rank(_ cursor: String?) -> Double? { cursor.flatMap(Double.init) }
        func place(_ id: ItemID?) -> Int? { entries.firstIndex { $0.id == id?.rawValue } }
        let wanted: Range<Int>
        switch request.part {
        case .newest: wanted = 0..<Self.pageSize
        case .after:
          let start =
            rank(request.cursor).map { rank in
              entries.firstIndex { $0.rank > rank } ?? entries.count
            } ?? place(request.above).map { $0 + 1 }
          guard let start else { throw Page.Failure.outdatedCursor }
          wanted = start..<start + Self.pageSize
        case .before:
          let end =
            rank(request.cursor).map { rank in
              entries.firstIndex { $0.rank >= rank } ?? entries.count
            } ?? place(request.below)
          guard let end else { throw Page.Failure.outdatedCursor }
          wanted = max(0, end - Self.pageSize)..<end
        case .around(let item):
          guard let middle = place(item) else { throw Page.Failure.unknownPlace }
          wanted = max(0, middle - 2)..<middle + 2
        case .from: throw Page.Failure.outdatedCursor
        }
        let range = wanted.clamped(to: 0..<entries.count)
        let part = entries[range]
        let (first, last) = (part.first?.rank, part.last?.rank)
        state.log.append("answers \(part.map(\.id)) as of \(sequence)")
        return Page(
          items: part.map(\.item),
          before: range.lowerBound == 0 ? nil : first.map { "\($0)" } ?? request.cursor,
          after: range.upperBound == entries.count ? nil : last.map { "\($0)" } ?? request.cursor,
          sequence: sequence)
      }
    }

    /// Changes its list, and tells so in a line of its feed.
    func change(_ body: (inout [Entry], inout State) -> [String]) {
      state.withValue { state in
        var entries = state.entries
        let operations = body(&entries, &state)
        state.versions.append(entries)
        state.lines.append(
          #"{"t":"commit","list":"l","seq":"\#(state.lines.count + 1)","ops":["#
            + operations.joined(separator: ",") + "]}")
      }
    }

    static func deletion(_ id: String) -> String { #"{"op":"deleteItem","item":"\#(id)"}"# }

    static func insertion(at place: Int, of entries: [Entry]) -> String {
      let neighbour =
        place > 0
        ? #""after":"\#(entries[place - 1].id)""#
        : entries.count > 1 ? #""before":"\#(entries[1].id)""# : #""index":0"#
      return #"{"op":"insertItem","item":"\#(entries[place].id)","section":"items",\#(neighbour),"#
        + #""cell":"C","content":\#(entries[place].content)}"#
    }

    static func rank(at place: Int, in entries: [Entry]) -> Double {
      let before = place > 0 ? entries[place - 1].rank : (entries.first?.rank ?? 0) - 2
      let after = place < entries.count ? entries[place].rank : (entries.last?.rank ?? 0) + 2
      return (before + after) / 2
    }

    /// Moves an item behind another one, or to the start.
    func move(_ id: String, after neighbour: String?) {
      change { entries, _ in
        guard let from = entries.firstIndex(where: { $0.id == id }) else { return [] }
        var entry = entries.remove(at: from)
        let place = entries.firstIndex { $0.id == neighbour }.map { $0 + 1 } ?? 0
        entry.rank = Self.rank(at: place, in: entries)
        entries.insert(entry, at: place)
        return [Self.deletion(id), Self.insertion(at: place, of: entries)]
      }
    }

    /// Changes anything.
    func changeSomething() {
      change { entries, state in
        switch state.random.number(0..<10) {
        case 0..<2:
          let place = state.random.number(0..<entries.count + 1)
          state.made += 1
          entries.insert(
            Entry(
              id: "i\(state.made)", likes: 0, rank: Self.rank(at: place, in: entries)), at: place)
          return [Self.insertion(at: place, of: entries)]
        case 2 where entries.count > 1:
          return [Self.deletion(entries.remove(at: state.random.number(0..<entries.count)).id)]
        case 3..<8 where entries.count > 1:
          var entry = entries.remove(at: state.random.number(0..<entries.count))
          let place = state.random.number(0..<entries.count + 1)
          entry.rank = Self.rank(at: place, in: entries)
          if state.random.percent(30) { entry.likes += 1 }
          entries.insert(entry, at: place)
          return [Self.deletion(entry.id), Self.insertion(at: place, of: entries)]
        default:
          guard !entries.isEmpty else { return [] }
          let place = state.random.number(0..<entries.count)
          entries[place].likes += 1
          let entry = entries[place]
          return [#"{"op":"updateItem","item":"\#(entry.id)","content":\#(entry.content)}"#]
        }
      }
    }

    /// Hands out lines of its feed.
    func deliver(_ count: Int = .max) -> [String] {
      state.withValue { state in
        let lines = state.lines.dropFirst(state.deliveredCount).prefix(count)
        state.deliveredCount += lines.count
        for line in lines {
          let text = line.drop { $0 != "[" }
            .replacing(#""cell":"C","content":"#, with: "")
            .replacing(#""section":"items","#, with: "")
            .replacing(#""op":"#, with: "").replacing("\"", with: "")
          state.log.append("tells \(text)")
        }
        return Array(lines)
      }
    }

    /// What is wrong with a device's list that has had all lines: nothing if it is the server's, but for what
    /// its gaps stand for.
    func problem(of items: [Item]) -> String? {
      let entries = state.withValue { $0.entries }
      var (next, isInGap) = (0, false)
      for item in items {
        if item.state.isGap {
          isInGap = true
          continue
        }
        guard let place = entries.firstIndex(where: { $0.id == item.id.rawValue }) else {
          return "\(item.id) is gone"
        }
        if place < next { return "\(item.id) is too late" }
        if place > next, !isInGap { return "\(entries[next..<place].map(\.id)) are missing" }
        if item.state.content.text != entries[place].content { return "\(item.id) is old" }
        (next, isInGap) = (place + 1, false)
      }
      return next < entries.count && !isInGap ? "the end is missing" : nil
    }
  }

  private let folder: TemporaryFolder
  private var file: URL { folder.file("store.sqlite") }

  init() throws { folder = try TemporaryFolder() }

  private func apply(_ lines: [String], to repository: Repository) throws {
    if lines.isEmpty { return }
    let text = lines.joined(separator: "\n") + "\n"
    try repository.apply(FeedReader(file: folder.write(text, to: "feed.ndjson")))
  }

  private func items(_ repository: Repository) throws -> [Item] {
    try repository.tree(of: "l").sections.flatMap(\.items)
  }
  private func shown(_ repository: Repository) throws -> [String] {
    try items(repository).map { $0.state.isGap ? "gap" : $0.id.rawValue }
  }

  /// A list with a page that knows two lines which the list has not had: each moves an item.
  private func listWithAPageAhead() async throws -> (Repository, Server) {
    let server = Server(["a", "b", "c", "d", "e", "f", "g", "h", "i", "j"])
    let repository = try Repository(at: file)
    let list = repository.liveList("l", pages: server)
    server.state.withValue { $0.answering = 0 }
    try await list.refresh()
    // It is behind e when the first line is told, and behind d when the page is.
    server.move("j", after: "f")
    server.move("f", after: "d")
    server.state.withValue { $0.answering = 2 }
    let gap = try #require(try list.gaps().first)
    try await list.loadPage(of: gap)
    #expect(try shown(repository) == ["a", "b", "c", "d", "f", "e", "j", "g", "gap"])
    return (repository, server)
  }

  @Test func aPlaceBesideANeighbourThatMovedSinceIsThatOfThen() async throws {
    let (repository, server) = try await listWithAPageAhead()
    try apply(server.deliver(), to: repository)
    #expect(try shown(repository) == ["a", "b", "c", "d", "f", "e", "j", "g", "gap"])
    #expect(try repository.checkInvariants() == [])
  }

  @Test func whatAPageKnowsIsShownFromTheFirstLineOn() async throws {
    let (repository, server) = try await listWithAPageAhead()
    for _ in 1...2 {
      try apply(server.deliver(1), to: repository)
      #expect(try shown(repository) == ["a", "b", "c", "d", "f", "e", "j", "g", "gap"])
      #expect(try repository.checkInvariants() == [])
    }
  }

  @Test func itIsKeptWithTheStore() async throws {
    let (repository, server) = try await listWithAPageAhead()
    try repository.close()
    let again = try Repository(existing: file)
    try apply(server.deliver(1), to: again)
    try again.close()
    let third = try Repository(existing: file)
    #expect(try shown(third) == ["a", "b", "c", "d", "f", "e", "j", "g", "gap"])
    try apply(server.deliver(), to: third)
    #expect(try shown(third) == ["a", "b", "c", "d", "f", "e", "j", "g", "gap"])
  }

  @Test func aPageThatKnowsLessComesBelowThoseThatKnowMore() async throws {
    let server = Server((1...16).map { "i\($0)" })
    let repository = try Repository(at: file)
    let list = repository.liveList("l", pages: server)
    func answer(asOf version: Int) { server.state.withValue { $0.answering = version } }
    answer(asOf: 0)
    try await list.refresh()
    server.move("i4", after: "i7")
    server.move("i10", after: nil)
    server.move("i4", after: "i6")
    answer(asOf: 1)
    try await list.loadPage(of: #require(list.gaps().first))
    answer(asOf: 3)
    try await list.loadPage(of: #require(list.gaps().first))
    let before = try shown(repository)
    answer(asOf: 0)
    try await list.refresh()
    #expect(try shown(repository) == before)
  }

  @Test func whatTheAppChangesMeanwhileStays() async throws {
    let (repository, server) = try await listWithAPageAhead()
    try repository.commit(
      [.insertItem(Item(id: "own", cell: "C", content: "{}"), in: "items", at: .after("f"))],
      to: "l")
    try apply(server.deliver(), to: repository)
    #expect(try shown(repository).contains("own"))
    #expect(try Set(shown(repository)).count == 10)
    #expect(try repository.checkInvariants() == [])
  }

  @Test func whatIsErasedIsInNoPageThatIsKept() async throws {
    let (repository, _) = try await listWithAPageAhead()
    _ = try await repository.erase([.item("j", of: "l")])
    #expect(try !shown(repository).contains("j"))
    try repository.close()
    let rows = try await DatabaseQueue(path: file.path)
      .read { try Int.fetchOne($0, sql: "SELECT count(*) FROM pageAhead") }
    #expect(rows == 0)
  }

  @Test func aSnapshotIsTheWholeList() async throws {
    let (repository, server) = try await listWithAPageAhead()
    _ = server.deliver()
    try apply(
      [
        #"{"t":"snapshot","list":"l","seq":"2","sections":[{"id":"items","items":["#
          + #"{"id":"b","cell":"C","content":{}},{"id":"a","cell":"C","content":{}}]}]}"#
      ], to: repository)
    #expect(try shown(repository) == ["b", "a"])
    #expect(try repository.checkInvariants() == [])
  }

  private func expectNoError(
    of log: @autoclosure () -> String, _ body: () throws -> Void
  ) throws {
    do { try body() } catch {
      Issue.record("\(error)\n\(log())")
      throw error
    }
  }

  @Test(arguments: 0..<SeededGenerator.count(40))
  func aListIsTheServersOnceItHasAllLines(seed: Int) async throws {
    let server = Server((1...16).map { "i\($0)" }, seed: UInt64(seed))
    var random = SeededGenerator(seed: UInt64(seed) ^ 0xA5A5)
    var repository = try Repository(at: file)
    var list = repository.liveList("l", pages: server)
    func note() throws {
      let shown = try shown(repository).joined(separator: " ")
      server.state.withValue { $0.log.append(shown) }
    }
    var log: String { server.state.withValue { $0.log.joined(separator: "\n") } }
    for _ in 0..<random.number(0..<4) { server.changeSomething() }
    try await list.refresh()
    try note()
    for _ in 0..<random.number(5..<40) {
      if random.percent(5) {
        try repository.close()
        repository = try Repository(existing: file)
        list = repository.liveList("l", pages: server)
      }
      switch random.number(0..<10) {
      case 0..<4: server.changeSomething()
      case 4..<6:
        let lines = server.deliver(random.number(1..<4))
        try expectNoError(of: log) { try apply(lines, to: repository) }
        try note()
      case 6:
        _ = try? await list.refresh()
        try note()
      default:
        guard let gap = random.element(of: try list.gaps()) else { continue }
        let isFromAbove = random.percent(50)
        try? await list.loadPage(of: gap, fromAbove: isFromAbove)
        try note()
      }
    }
    let lines = server.deliver()
    try expectNoError(of: log) { try apply(lines, to: repository) }
    try note()
    #expect(try server.problem(of: items(repository)) == nil, "\(log)")
    // And once it has loaded the rest.
    for _ in 0..<20 {
      guard let gap = try list.gaps().first else { break }
      try await list.loadPage(of: gap)
      try note()
    }
    let all = server.state.withValue { $0.entries.map(\.id) }
    #expect(try shown(repository) == all, "\(log)")
    #expect(try repository.checkInvariants() == [])
  }
}
