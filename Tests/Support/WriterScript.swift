package import ListModel

/// What one of several processes commits to a list that all of them change.
///
/// A process touches only items that it brought, so each of its commits fits whatever the others
/// do; but all of them put their items next to one anchor, and to the ends.
package struct WriterScript: Sendable {
  /// The process's name, which its items begin with.
  package let writer: String
  /// Whether its items are books as screens show them.
  package let bringsBooks: Bool

  package init(writer: String, bringsBooks: Bool = false) {
    self.writer = writer
    self.bringsBooks = bringsBooks
  }

  /// What the list must have before anybody begins.
  package static let setUp: [Change] = [
    .insertSection("a"), .insertSection("b"),
    .insertItem(Item(id: "anchor", cell: "Cell", content: "null"), in: "a"),
  ]

  /// How many items a process has at most.
  package static let itemCount = 60

  /// The item that a process brings with its commit of a number, from 1.
  package func item(_ number: Int) -> ItemID { ItemID(stringLiteral: "\(writer)-\(number)") }

  private func content(_ number: Int, _ likes: Int) -> JSON {
    if !bringsBooks { return JSON(stringLiteral: "\(likes)") }
    return JSON(
      stringLiteral: #"{"id":"\#(item(number))","likes":\#(likes),"isWide":false}"#)
  }

  /// The changes of the process's commit of a number, from 1.
  package func changes(_ number: Int) -> [Change] {
    let places: [Place<ItemID>] = [.after("anchor"), .before("anchor"), .start, .end, .index(1)]
    var changes: [Change] = [
      .insertItem(
        Item(
          id: item(number), cell: bringsBooks ? "BookCell" : "Cell", content: content(number, 0)),
        in: "a",
        at: places[number % places.count])
    ]
    if number > 5 {
      changes.append(
        .updateItem(item(number - 5), ItemUpdate(content: .set(content(number - 5, 1)))))
    }
    if number > 20 {
      changes.append(
        .moveItem(item(number - 20), in: "b", to: number % 2 == 0 ? .start : .end))
    }
    if number > Self.itemCount { changes.append(.deleteItem(item(number - Self.itemCount))) }
    return changes
  }
}
