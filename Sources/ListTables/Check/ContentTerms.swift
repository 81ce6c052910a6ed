import GRDB
import ListModel

/// Computes what states contribute to digests, from the bytes of their contents.
///
/// Looking each content up takes several times as long as reading all of them in the order of
/// their rows. So states are noted, and many of them are computed at once.
final class ContentTerms {
  private struct State {
    var content: Int
    /// See `StateDigest.seed`.
    var seed: UInt64
    var slot: Int
  }

  private let statements: Statements
  /// How many contents the store has.
  private let rowCount: Int
  private var states: [State] = []
  /// The sums of the terms of the states that were noted for each slot; the first one is of those
  /// whose terms nobody asks for.
  private(set) var sums: [UInt64] = [0]
  /// The contents that were read.
  private(set) var contents = RowSet()
  private var knownTypes: Set<UInt64> = []

  /// As many states as are noted before they are computed; they take 50 MB.
  static let limit = 1 << 21

  init(_ statements: Statements) throws {
    self.statements = statements
    rowCount = try statements("SELECT count(*) FROM content").first { try $0.integer(0) } ?? 0
  }

  /// Whether the states must be computed before more are noted.
  var isFull: Bool { states.count >= Self.limit }
  /// Whether all contents of the store were read.
  var areAllRead: Bool { contents.count == rowCount }

  /// A new sum, which is 0.
  func makeSlot() -> Int {
    sums.append(0)
    return sums.count - 1
  }

  func removeSlots(from slot: Int) { sums.removeSubrange(slot...) }

  /// Notes a state for a slot that has others, too.
  func note(content: Int, seed: UInt64, slot: Int) {
    states.append(State(content: content, seed: seed, slot: slot))
  }

  /// Notes a state for a new slot.
  func note(content: Int, seed: UInt64) {
    note(content: content, seed: seed, slot: makeSlot())
  }

  /// Notes a content that something names.
  func noteUse(of content: Int) { note(content: content, seed: 0, slot: 0) }

  /// Reads the contents of the noted states and adds their terms.
  ///
  /// - Throws: ``StoreProof/Unproven`` if a content is missing or invalid.
  func compute() throws {
    states.sort { $0.content < $1.content }
    guard let first = states.first?.content, let last = states.last?.content else { return }
    var next = 0
    // A search takes as long as some steps.
    if states.count > rowCount / 8 {
      try statements("SELECT id, type, action, content FROM content WHERE id BETWEEN ? AND ?")
        .forEach(first, last) { row in try add(row, &next) }
    } else {
      let search = try statements("SELECT id, type, action, content FROM content WHERE id = ?")
      while next < states.count {
        let place = next
        try search.first(states[place].content) { row in try add(row, &next) }
        guard next > place else { throw StoreProof.Unproven() }
      }
    }
    guard next == states.count else { throw StoreProof.Unproven() }
    states.removeAll(keepingCapacity: true)
  }

  /// Adds the terms of the states that have a content.
  private func add(_ row: StatementRow, _ next: inout Int) throws {
    let id = try row.integer(0)
    guard next < states.count, states[next].content == id else { return }
    try row.withBytes(3) { content in
      try row.withBytesIfPresent(1) { type in
        try row.withBytesIfPresent(2) { action in
          if contents.insert(id) { try check(type, action, content) }
          while next < states.count, states[next].content == id {
            sums[states[next].slot] &+= StateDigest.term(
              states[next].seed, type: type, action: action, content: content)
            next += 1
          }
        }
      }
    }
  }

  private func check(
    _ type: UnsafeRawBufferPointer?, _ action: UnsafeRawBufferPointer?,
    _ content: UnsafeRawBufferPointer
  ) throws {
    guard JSON.accepts(content) else { throw StoreProof.Unproven() }
    if let action { _ = try Action(stored: action) }
    if let type, knownTypes.insert(XXHash64.hash(type)).inserted {
      guard try TypeName(String(decoding: type, as: UTF8.self)).rawValue.utf8.elementsEqual(type)
      else { throw StoreProof.Unproven() }
    }
  }
}
