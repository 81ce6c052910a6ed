import CellarUIKit
import Testing

/// When an adapter may update its view: every state with every event, paused and not.
@Suite struct UpdateStateTests {
  typealias Work = UpdateState.Work
  typealias Event = UpdateState.Event

  private static let works: [Work] = [[], .relayout, .advance, [.relayout, .advance], .reload]

  private static let states: [UpdateState] =
    [.idle]
    + works.flatMap { work -> [UpdateState] in
      let busy: [UpdateState] = [.updating(next: work), .reordering(next: work)]
      return work.isEmpty ? busy : busy + [.waiting(next: work)]
    }

  private struct Step: CustomTestStringConvertible {
    let state: UpdateState
    let event: Event
    let isPaused: Bool
    let next: UpdateState
    let answer: Work

    init(_ state: UpdateState, _ event: Event, isPaused: Bool = false) {
      self.state = state
      self.event = event
      self.isPaused = isPaused
      var next = state
      answer = next.handle(event, isPaused: isPaused)
      self.next = next
    }

    var testDescription: String {
      "\(state), \(event)\(isPaused ? ", paused" : "") -> \(next), \(answer)"
    }
  }

  private static let steps = states.flatMap { state in
    Event.allCases.flatMap { event in
      [false, true].map { Step(state, event, isPaused: $0) }
    }
  }

  /// The work that each event causes, as an adapter means it.
  private static func work(of event: Event) -> Work {
    switch event {
    case .commitArrived: .advance
    case .sizesChanged: .relayout
    case .itemUnreadable, .viewOutdated: .reload
    case .batchBegan, .batchEnded, .reorderBegan, .reorderEnded, .pauseEnded: []
    }
  }

  /// The name of a state's case.
  private static func name(_ state: UpdateState) -> String {
    switch state {
    case .idle: "idle"
    case .waiting: "waiting"
    case .updating: "updating"
    case .reordering: "reordering"
    }
  }

  // MARK: All steps

  @Test func noWorkIsLostOrInvented() {
    for step in Self.steps {
      let before = step.state.pending.union(Self.work(of: step.event))
      #expect(step.answer.union(step.next.pending) == before, "\(step.testDescription)")
      // Sizes that change don't bring a revision that waits.
      if step.event == .sizesChanged { continue }
      #expect(step.answer.isEmpty || step.next.pending.isEmpty, "\(step.testDescription)")
    }
  }

  @Test func nothingIsDoneDuringAPause() {
    for step in Self.steps where step.isPaused {
      #expect(step.answer.isEmpty, "\(step.testDescription)")
    }
  }

  @Test func aBusyViewIsLeftAloneUntilItHasFinished() {
    for step in Self.steps {
      let isEnd: Bool? =
        switch step.state {
        case .updating: step.event == .batchEnded
        case .reordering: step.event == .reorderEnded
        case .idle, .waiting: nil
        }
      guard let isEnd else { continue }
      #expect((Self.name(step.next) != Self.name(step.state)) == isEnd, "\(step.testDescription)")
      if !isEnd { #expect(step.answer.isEmpty, "\(step.testDescription)") }
      if isEnd, !step.isPaused { #expect(step.next == .idle, "\(step.testDescription)") }
    }
  }

  @Test func nothingWaitsWithoutWork() {
    for step in Self.steps { #expect(step.next != .waiting(next: []), "\(step.testDescription)") }
  }

  /// A row an event; the columns are the states after it of a view that is idle, and of one that
  /// waits.
  @Test(arguments: [
    (Event.commitArrived, "idle", "idle"), (.itemUnreadable, "waiting", "waiting"),
    (.viewOutdated, "idle", "idle"),
    (.batchBegan, "updating", "updating"), (.batchEnded, "idle", "idle"),
    (.reorderBegan, "reordering", "reordering"), (.reorderEnded, "idle", "idle"),
    (.pauseEnded, "idle", "idle"),
  ]) func aFreeViewGoesTo(_ event: Event, _ fromIdle: String, _ fromWaiting: String) {
    for step in Self.steps where step.event == event && !step.isPaused {
      switch step.state {
      case .idle: #expect(Self.name(step.next) == fromIdle, "\(step.testDescription)")
      case .waiting: #expect(Self.name(step.next) == fromWaiting, "\(step.testDescription)")
      case .updating, .reordering: continue
      }
    }
  }

  @Test func otherSizesBringNoRevision() {
    for step in Self.steps where step.event == .sizesChanged && !step.isPaused {
      switch step.state {
      case .idle, .waiting(next: .relayout): #expect(step.next == .idle, "\(step.testDescription)")
      case .waiting: #expect(step.next == step.state, "\(step.testDescription)")
      case .updating, .reordering: continue
      }
      #expect(step.answer == .relayout, "\(step.testDescription)")
    }
  }

  // MARK: Stories

  @Test func commitsDuringABatchAreOneUpdateAfterIt() {
    var state = UpdateState.idle
    #expect(state.handle(.commitArrived, isPaused: false) == .advance)
    #expect(state.handle(.batchBegan, isPaused: false) == [])
    #expect(state.handle(.commitArrived, isPaused: false) == [])
    #expect(state.handle(.commitArrived, isPaused: false) == [])
    #expect(state.handle(.batchEnded, isPaused: false) == .advance)
    #expect(state == .idle)
  }

  @Test func aDragThatBeginsDuringABatchHoldsTheNextUpdateBack() {
    var state = UpdateState.updating(next: [])
    #expect(state.handle(.sizesChanged, isPaused: true) == [])
    #expect(state.handle(.batchEnded, isPaused: true) == [])
    #expect(state.handle(.pauseEnded, isPaused: true) == [])
    #expect(state.handle(.pauseEnded, isPaused: false) == .relayout)
  }

  @Test func aDropThatDiffersFromTheStoreIsReloadedOnceTheViewHasFinishedIt() {
    var state = UpdateState.idle
    #expect(state.handle(.reorderBegan, isPaused: false) == [])
    #expect(state.handle(.viewOutdated, isPaused: false) == [])
    #expect(state.handle(.commitArrived, isPaused: false) == [])
    #expect(state.handle(.reorderEnded, isPaused: false) == .reload)
    #expect(state == .idle)
  }

  @Test func aDropDuringABatchIsReloadedAfterTheBatch() {
    var state = UpdateState.updating(next: [])
    #expect(state.handle(.reorderBegan, isPaused: false) == [])
    #expect(state.handle(.viewOutdated, isPaused: false) == [])
    #expect(state.handle(.reorderEnded, isPaused: false) == [])
    #expect(state.handle(.batchEnded, isPaused: false) == .reload)
  }

  @Test func anUnreadableItemIsAskedForAgainWithTheNextUpdate() {
    var state = UpdateState.idle
    #expect(state.handle(.itemUnreadable, isPaused: false) == [])
    #expect(state.handle(.itemUnreadable, isPaused: false) == [])
    #expect(state.pending == .reload)
    #expect(state.handle(.commitArrived, isPaused: false) == .reload)
  }
}
