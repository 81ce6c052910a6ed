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

// What the user does and the server has to answer.
extension PageRun {
  func useOutbox() async throws {
    switch more.number(0..<10) {
    case 0..<5: try await staying("edit for the server") { try editForServer() }
    case 5..<9: try await staying("answer to an edit") { _ = try answerEdit() }
    default: try await staying("refused edits are forgotten") { try discardRefusedEdits() }
    }
  }

  private func editForServer() throws {
    let items = try items()
    let places = items.indices.filter { !items[$0].state.isGap }
    // What is beside a gap is where pages end.
    let edges = places.filter { place in
      [place - 1, place + 1].contains { items.indices.contains($0) && items[$0].state.isGap }
    }
    let isAtEdge = more.percent(40) && !edges.isEmpty
    guard let place = more.element(of: isAtEdge ? edges : places) else { return }
    let near = items[place].id.rawValue
    // The server knows nothing of those.
    let isOwn = near.hasPrefix("own")
    madeItems += 1
    let new = "u\(madeItems)"
    var likes = more.number(0..<7)
    // An edit that changes nothing says nothing of the item.
    if try items[place].state.content.value(of: "likes", as: Int.self) == likes { likes += 7 }
    let choice = more.number(0..<4)
    let isNewest = more.percent(25)
    let (item, change): (String, ModelServer.UserEdit.Change) =
      if choice == 0, !isOwn {
        (near, .delete)
      } else if choice == 1, !isOwn {
        (near, .update(likes: likes))
      } else {
        (new, .insert(likes: likes, after: isNewest ? nil : near))
      }
    guard let edit = try makePending(change, of: item) else { return }
    server.receive(ModelServer.UserEdit(id: edit.id, item: item, change: change))
    if change == .delete { deleted.insert(item) }
  }

  /// - Returns: `nil` if it changes nothing.
  private func makePending(
    _ change: ModelServer.UserEdit.Change, of item: String
  ) throws -> Repository.PendingEdit? {
    let newestPlace: Place<ItemID> = newest == .start ? .start : .end
    return try list.editPending { (editor: ListEditor) throws -> Void in
      switch change {
      case .insert(let likes, let above):
        let place = above.map { Place<ItemID>.after(ItemID(stringLiteral: $0)) }
        _ = try editor.insert(Book(id: item, likes: likes), in: "a", at: place ?? newestPlace)
      case .delete: _ = try editor.delete(ItemID(stringLiteral: item))
      case .update(let likes): _ = try editor.update(Book(id: item, likes: likes))
      }
    }.edit
  }

  /// The server answers the oldest edit, by the feed, or by an answer before that.
  ///
  /// - Returns: `false` if there is none.
  func answerEdit() throws -> Bool {
    guard !server.edits.isEmpty else { return false }
    if more.percent(30) {
      let isByLine = more.percent(50)
      guard let edit = server.refuse(byLine: isByLine) else { return false }
      if edit.change == .delete { deleted.remove(edit.item) }
      if !isByLine { try list.reject(edit.id) }
    } else {
      guard let edit = server.take() else { return false }
      if more.percent(40) {
        try repository.accept(edit.id, inLine: server.sequence, of: "shelf")
      }
    }
    return true
  }

  private func discardRefusedEdits() throws {
    for edit in try list.pendingEdits() {
      switch edit.state {
      case .rejected, .conflicted: try list.discard(edit.id)
      case .waiting, .accepted: break
      }
    }
  }

  // MARK: What must hold

  /// No page brings back what the user has deleted, and none takes away what the server has not answered.
  func expectEdits(in items: [Item]) throws {
    guard habits.hasOutbox else { return }
    let known = Dictionary(
      items.map { ($0.id.rawValue, $0) }, uniquingKeysWith: { first, _ in first })
    let back = deleted.filter { known[$0] != nil }
    #expect(back.isEmpty, "deleted, and there; \(context)")
    var latest: [String: ModelServer.UserEdit] = [:]
    for edit in server.edits {
      latest[edit.item] = edit
      guard case .insert = edit.change, !deleted.contains(edit.item) else { continue }
      #expect(known[edit.item] != nil, "inserted, and not there: \(edit.item); \(context)")
    }
    // One that does not fit any more is not in the list.
    let waiting = Set(try list.pendingEdits().filter { $0.state == .waiting }.map(\.id))
    for edit in latest.values where waiting.contains(edit.id) {
      guard case .update(let likes) = edit.change, let item = known[edit.item] else { continue }
      let shown = try? item.state.content.value(of: "likes", as: Int.self)
      let edits = try list.pendingEdits()
      #expect(shown == likes, "changed, and not so: \(edit.item); \(edits); \(context)")
    }
  }

  /// Nothing waits when the server has answered all, and the feed has brought that.
  func expectAnswers() throws {
    let open = try list.pendingEdits().filter { $0.state == .waiting || $0.state == .accepted }
    #expect(open.isEmpty, context)
  }
}
