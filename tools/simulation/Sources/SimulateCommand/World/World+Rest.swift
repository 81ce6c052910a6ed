import Cellar
import CellarUIKit
import SimulatedSystem

extension World {
  /// Everything that failed is mended, and all that waits has its time.
  func comeToRest() throws {
    server.mend()
    for device in devices {
      device.healDisk()
      device.network = .good
      device.deliverLate()
      if let app = device.app {
        simulated_disk_end_at(Int32(app.number), -1)
        within(app.number) {
          app.resume()
          app.screen.letGo()
          app.show(.shelf)
          if app.mail != nil { app.load() }
          app.screen.returnIfAway()
        }
      } else {
        try launch(device)
      }
    }
    try settle()
    // A refresh that was under way may be of before.
    for device in devices where device.app?.mail != nil { try inApp(device) { $0.load() } }
    // When everything is still, another process edits: nothing else tells the app of that.
    for device in devices where step % 2 == 0 {
      var random = Randomness(seed: UInt64(step) &* 0x2545_F491 &+ 1)
      try edit(device, byWidget: &random)
    }
    try settle()
    try checkOwnChanges()
    try checkPromptness()
    try pass(1_000)
    try check()
    for device in devices { try checkAtRest(device) }
    try server.checkAtRest(pass)
    for device in devices { device.forgetTrouble() }
    server.forgetTrouble()
  }

  /// When everything is still, what an app changes is on its own screen at once, and not only when the watch
  /// for other processes finds it.
  private func checkOwnChanges() throws {
    simulation_hold_descriptors(true)
    defer { simulation_hold_descriptors(false) }
    for device in devices {
      var random = Randomness(seed: UInt64(step) &* 0x9FB2_1C65 &+ 3)
      let revision = try inApp(device) { app in
        try edit(device, app.shelf, &random)
        return try app.shelf.revision()
      }
      try pass(Self.atOnce)
      let shown = try inApp(device) { $0.screen.adapter.provider.revision }
      if shown < revision {
        throw Violation(
          "own",
          "device \(device.name) after \(Self.atOnce) ms: the screen shows \(shown) of \(revision)")
      }
    }
    try settle()
  }

  /// In milliseconds; the watch looks by the clock each second.
  private static let atOnce = 100

  /// When everything is still, what the server changes is on each screen soon.
  private func checkPromptness() throws {
    var random = Randomness(seed: UInt64(step) &* 0x9E37_79B9 &+ 7)
    let change = Schedule.Step(pause: 0, subject: "server", verb: .change, number: 0)
    let before = server.model
    // Whoever has a change does not wait for a broken connection any more. Some lines change nothing.
    repeat {
      try server.act(change, &random)
      try settle()
    } while server.model == before
    try server.act(change, &random)
    try pass(Self.promptly)
    let later = "after \(Self.promptly) ms"
    if server.isBusy { throw Violation("prompt", "the server \(later) is not still") }
    for device in devices {
      if let why = try isSettled(device) {
        throw Violation("prompt", "device \(device.name) \(later): \(why)")
      }
    }
  }

  /// In milliseconds; whoever has to ask again by itself takes longer.
  private static let promptly = 3_000

  /// Lets time pass until every device has what the server has.
  private func settle() throws {
    var seconds = 0
    let begun = simulation_run_count()
    while seconds < 400 {
      try pass(seconds < 20 ? 500 : 5_000)
      seconds += seconds < 20 ? 1 : 5
      if simulation_run_count() - begun > 60_000 {
        throw Violation("rest", "60,000 pieces of work, and it does not come to rest")
      }
      for device in devices where device.app == nil { try launch(device) }
      server.mend()
      // The next page tells that the server has made an edit of a mail.
      for device in devices where try waitsForMail(device) { device.app?.load() }
      if try !server.isBusy && devices.allSatisfy({ try isSettled($0) == nil }) { break }
    }
    if server.isBusy { throw Violation("converge", "the server after 400 seconds is not still") }
    for device in devices {
      if let why = try isSettled(device) {
        throw Violation("converge", "device \(device.name) after 400 seconds: \(why)")
      }
    }
  }

  /// Runs something in the app's process.
  func inApp<Value>(_ device: Device, _ body: (AppProcess) throws -> Value) throws -> Value {
    guard let app = device.app else {
      throw Violation("launch", "device \(device.name) has no app at rest")
    }
    return try within(app.number) { try body(app) }
  }

  /// Whether edits of mails wait, and no page is under way.
  private func waitsForMail(_ device: Device) throws -> Bool {
    try inApp(device) { app in
      guard app.refreshCount == 0, let mail = app.mail,
        try app.repository.lists().contains("mail")
      else { return false }
      return try mail.pendingEdits().contains { $0.state == .waiting || $0.state == .accepted }
    }
  }

  /// Why a device is not as the server; `nil` if it is.
  private func isSettled(_ device: Device) throws -> String? {
    try inApp(device) { app in
      guard try app.repository.lists().contains("shelf") else { return "it has no list" }
      let waiting = try app.shelf.pendingEdits().filter {
        $0.state == .waiting || $0.state == .accepted
      }
      if app.refreshCount > 0 { return "its mail is not refreshed" }
      if try waitsForMail(device) { return "edits of its mail wait" }
      if !waiting.isEmpty { return "\(waiting.count) edits wait" }
      let list = ModelList(try app.shelf.tree())
      if list != server.model {
        return "it has\n\(list.text)\nand the server\n\(server.model.text)"
      }
      if ModelList(app.screen.adapter.provider.tree) != list {
        let shown = app.screen.adapter.provider
        return "the screen shows \(shown.list) at \(shown.revision)"
      }
      return nil
    }
  }
}
