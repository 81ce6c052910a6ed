import CellarUIKit
import Foundation
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

// Another screen that shows the same list, in the same process: in another view, at another place.
extension PageRun {
  func useSecondScreen() async throws {
    guard let second else { return try await openSecondScreen() }
    switch more.number(0..<10) {
    case 0..<4: try await scroll(second, far: false)
    case 4..<7: try await scroll(second, far: true)
    case 7: try await staying("rotation of the second screen") { second.rotate() }
    default: try await closeSecondScreen()
    }
  }

  /// It shows what it showed when it was closed, whatever has come of the list since.
  private func openSecondScreen() async throws {
    guard let kind = habits.secondKind else { return }
    step = "the second screen opens"
    let looks = try looks()
    let opened = try PageRunScreen(kind, showing: list, named: "second", newest: newest)
    second = opened
    opened.screen.layOut()
    try await settle()
    for look in looks { try expect(look) }
    if let closed { try expectArrival(at: closed) }
    closed = nil
  }

  private func closeSecondScreen() async throws {
    guard let closing = second else { return }
    step = "the second screen closes"
    let looks = try looks()
    try closing.screen.adapter.saveViewState()
    closed = looks.first { $0.name == closing.name }
    closing.leave()
    second = nil
    try await settle()
    for look in looks { try expect(look) }
  }
}
