import CellarUIKit
import Foundation
import GRDB
import HeadlessUIKit
import ListItems
import ListModel
import ListStore
import ListSync
import Pages
import Providers
import ScreenSupport
import TestSupport
import Testing

// The app ends, and is opened again.
extension PageRun {
  /// The app is ended, and opened again.
  func relaunch() async throws {
    step = "relaunch"
    try await settle()
    let looks = try looks()
    for shown in screens { try shown.screen.adapter.saveViewState() }
    try await endApp()
    try reopen()
    for shown in screens { shown.screen.layOut() }
    try await settle()
    for look in looks { try expectArrival(at: look) }
  }

  /// The process is killed, perhaps as it stores a page.
  func kill() async throws {
    step = "kill"
    var looks = try looks()
    var takeBack: (() -> Void)?
    if !server.questions.isEmpty, random.percent(70) {
      takeBack = server.answer(random.number(0..<server.questions.count))
      for _ in 0..<random.number(0..<20) { await Task.yield() }
    }
    server.hangUp()
    // What a screen had not saved yet, nobody knows of any more.
    for index in looks.indices {
      looks[index].near = screen(looks[index].name).flatMap(savedEye).map { [$0.item] } ?? []
    }
    try reopen()
    // It may have been stored, or not.
    takeBack?()
    try await settle()
    for look in looks {
      try expectKept(look)
      guard let shown = screen(look.name) else { continue }
      shown.left = [look.eye, shown.eye(), savedEye(of: shown)].compactMap(\.self)
    }
  }

  /// The app ends as it should.
  func endApp() async throws {
    server.hangUp()
    let pages = list.pages
    for shown in screens { shown.leave() }
    for _ in 0..<5_000 where (pages?.counts.loading ?? 0) > 0 {
      server.hangUp()
      try await Task.sleep(for: .milliseconds(1))
    }
    try repository.close()
  }

  func reopen() throws {
    repository = try Repository(existing: folder.file("store.sqlite"))
    list = Self.list(of: repository, server, newest, limit)
    main = try PageRunScreen(kind, showing: list, named: "main", newest: newest)
    if second != nil, let kind = habits.secondKind {
      second = try PageRunScreen(kind, showing: list, named: "second", newest: newest)
    }
    // What a killed process was loading is not waited for: as if that were seconds ago.
    let queue = try database()
    try queue.write { try $0.execute(sql: "DELETE FROM pageRequest") }
    try queue.close()
  }

  /// The store's file, for what only its tables say.
  func database() throws -> DatabaseQueue {
    var configuration = Configuration()
    configuration.busyMode = .timeout(10)
    return try DatabaseQueue(
      path: folder.file("store.sqlite").path, configuration: configuration)
  }
}
