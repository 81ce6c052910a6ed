import RelayEngine
import RelaySupport
import Testing

/// What both engines promise, in the same words.
@Suite struct EngineContractTests {
  @Test(arguments: TestEngine.available)
  func linesAreThereAsTheyWereAppended(_ kind: TestEngine) async throws {
    let engine = try await kind.make()
    let lines = (1...5).map { line($0, "é \u{1F600} \\u0000 \($0)", edit: "e\($0)", of: "ann") }
    #expect(try await engine.append(LogBatch(to: "a", after: nil, lines, at: 1)) == .appended)
    #expect(try await engine.lines(of: "a", after: 0, byteCount: .max) == lines)
    #expect(try await engine.lines(of: "a", after: 3, byteCount: .max) == Array(lines[3...]))
    #expect(try await engine.lines(of: "a", after: 0, byteCount: 0).count == 1)
    #expect(try await engine.lines(of: "b", after: 0, byteCount: .max) == [])
    let head = try await engine.heads(of: ["a", "b"])
    #expect(head.keys.sorted() == ["a"])
    #expect(head["a"]?.position == lines.last?.position)
    #expect(head["a"]?.byteCount == lines.reduce(0) { $0 + $1.text.count })
    await engine.close()
  }

  @Test(arguments: TestEngine.available)
  func aBatchThatFollowsAnotherEndIsNotAppended(_ kind: TestEngine) async throws {
    let engine = try await kind.make()
    let (one, two) = (line(1, "one"), line(2, "two"))
    #expect(try await engine.append(LogBatch(to: "a", after: nil, [one, two], at: 1)) == .appended)
    let wrong: [LogPosition?] = [
      nil, one.position, LogPosition(3, two.position.hash), LogPosition(2, one.position.hash),
    ]
    for position in wrong {
      let batch = LogBatch(to: "a", after: position, [line(3, "three")], at: 1)
      #expect(try await engine.append(batch) == .behind(two.position))
    }
    let early = LogBatch(to: "new", after: two.position, [line(3, "three")], at: 1)
    #expect(try await engine.append(early) == .behind(nil))
    #expect(try await engine.lines(of: "a", after: 0, byteCount: .max).count == 2)
    await engine.close()
  }

  @Test(arguments: TestEngine.available)
  func anEditIsThereOnceAndKeepsItsAnswer(_ kind: TestEngine) async throws {
    let engine = try await kind.make()
    let first = line(1, "one", edit: "e", of: "ann")
    #expect(try await engine.append(LogBatch(to: "a", after: nil, [first], at: 1)) == .appended)
    let (ann, bob) = (EditKey("e", of: "ann"), EditKey("e", of: "bob"))
    let again = LogBatch(
      to: "a", after: first.position, [line(2, "two", edit: "e", of: "ann")], at: 1)
    #expect(try await engine.append(again) == .known([ann: .taken(1)]))
    #expect(try await engine.refuse(ann, of: "a", why: "late", at: 1) == .taken(1))
    // Another one's edit of the same id is another edit.
    #expect(try await engine.refuse(bob, of: "a", why: "no", at: 1) == .refused("no"))
    #expect(try await engine.refuse(bob, of: "a", why: "never", at: 1) == .refused("no"))
    let refused = LogBatch(
      to: "a", after: first.position, [line(2, "two", edit: "e", of: "bob")], at: 1)
    #expect(try await engine.append(refused) == .known([bob: .refused("no")]))
    #expect(
      try await engine.answers(to: [ann, bob, EditKey("f")], of: "a")
        == [ann: .taken(1), bob: .refused("no")])
    await engine.close()
  }

  @Test(arguments: TestEngine.available)
  func appendsOfManyAtOnceLeaveNoGapAndNoneTwice(_ kind: TestEngine) async throws {
    let engine = try await kind.make()
    // Eight writers at four lists; each looks where the list ends, and tries until it is right.
    try await withThrowingTaskGroup(of: Void.self) { group in
      for writer in 0..<8 {
        group.addTask {
          var known: [String: LogPosition] = [:]
          for number in 0..<20 {
            let list = "list \((writer + number) % 4)"
            let id = "\(writer).\(number)"
            while true {
              let next = line((known[list]?.sequence ?? 0) + 1, id, edit: id)
              let batch = LogBatch(to: list, after: known[list], [next], at: 1)
              let outcome = try await engine.append(batch)
              if case .behind(let end) = outcome {
                known[list] = end
                continue
              }
              #expect(outcome == .appended)
              known[list] = next.position
              break
            }
          }
        }
      }
      try await group.waitForAll()
    }
    var edits: [String] = []
    for list in 0..<4 {
      let lines = try await engine.lines(of: "list \(list)", after: 0, byteCount: .max)
      #expect(lines.map(\.position.sequence) == Array(1...40))
      edits += lines.compactMap(\.edit?.id)
    }
    #expect(edits.count == 160 && Set(edits).count == 160)
    await engine.close()
  }

  @Test(arguments: TestEngine.available)
  func linesAreDroppedOnlyForASnapshotThatIsThere(_ kind: TestEngine) async throws {
    let engine = try await kind.make()
    let lines = (1...10).map { line($0, "line \($0)", edit: $0 == 2 ? "old" : nil) }
    #expect(try await engine.append(LogBatch(to: "a", after: nil, lines, at: 1)) == .appended)
    let snapshot = LogSnapshot(line(8, "whole").position, text: Array("whole".utf8))
    #expect(
      try await !engine.drop("a", through: 7, for: snapshot.position, answersBefore: 0))
    #expect(
      try await engine.put(snapshot, standingFor: lines[7].position, of: "a", at: 1))
    #expect(try await engine.snapshot(of: "a") == snapshot)
    #expect(
      try await !engine.drop("a", through: 8, for: snapshot.position, answersBefore: 0))
    #expect(try await engine.drop("a", through: 3, for: snapshot.position, answersBefore: 0))
    #expect(try await engine.drop("a", through: 6, for: snapshot.position, answersBefore: 2))
    #expect(try await engine.lines(of: "a", after: 0, byteCount: .max) == Array(lines[6...]))
    let head = try await engine.heads(of: ["a"])["a"]
    #expect(head?.floor == 6)
    #expect(head?.byteCount == lines[6...].reduce(0) { $0 + $1.text.count })
    // What was dropped is still known as what was there.
    for line in lines {
      #expect(try await engine.knows(line.position, of: "a"))
      let other = LogPosition(line.position.sequence, snapshot.position.hash)
      #expect(try await engine.knows(other, of: "a") == (line.position.sequence == 8))
    }
    #expect(try await engine.answers(to: [EditKey("old")], of: "a") == [:])
    // A later snapshot takes the place of an earlier one, whose position stays known.
    let later = LogSnapshot(line(10, "later").position, text: Array("later".utf8))
    #expect(
      try await engine.put(later, standingFor: lines[9].position, of: "a", at: 2))
    #expect(try await engine.snapshot(of: "a") == later)
    #expect(try await engine.knows(snapshot.position, of: "a"))
    #expect(try await !engine.drop("a", through: 7, for: snapshot.position, answersBefore: 0))
    // Beyond the end; and of a line that the log has not, as after the list was made anew.
    let beyond = line(11, "beyond").position
    #expect(
      try await !engine.put(
        LogSnapshot(beyond, text: []), standingFor: beyond, of: "a", at: 1))
    let other = LogSnapshot(line(9, "other").position, text: Array("other".utf8))
    #expect(
      try await !engine.put(other, standingFor: line(9, "ghost").position, of: "a", at: 1))
    #expect(try await engine.snapshot(of: "a") == later)
    await engine.close()
  }

  @Test(arguments: TestEngine.available)
  func everyAppendIsHeardByOtherNodes(_ kind: TestEngine) async throws {
    let engine = try await kind.make()
    var cursor = try await engine.moved(since: nil).cursor
    var heard: Set<TextKey> = []
    try await withThrowingTaskGroup(of: Void.self) { group in
      for list in 0..<200 {
        group.addTask {
          _ = try await engine.append(LogBatch(to: "l\(list)", after: nil, [line(1, "x")], at: 1))
        }
      }
      for _ in 0..<20 {
        let moved = try await engine.moved(since: cursor)
        #expect(heard.isDisjoint(with: moved.lists.keys))
        heard.formUnion(moved.lists.keys)
        cursor = moved.cursor
      }
      try await group.waitForAll()
    }
    let last = try await engine.moved(since: cursor)
    heard.formUnion(last.lists.keys)
    #expect(last.lists.values.allSatisfy { $0 == line(1, "x").position })
    #expect(heard == Set((0..<200).map { TextKey("l\($0)") }))
    #expect(try await engine.delete("l7", at: nil) == .deleted)
    #expect(try await engine.moved(since: last.cursor).lists == ["l7": LogPosition?.none])
    #expect(try await engine.moved(since: engine.moved(since: nil).cursor).lists == [:])
    // Of transactions, and of entries, that are not there.
    for cursor in ["00000001.1000000:1000000:", "1000000.1"] {
      let error = await #expect(throws: EngineError.self) { try await engine.moved(since: cursor) }
      #expect(error?.code == .unknownCursor)
    }
    await engine.close()
  }

  @Test(arguments: TestEngine.available)
  func aDeletedListBeginsAnew(_ kind: TestEngine) async throws {
    let engine = try await kind.make()
    let first = line(1, "one", edit: "e")
    _ = try await engine.append(LogBatch(to: "a", after: nil, [first], at: 1))
    #expect(try await engine.delete("a", at: line(1, "two").position) == .behind(first.position))
    #expect(try await engine.knows(first.position, of: "a"))
    #expect(try await engine.delete("a", at: first.position) == .deleted)
    #expect(try await engine.delete("a", at: nil) == .missing)
    #expect(try await !engine.knows(first.position, of: "a"))
    #expect(try await engine.append(LogBatch(to: "a", after: nil, [first], at: 1)) == .appended)
    #expect(try await engine.lists(after: nil, limit: 10).map(\.list) == ["a"])
    await engine.close()
  }

  @Test(arguments: TestEngine.available)
  func listsAreInTheOrderOfTheirBytes(_ kind: TestEngine) async throws {
    let engine = try await kind.make()
    for id in ["b", "a", "é", "Z", "a/b"] {
      _ = try await engine.append(LogBatch(to: id, after: nil, [line(1, "x")], at: 1))
    }
    #expect(
      try await engine.lists(after: nil, limit: 3).map(\.list) == ["Z", "a", "a/b"])
    #expect(try await engine.lists(after: "a/b", limit: 3).map(\.list) == ["b", "é"])
    await engine.close()
  }

  /// As Swift's strings, the two are equal.
  @Test(arguments: TestEngine.available)
  func idsAreEqualIfTheirBytesAre(_ kind: TestEngine) async throws {
    let engine = try await kind.make()
    let (composed, apart) = ("\u{E9}", "e\u{301}")
    try await withThrowingTaskGroup(of: AppendOutcome.self) { group in
      for list in [composed, apart] {
        let lines = [line(1, list, edit: composed), line(2, list, edit: apart)]
        group.addTask { try await engine.append(LogBatch(to: list, after: nil, lines, at: 1)) }
      }
      for try await outcome in group { #expect(outcome == .appended) }
    }
    let edits = [EditKey(composed), EditKey(apart), EditKey("x", of: composed)]
    #expect(
      try await engine.answers(to: edits, of: apart) == [edits[0]: .taken(1), edits[1]: .taken(2)])
    let heads = try await engine.heads(of: [composed, apart])
    #expect(heads.count == 2 && heads[TextKey(apart)]?.position == line(2, apart).position)
    #expect(try await engine.lists(after: nil, limit: 9).map { Array($0.list.utf8) }.count == 2)
    await engine.close()
  }

  @Test(arguments: TestEngine.available)
  func workIsHandedOutAgainUnlessItIsFinished(_ kind: TestEngine) async throws {
    let engine = try await kind.make()
    let text = String(repeating: "x", count: 70_000)
    _ = try await engine.append(LogBatch(to: "big", after: nil, [line(1, text)], at: 1))
    _ = try await engine.append(LogBatch(to: "small", after: nil, [line(1, "x")], at: 1))
    #expect(try await engine.takeWork(limit: 10, at: 100, lease: 50) == ["big"])
    #expect(try await engine.takeWork(limit: 10, at: 149, lease: 50) == [])
    #expect(try await engine.takeWork(limit: 10, at: 150, lease: 50) == ["big"])
    try await engine.postponeWork(on: "big", until: 300)
    #expect(try await engine.takeWork(limit: 10, at: 299, lease: 50) == [])
    #expect(try await engine.takeWork(limit: 10, at: 300, lease: 50) == ["big"])
    try await engine.finishWork(on: "big")
    #expect(try await engine.takeWork(limit: 10, at: 500, lease: 50) == [])
    await engine.close()
  }

  @Test(arguments: TestEngine.available)
  func aTokenIsRevokedUntilItsTime(_ kind: TestEngine) async throws {
    let engine = try await kind.make()
    try await engine.revoke("t", until: 100)
    try await engine.revoke("t", until: 50)
    try await engine.revoke("u", until: 60)
    #expect(try await engine.revocations(at: 59) == ["t", "u"])
    #expect(try await engine.revocations(at: 60) == ["t"])
    try await engine.tidy(at: 100)
    #expect(try await engine.revocations(at: 0) == [])
    await engine.close()
  }
}

func line(
  _ sequence: Int, _ text: String, edit: String? = nil, of subject: String = ""
) -> LogLine {
  // Any bytes do for a hash here.
  var hash = Array(text.utf8.prefix(16))
  hash += repeatElement(UInt8(truncatingIfNeeded: sequence), count: 16 - hash.count)
  return LogLine(
    LogPosition(sequence, hash), text: Array(text.utf8), edit: edit.map { EditKey($0, of: subject) }
  )
}
