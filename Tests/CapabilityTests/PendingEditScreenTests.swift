import Cellar
import CellarUIKit
import Foundation
import HeadlessUIKit
import ScreenSupport
import TestSupport
import Testing

/// A user's edits on a screen, and the server's answers.
@Suite @MainActor struct PendingEditScreenTests {
  private let bookcase: Bookcase
  private var shelf: LiveList { bookcase.shelf }

  /// 40 books, which the server has, too.
  init() throws {
    bookcase = try Bookcase()
    let items = (0..<40).map { index in
      #"{"id":"b\#(index)","cell":"BookCell","type":"Book","#
        + #""content":{"id":"b\#(index)","likes":0,"isWide":false}}"#
    }
    try follow(
      #"{"t":"snapshot","list":"shelf","seq":"1","sections":[{"id":"a","layout":{"kind":"list"},"#
        + #""items":[\#(items.joined(separator: ","))]}]}"#)
  }

  private func follow(_ line: String) throws {
    try bookcase.repository.apply(
      FeedReader(file: bookcase.folder.write(line + "\n", to: "feed.ndjson")))
  }

  /// A line of the server.
  private func serve(_ sequence: Int, _ operations: String, edit: String? = nil) throws {
    let answer = edit.map { "\"edit\":\"\($0)\"," } ?? ""
    try follow(
      "{\"t\":\"commit\",\"list\":\"shelf\",\"seq\":\"\(sequence)\",\(answer)\"ops\":[\(operations)]}"
    )
  }

  @Test(arguments: ScreenKind.allCases)
  func theServersLineComesInBelowTheUsersEditAndTheViewDoesNotJump(_ kind: ScreenKind) throws {
    let screen = try Screen(kind, showing: shelf)
    screen.checkBooks()
    screen.layOut()
    let edit = try #require(
      try shelf.editPending { list throws in
        try list.update("b3", as: Book.self) { $0.likes = 1 }
        try list.delete("b5")
        try list.insert(Book(id: "mine"), at: .after("b1"))
      }.edit)
    try screen.settle()
    #expect(screen.shown.prefix(4) == ["b0", "b1", "mine", "b2"])
    screen.scroll(to: 0.5)
    screen.layOut()
    let (offset, made) = (screen.view.contentOffset, screen.cells)
    let measured = screen.adapter.measurementCount

    // The server has taken it as it is: nothing moves, nothing is drawn or measured again.
    try serve(2, edit.changesText, edit: edit.id)
    try screen.settle()
    #expect(screen.view.contentOffset == offset)
    #expect(screen.cells == made)
    #expect(screen.adapter.measurementCount == measured)
    #expect(try shelf.pendingEdits().isEmpty)
    screen.expectBalance()
    #expect(bookcase.repository.diagnostics.isEmpty)
  }

  @Test(arguments: ScreenKind.allCases)
  func aRefusedEditGoesAndTheEditsAfterItStay(_ kind: ScreenKind) throws {
    let screen = try Screen(kind, showing: shelf)
    screen.checkBooks()
    screen.layOut()
    let first = try shelf.editPending { try $0.insert(Book(id: "mine"), in: "a", at: .start) }.edit
    try shelf.editPending { try $0.move("b2", to: .start) }
    try screen.settle()
    #expect(screen.shown.prefix(3) == ["b2", "mine", "b0"])
    let bound = screen.cells.bound
    try shelf.reject(try #require(first).id, why: "not yours")
    try serve(2, #"{"op":"updateItem","item":"b1","content":{"id":"b1","likes":0,"isWide":false}}"#)
    try screen.settle()
    #expect(screen.shown.prefix(3) == ["b2", "b0", "b1"])
    // One row comes into sight below; no other is loaded.
    #expect(screen.cells.bound <= bound + 2)
    #expect(try shelf.pendingEdits().map(\.state) == [.rejected(why: "not yours"), .waiting])
    screen.expectBalance()
    #expect(bookcase.repository.diagnostics.isEmpty)
  }
}

extension Repository.PendingEdit {
  /// Its operations without the brackets around them.
  fileprivate var changesText: String { String(operations.text.dropFirst().dropLast()) }
}
