public import ListModel
public import ListStore

// How far a user's edits are: what a chat shows beside a message.
extension LiveList {
  /// How far what the user did to an item is on its way to the server.
  ///
  /// The adapter of a list that ``sendsEdits`` gives it to the item's
  /// ``/ListItems/ListItem/configure(_:with:)``, and configures the cell again when it changes. An item
  /// without one is as the server has it.
  public enum Delivery: Hashable, Sendable {
    /// It will be sent.
    case waiting
    /// Sending failed. It is tried again after a pause, and at once by ``LiveList/retry()``.
    case failed(why: String)
    /// The server has it; the feed will bring it, or the next page.
    case sent
    /// The server refused it, or it does not fit what the server has: the item is as it was before.
    ///
    /// ``LiveList/retry(_:)`` makes the edit again, ``LiveList/discard(_:)`` forgets it.
    case refused(Repository.PendingEdit.ID, why: String?)
  }

  /// How far each item is whose edits the server has not answered, or has refused: by its latest edit.
  ///
  /// - Throws: ``/ListModel/StoreError``.
  /// - Complexity: O(*k*), *k* changes in the outbox.
  public func deliveries() throws(StoreError) -> [ItemID: Delivery] {
    let id = edited.id
    let failure = repository.outboxSignals.failure(of: id)
    var deliveries: [ItemID: Delivery] = [:]
    for edit in try repository.pendingEdits(of: id) {
      let delivery: Delivery =
        switch edit.state {
        case .waiting: edit.id == failure?.edit ? .failed(why: failure?.why ?? "") : .waiting
        case .accepted: .sent
        case .conflicted(let conflict): .refused(edit.id, why: conflict.why)
        case .rejected(let why): .refused(edit.id, why: why)
        }
      for change in edit.changes {
        if let item = change.changedItem { deliveries[item] = delivery }
      }
    }
    return deliveries
  }

  /// Sends an edit that failed now, instead of after the pause, and those behind it.
  public func retry() { repository.outboxSignals.retry(id) }

  /// Makes an edit again that the server refused, or that conflicts, under a new id.
  ///
  /// - Throws: ``/ListModel/StoreError``, if it does not fit the list any more; the old edit then stays
  ///   in the outbox. Nothing happens if the outbox does not have it, or if it waits.
  public func retry(_ edit: Repository.PendingEdit.ID) throws {
    guard let old = try pendingEdits().first(where: { $0.id == edit }) else { return }
    switch old.state {
    case .waiting, .accepted: return
    case .conflicted, .rejected: break
    }
    try editPending(by: old.author) { list in
      for change in old.changes { try list.apply(change) }
    }
    try discard(edit)
  }

  /// Tells of deliveries that change without a commit: an edit can't be sent, or is sent again.
  package func deliveryChanges() -> AsyncStream<Void> {
    repository.outboxSignals.changes(of: edited.id)
  }
}

extension Change {
  /// The item that a user sees changed; `nil` if it is none, or goes.
  fileprivate var changedItem: ItemID? {
    switch self {
    case .insertItem(let item, _, _): item.id
    case .moveItem(let item, _, _), .updateItem(let item, _), .touchItem(let item): item
    case .updateList, .insertSection, .deleteSection, .moveSection, .updateSection, .deleteItem: nil
    }
  }
}
