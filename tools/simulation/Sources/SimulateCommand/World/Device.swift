import Cellar
import FaultVFS
import Foundation
import SimulatedSystem

/// A device: a disk, a network, and the processes of its app.
@MainActor final class Device {
  let name: String
  let setting: Schedule.DeviceSetting
  let server: FeedServer
  /// The server of a user's mail.
  let mail: MailServer
  let folder: URL
  private let images: URL
  private let powerMayFail: Bool
  private var scope: OpaquePointer?
  private var random: Randomness
  /// Whether a process has run since the power came back.
  var hasRun = false

  var network = NetworkState.good
  /// Requests that are still on their way, although they were answered.
  private var late: [Data] = []
  private var answers: [String: Int] = [:]
  /// An edit that was sent again and again, although it was answered.
  private(set) var resent: String?

  /// The app, if it runs.
  var app: AppProcess?
  /// Whether calls of the disk have failed since the last rest: errors are no surprise then.
  private(set) var isTroubled = false

  /// The edits for the server that were acknowledged to the user, and whether the disk may have lost
  /// them since.
  var edits: [String: Bool] = [:]
  var notes = NotesModel()
  /// Mails that the user has deleted here, whatever the server says.
  var deletedMails: Set<String> = []
  /// The edits of mails that were acknowledged to the user, and whether the disk may have lost them.
  var mailEdits: [String: Bool] = [:]
  /// What the search field may have in it; several while it is not known which.
  var searched: Set<SearchWord> = []
  private var lastName = 0

  var store: URL { folder.appendingPathComponent("store.sqlite") }

  /// `powerMayFail`: Whether it is noted what a power failure would leave.
  init(
    _ setting: Schedule.DeviceSetting, server: FeedServer, in parent: URL, seed: UInt64,
    powerMayFail: Bool
  ) throws {
    self.powerMayFail = powerMayFail
    name = setting.name
    self.setting = setting
    self.server = server
    mail = MailServer(seed: seed)
    folder = parent.appendingPathComponent(setting.name)
    images = parent.appendingPathComponent(setting.name + "-images")
    random = Randomness(seed: seed ^ UInt64(setting.name.utf8.first ?? 0) &* 0x9E37_79B9)
    for url in [folder, images] {
      try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    }
    // Some make their tables themselves, amid whatever happens.
    if seed % 8 != 0, !World.emptyStore.isEmpty { try World.emptyStore.write(to: store) }
    mount()
  }

  /// A name that no other item has.
  func newName() -> String {
    lastName += 1
    return "\(name)\(lastName)x"
  }

  // MARK: The disk

  private func mount() {
    scope = fault_scope_begin(folder.path + "/", false)
    if powerMayFail { fault_scope_record(scope, images.path, 0, random.next()) }
    hasRun = false
  }

  /// Has calls of the disk fail.
  func failDisk(_ number: UInt64, isFull: Bool) {
    var random = Randomness(seed: number)
    let kinds: [Int] =
      isFull
      ? [FAULT_WRITE | FAULT_CREATE | FAULT_MAP]
      : [
        FAULT_READ, FAULT_WRITE, FAULT_SYNC, FAULT_TRUNCATE, FAULT_WRITE | FAULT_SYNC,
        FAULT_OPEN | FAULT_CREATE, FAULT_INDEX_LOCK,
      ]
    isTroubled = true
    fault_scope_arm(
      scope,
      FaultPlan(
        kinds: UInt32(kinds[random.below(kinds.count)]), first: Int64(1 + random.below(20)),
        lasts: isFull || random.percent(50), isShort: random.percent(20),
        systemError: isFull ? ENOSPC : EIO, result: 0))
  }

  func healDisk() { fault_scope_disarm(scope) }

  /// Everything has come to rest since the disk was healed.
  func forgetTrouble() { isTroubled = false }

  /// The power fails: what was not synced may be lost, torn and out of order.
  ///
  /// The device's processes must have been ended before.
  func failPower() throws {
    // What nobody has opened since the last time is as it was then.
    guard hasRun else { return }
    let cut = fault_scope_cut(scope)
    fault_scope_end(scope)
    for file in try FileManager.default.contentsOfDirectory(
      at: folder, includingPropertiesForKeys: nil)
    {
      try FileManager.default.removeItem(at: file)
    }
    let image = images.appendingPathComponent("\(cut)")
    for file in try FileManager.default.contentsOfDirectory(
      at: image, includingPropertiesForKeys: nil)
    {
      try FileManager.default.copyItem(
        at: file, to: folder.appendingPathComponent(file.lastPathComponent))
    }
    try FileManager.default.removeItem(at: image)
    mount()
    if !setting.isFull {
      for edit in edits.keys { edits[edit] = true }
      for edit in mailEdits.keys { mailEdits[edit] = true }
    }
    notes.powerFailed(losesNothing: setting.isFull)
    if !setting.isFull, !searched.isEmpty { searched = Set(SearchWord.allCases) }
  }

  func end() { fault_scope_end(scope) }

  // MARK: The network

  enum Fate {
    case arrives(milliseconds: Int)
    case fails(milliseconds: Int)
    case never
  }

  enum Part {
    case travel
  }

  func fate(of part: Part) -> Fate {
    switch network {
    case .good: return .arrives(milliseconds: 2 + random.below(30))
    case .slow: return .arrives(milliseconds: 200 + random.below(20_000))
    case .down: return .fails(milliseconds: 1)
    case .halfOpen: return random.percent(50) ? .never : .arrives(milliseconds: random.below(50))
    case .lossy:
      let time = random.below(500)
      return random.percent(30) ? .fails(milliseconds: time) : .arrives(milliseconds: time)
    }
  }

  /// Whether the next body breaks off.
  var breaksAnswers: Bool { network == .lossy && random.percent(30) }

  /// The lines of an answer as they arrive: some twice, some not at all.
  func doubled(_ lines: [FeedServer.Line]) -> [FeedServer.Line] {
    guard network == .lossy else { return lines }
    return lines.flatMap { line -> [FeedServer.Line] in
      switch random.below(100) {
      case 0..<20: return [line, line]
      case 20..<25 where line.sequence > 0: return []
      default: return [line]
      }
    }
  }

  func askMail(_ request: PageRequest) throws -> Page { try mail.page(request) }

  func takeMail(_ edit: Repository.PendingEdit) -> Bool {
    guard let operations = ModelList.operations(of: edit) else { return false }
    return mail.take(edit.id, operations)
  }

  /// How many lines the server has ever written.
  var lineCount: Int { server.lineCount }

  /// Signals to a process that the server has written more lines.
  func changes(after lineCount: Int, for process: Int) -> AsyncStream<Void> {
    server.changes(after: lineCount, for: process)
  }

  func ask(_ query: FeedServer.Query) -> FeedServer.Answer { server.answer(to: query) }

  /// Brings an edit to the server, and sometimes once more later.
  func deliver(_ body: Data, from process: Int) -> FeedServer.Answer {
    if network == .lossy, random.percent(30) { late.append(body) }
    if random.percent(50) { deliverLate() }
    noteAnswer(to: body, process)
    return server.take(body, &random)
  }

  /// Counts the answers that nothing keeps from an edit: one that has its answer is not sent again.
  private func noteAnswer(to body: Data, _ process: Int) {
    // An app that is about to be stopped can't note it.
    guard network == .good, !isTroubled, app?.isSuspended != true,
      let edit = jsonMembers(body)?["edit"] as? String
    else {
      return
    }
    answers["\(edit) to \(process)", default: 0] += 1
    // The last two may be on their way, or meet a store that is suspended.
    if answers["\(edit) to \(process)", default: 0] > 3 { resent = edit }
  }

  /// The edits that an app has tried to send.
  private var sent: Set<String> = []

  func noteAttempt(_ body: Data) {
    if let edit = jsonMembers(body)?["edit"] as? String { sent.insert(edit) }
  }

  func hasSent(_ edit: String) -> Bool { sent.contains(edit) }

  func deliverLate() {
    for body in late { _ = server.take(body, &random) }
    late = []
  }
}

/// What the list of notes must be: it is edited by one app and no server, with undo.
struct NotesModel {
  struct State {
    var revision = 0
    var list = ModelList()
    var undo: [ModelList] = []
    var redo: [ModelList] = []
  }

  /// All states there were, by revision.
  private var states: [State] = [State()]
  /// What the last edit would have led to; `nil` if it is known what became of it.
  private var uncertain: State?
  /// How far back a power failure may have thrown the list.
  private var least = 0

  var current: State { states[states.count - 1] }
  var isCertain: Bool { uncertain == nil && least == current.revision }

  mutating func acknowledge(_ state: State) {
    states.append(state)
    uncertain = nil
    least = state.revision
  }

  /// The call failed or the process ended: nobody knows whether the edit was made.
  mutating func doubt(_ state: State) { uncertain = state }

  mutating func powerFailed(losesNothing: Bool) { if !losesNothing { least = 0 } }

  /// Compares with what a store has.
  ///
  /// - Returns: What is wrong; `nil` if nothing is.
  mutating func match(revision: Int, _ list: ModelList) -> String? {
    if let uncertain, uncertain.revision == revision {
      states.append(uncertain)
    } else if revision < least || revision > current.revision {
      return "revision \(revision), and \(least)...\(current.revision) were acknowledged"
    }
    self.uncertain = nil
    states.removeLast(current.revision - revision)
    least = revision
    if current.list == list { return nil }
    return "revision \(revision) is\n\(list.text)\nand must be\n\(current.list.text)"
  }
}
