import Cellar
import FeedClient
import Foundation
import SimulatedSystem

/// A device: a disk, a network, and the processes of its app.
@MainActor final class Device {
  let name: String
  let setting: Schedule.DeviceSetting
  let server: any ListServer
  /// The server of a user's mail.
  let mail: MailServer
  private let disk: SimulatedDisk
  /// Decides what the network and the server do with what comes from here.
  var random: Randomness
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

  var store: URL { disk.folder.appendingPathComponent("store.sqlite") }

  /// `powerMayFail`: Whether it is noted what a power failure would leave.
  init(
    _ setting: Schedule.DeviceSetting, server: any ListServer, in parent: URL, seed: UInt64,
    powerMayFail: Bool
  ) throws {
    name = setting.name
    self.setting = setting
    self.server = server
    mail = MailServer(seed: seed)
    random = Randomness(seed: seed ^ UInt64(setting.name.utf8.first ?? 0) &* 0x9E37_79B9)
    disk = try SimulatedDisk(
      setting.name, in: parent, seed: powerMayFail ? random.next() : nil)
    // Some make their tables themselves, amid whatever happens.
    if seed % 8 != 0, !World.emptyStore.isEmpty { try World.emptyStore.write(to: store) }
  }

  /// A name that no other item has.
  func newName() -> String {
    lastName += 1
    return "\(name)\(lastName)x"
  }

  // MARK: The disk

  /// Has calls of the disk fail.
  func failDisk(_ number: UInt64, isFull: Bool) {
    isTroubled = true
    disk.fail(number, isFull: isFull)
  }

  func healDisk() { disk.heal() }

  /// Everything has come to rest since the disk was healed.
  func forgetTrouble() { isTroubled = false }

  /// The power fails: what was not synced may be lost, torn and out of order.
  ///
  /// The device's processes must have been ended before.
  func failPower() throws {
    // What nobody has opened since the last time is as it was then.
    guard hasRun else { return }
    try disk.failPower(nextSeed: random.next())
    hasRun = false
    if !setting.isFull {
      for edit in edits.keys { edits[edit] = true }
      for edit in mailEdits.keys { mailEdits[edit] = true }
    }
    notes.powerFailed(losesNothing: setting.isFull)
    if !setting.isFull, !searched.isEmpty { searched = Set(SearchWord.allCases) }
  }

  func end() { disk.end() }

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
  func doubled(_ lines: [String]) -> [String] {
    guard network == .lossy else { return lines }
    return lines.flatMap { line -> [String] in
      switch random.below(100) {
      case 0..<20: return [line, line]
      case 20..<25 where !line.contains(#""t":"reset""#): return []
      default: return [line]
      }
    }
  }

  func askMail(_ request: PageRequest) throws -> Page { try mail.page(request) }

  func takeMail(_ edit: Repository.PendingEdit) -> Bool {
    guard let operations = ModelList.operations(of: edit) else { return false }
    return mail.take(edit.id, operations)
  }

  /// Brings a request to the server, and an edit sometimes once more later.
  func deliver(_ request: FeedClient.Request, from process: Int) async throws -> ServerAnswer {
    if let body = request.body {
      if network == .lossy, random.percent(30) { late.append(body) }
      if random.percent(50) { deliverLate() }
    }
    return try await server.answer(request, of: self, from: process)
  }

  /// Counts the answers that nothing keeps from an edit: one that has its answer is not sent again.
  func noteAnswer(to body: Data, _ process: Int) {
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
    for body in late { server.takeLate(body, of: self) }
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
