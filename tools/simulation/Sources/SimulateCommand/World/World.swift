import Cellar
import CellarUIKit
import Foundation
import HeadlessUIKit
import SimulatedSystem

/// A server, its devices and what happens to them, from the first step of a schedule to the last.
@MainActor final class World {
  let server: any ListServer
  private(set) var devices: [Device] = []
  private let schedule: Schedule
  private let folder: URL
  private var violation: Violation?
  private let processes = Processes()
  private var lastFrame: Int64 = -1
  /// How much work had run at the last frame, after which a step has done nothing yet.
  private var workAtFrame: Int64 = -1
  private(set) var step = 0

  /// Apps of processes that were ended.
  ///
  /// Nothing of them may run any more, not even a `deinit`.
  private static var graveyard: [AppProcess] = []
  private static var killedRepositories: [Repository] = []

  /// The outcome of a run.
  struct Outcome {
    var violation: Violation?
    /// The number of the step before which it was found.
    var step: Int
    /// What identifies all that has happened.
    var trace: UInt64
    var work: Int64
    var milliseconds: Int64
  }

  private init(_ schedule: Schedule, in folder: URL) throws {
    self.schedule = schedule
    self.folder = folder
    func powerMayFail(of subject: String) -> Bool {
      schedule.steps.contains { $0.subject == subject && $0.verb == .power }
    }
    server =
      if let count = schedule.relayNodes {
        try RelayHost(
          nodeCount: count, in: folder, seed: schedule.seed,
          powerMayFail: powerMayFail(of: "server"), newProcess: processes.new)
      } else {
        FeedServer()
      }
    for setting in schedule.devices {
      devices.append(
        try Device(
          setting, server: server, in: folder, seed: schedule.seed,
          powerMayFail: powerMayFail(of: setting.name)))
    }
  }

  /// The bytes of a store without lists.
  private(set) static var emptyStore = Data()

  /// Makes a store that most devices of later runs begin with: its tables take long to make.
  static func makeEmptyStore(in folder: URL) throws {
    let file = folder.appendingPathComponent("empty.sqlite")
    simulation_begin(1)
    defer { simulation_end() }
    try within(1) { try Repository(at: file).close() }
    emptyStore = try Data(contentsOf: file)
  }

  /// Runs a schedule.
  static func run(_ schedule: Schedule, in folder: URL) throws -> Outcome {
    simulation_begin(schedule.seed)
    defer { simulation_end() }
    let world = try World(schedule, in: folder)
    var failure: (any Error)?
    // All that apps do is begun in here, so that its exceptions are collected.
    let exceptions = HeadlessException.raised {
      do { try world.play() } catch { failure = error }
    }
    if let exception = exceptions.first {
      world.violation = Violation("uikit", exception.description)
    } else if let failure {
      guard let violation = failure as? Violation else { throw failure }
      world.violation = violation
    }
    for device in world.devices { world.bury(device) }
    for device in world.devices { device.end() }
    world.server.end()
    return Outcome(
      violation: world.violation, step: world.step, trace: simulation_trace(),
      work: simulation_run_count(), milliseconds: simulation_now() / 1_000_000)
  }

  private func play() throws {
    for device in devices { try launch(device) }
    for (number, step) in schedule.steps.enumerated() {
      self.step = number
      try pass(step.pause)
      workAtFrame = -1
      try perform(step)
      try endGoneProcesses()
      try check()
    }
    step = schedule.steps.count
    try comeToRest()
    try endGracefully()
  }

  // MARK: Time

  /// Lets time pass, and whatever is due meanwhile happen.
  func pass(_ milliseconds: Int) throws {
    let end = simulation_now() + Int64(milliseconds) * 1_000_000
    var count = 0
    while true {
      try frameIfDue()
      if simulation_run_one() {
        count += 1
        try endGoneProcesses()
        // While an item is held, the view is looked at ten times a second.
        if count > 30_000 + milliseconds / 10 {
          throw Violation("rest", "\(count) pieces of work in \(milliseconds) milliseconds")
        }
        continue
      }
      let next = simulation_next_time()
      let now = simulation_now()
      if next < 0 || next > end { break }
      if next > now { simulation_advance(next - now) }
    }
    if simulation_now() < end { simulation_advance(end - simulation_now()) }
    try frame()
  }

  /// Draws the screens if the last time is long enough ago.
  private func frameIfDue() throws {
    if simulation_now() - lastFrame < 16_000_000 { return }
    try frame()
  }

  private func frame() throws {
    lastFrame = simulation_now()
    // Nothing has changed since.
    if workAtFrame == simulation_run_count() { return }
    workAtFrame = simulation_run_count()
    for device in devices {
      guard let app = device.app, !app.isSuspended else { continue }
      try within(app.number) {
        if let movement = app.screen.frame(), !device.isTroubled {
          throw Violation("eye", "device \(device.name): \(movement)")
        }
      }
    }
    try endGoneProcesses()
  }

  // MARK: Processes

  func launch(_ device: Device) throws {
    guard device.app == nil else { return }
    device.hasRun = true
    let number = processes.new()
    do {
      device.app = try within(number) { try AppProcess(number, on: device) }
    } catch {
      simulation_kill(Int32(number))
      if device.isTroubled || error is Violation { return }
      throw Violation("launch", "device \(device.name): \(error)")
    }
    if let app = device.app { try compareNotes(device, app) }
  }

  /// Ends the app as `kill -9` does.
  private func bury(_ device: Device) {
    guard let app = device.app else { return }
    simulation_kill(Int32(app.number))
    Self.graveyard.append(app)
    device.app = nil
  }

  private func endGoneProcesses() throws {
    server.endGoneProcesses()
    for device in devices {
      if let app = device.app, simulated_disk_is_gone(Int32(app.number)) { bury(device) }
    }
  }

  /// Lets go of each app as a program does that goes on without it, and looks whether anything of it is
  /// left.
  private func endGracefully() throws {
    var ended: [(device: String, process: Int32)] = []
    for device in devices {
      guard let number = device.app?.number else { continue }
      ended.append((device.name, Int32(number)))
      within(number) {
        device.app?.end()
        device.app = nil
      }
    }
    // What is under way keeps what it uses; the longest that it waits is for an answer.
    try pass(70_000)
    for (device, process) in ended {
      let (threads, files) = (
        simulation_thread_count(process), simulated_disk_open_files(process)
      )
      if threads > 0 || files > 0 {
        throw Violation(
          "end", "device \(device): \(threads) threads and \(files) open files are left")
      }
    }
  }

  // MARK: Steps

  private func device(_ name: String) -> Device? { devices.first { $0.name == name } }

  private nonisolated static func randomness(ofStep number: UInt64) -> Randomness {
    Randomness(seed: number &* 0x1234_5677 &+ 3)
  }

  /// What a step `network` makes of a network.
  nonisolated static func network(ofStep number: UInt64) -> NetworkState {
    var random = randomness(ofStep: number)
    return random.one(of: NetworkState.allCases) ?? .good
  }

  private func perform(_ step: Schedule.Step) throws {
    var random = Self.randomness(ofStep: step.number)
    switch step.verb {
    case .rest: try comeToRest()
    case .mail: for device in devices { device.mail.act(&random) }
    case _ where step.subject == "server": try server.act(step, &random)
    default:
      guard let device = device(step.subject) else { return }
      if try !performSystem(step, device, &random), let app = device.app, !app.isSuspended {
        try within(app.number) { try performUser(step.verb, device, app, &random) }
      }
    }
  }

  /// Steps of a device's system, which need no app.
  private func performSystem(
    _ step: Schedule.Step, _ device: Device, _ random: inout Randomness
  ) throws -> Bool {
    switch step.verb {
    case .kill: bury(device)
    case .crash:
      if let app = device.app {
        simulated_disk_end_at(Int32(app.number), Int64(1 + random.below(14)))
      }
    case .power:
      bury(device)
      try device.failPower()
    case .launch: try launch(device)
    case .clock: simulation_set_clock((Int64(random.below(200)) - 100) * 86_400_000_000_000)
    case .widget: try edit(device, byWidget: &random)
    case .fail: device.failDisk(step.number, isFull: false)
    case .full: device.failDisk(step.number, isFull: true)
    case .heal: device.healDisk()
    case .network: device.network = Self.network(ofStep: step.number)
    case .suspend:
      guard let app = device.app, !app.isSuspended else { break }
      within(app.number) { app.suspend() }
      // A system leaves an app some time after it has said so.
      if random.percent(50) { try pass(random.below(3_000)) }
      if device.app === app { app.freeze() }
    case .resume: if let app = device.app { within(app.number) { app.resume() } }
    default: return false
    }
    return true
  }

  private func performUser(
    _ verb: Schedule.Verb, _ device: Device, _ app: AppProcess, _ random: inout Randomness
  ) throws {
    switch verb {
    case .edit: try edit(device, app.shelf, &random)
    case .undo: try noteEdits(device, app.shelf) { try app.shelf.undo() != nil }
    case .redo: try noteEdits(device, app.shelf) { try app.shelf.redo() != nil }
    case .note: try note(device, app, &random)
    case .unnote: try takeBack(device, app, isRedo: false)
    case .renote: try takeBack(device, app, isRedo: true)
    case .scroll: app.screen.scroll(&random)
    case .rotate: app.screen.rotate(&random)
    case .show: app.show(app.shown == .shelf ? .liked : .shelf)
    case .inbox: app.show(app.shown == .mail ? .shelf : .mail)
    case .refresh: app.load()
    case .flag: try flag(device, app, &random)
    case .link: if app.mail != nil { app.load(link: random.one(of: device.mail.mails)?.book.id) }
    case .leave: app.screen.leaveOrReturn()
    case .hold where app.shown == .shelf: app.screen.hold()
    case .drag where app.shown == .shelf:
      try noteEdits(device, app.shelf) {
        app.screen.drag(&random)
        return true
      }
    case .search: try search(device, app, &random)
    case .memory: try tolerate(device) { try app.replaceScreen(device.setting.screen) }
    case .discard:
      try tolerate(device) {
        for edit in try app.shelf.pendingEdits() {
          switch edit.state {
          case .waiting, .accepted: break
          case .conflicted, .rejected:
            // A process that ends meanwhile may have done it.
            device.edits[edit.id] = true
            if try app.shelf.discard(edit.id) { device.edits[edit.id] = nil }
          }
        }
      }
    default: break
    }
  }

  /// Lets a call fail if the disk fails, or the process has ended.
  func tolerate(_ device: Device, _ body: () throws -> Void) throws {
    do { try body() } catch let violation as Violation { throw violation } catch {
      if device.isTroubled || simulated_disk_is_gone(simulation_process()) { return }
      throw Violation("error", "device \(device.name): \(error)")
    }
  }

  /// Notes the edits that a call adds to the outbox: once it has returned, they are the user's.
  private func noteEdits(
    _ device: Device, _ list: LiveList, _ body: () throws -> Bool
  ) throws {
    try tolerate(device) {
      let before = Set(try list.pendingEdits().map(\.id))
      let isAsServer =
        try before.isEmpty && list.revision() > 0
        && ModelList(list.tree()) == server.model
      guard try body() else { return }
      for edit in try list.pendingEdits() where !before.contains(edit.id) {
        device.edits[edit.id] = false
        if isAsServer { server.expect(edit.id, toMake: ModelList(try list.tree())) }
      }
    }
  }

  /// The user changes a mail that was loaded, or deletes it.
  private func flag(_ device: Device, _ app: AppProcess, _ random: inout Randomness) throws {
    guard let mail = app.mail else { return }
    try tolerate(device) {
      guard try app.repository.lists().contains("mail") else { return }
      let mails = try mail.tree().sections.flatMap(\.items).filter { !$0.state.isGap }
      guard let id = random.one(of: mails)?.id else { return }
      let isDeletion = random.percent(30)
      if isDeletion { device.deletedMails.insert(id.rawValue) }
      let likes = random.below(9)
      let edit = try mail.editPending { editor in
        if isDeletion { return _ = try editor.delete([id]) }
        _ = try editor.update(id, as: Book.self) { $0.likes = likes }
      }.edit
      if let edit { device.mailEdits[edit.id] = false }
    }
  }

  private func search(_ device: Device, _ app: AppProcess, _ random: inout Randomness) throws {
    let word = random.one(of: SearchWord.allCases) ?? .plum
    try tolerate(device) {
      guard try app.repository.lists().contains("shelf") else { return }
      device.searched.insert(word)
      try app.search(word)
      app.show(.shelf)
      app.show(.found)
      device.searched = [word]
    }
  }

  func edit(_ device: Device, _ list: LiveList, _ random: inout Randomness) throws {
    try noteEdits(device, list) {
      let isThere = try list.repository.lists().contains(list.id)
      let model = isThere ? ModelList(try list.tree()) : ModelList()
      let operations = model.randomOperations(device.newName(), &random)
      try list.editPending { editor in for operation in operations { try editor.make(operation) } }
      return true
    }
  }

  /// An extension of the app edits the server's list: another process, with a Repository of its own.
  func edit(_ device: Device, byWidget random: inout Randomness) throws {
    device.hasRun = true
    let number = processes.new()
    if random.percent(20) { simulated_disk_end_at(Int32(number), Int64(1 + random.below(14))) }
    try within(number) {
      do {
        var options = Repository.Options()
        options.durability = device.setting.isFull ? .full : .normal
        let repository = try Repository(at: device.store, options: options)
        var list = repository.liveList("shelf", items: [Book.self])
        list.author = "widget"
        if random.percent(60) {
          try edit(device, list, &random)
          try repository.close()
        } else {
          Self.killedRepositories.append(repository)
          try edit(device, list, &random)
        }
      } catch let violation as Violation {
        if !simulated_disk_is_gone(Int32(number)) { throw violation }
      } catch {
        if !device.isTroubled, !simulated_disk_is_gone(Int32(number)) {
          throw Violation("widget", "device \(device.name): \(error)")
        }
      }
    }
    simulation_kill(Int32(number))
  }
}
