public import BatchUpdates
public import ListModel
public import ListStore
public import Providers
public import ListItems

/// A list of a store as a screen uses it: shown, edited, and followed as it changes.
///
/// ```swift
/// let shelf = repository.liveList("shelf", items: [Book.self])
/// try shelf.edit { list in
///   try list.insertSectionIfMissing("books")
///   try list.insert(Book(id: "emma", title: "Emma"), in: "books")
/// }
/// for try await update in shelf.updates() { show(update.batch, update.provider) }
/// ```
///
/// Whoever shows it holds a Provider of its own and brings it forward when it can: what was committed
/// meanwhile is one update.
public struct LiveList: Sendable {
  /// The store that has it.
  public let repository: Repository
  /// The list's id.
  public let id: ListID
  /// Whose list it is, of a nested one.
  public let owner: ListOwner?
  /// The types of its items.
  public let types: ItemTypes
  /// The types of its sections' headers, footers and the like.
  public let supplementaryTypes: SupplementaryTypes
  /// When a batch update is not worth it, and what else it draws again.
  public var policy: UpdatePolicy

  init(
    repository: Repository, id: ListID, owner: ListOwner? = nil, types: ItemTypes,
    supplementaryTypes: SupplementaryTypes,
    policy: UpdatePolicy
  ) {
    self.repository = repository
    self.id = id
    self.owner = owner
    self.types = types
    self.supplementaryTypes = supplementaryTypes
    self.policy = policy
  }

  /// The list as it is; an empty one before its first commit.
  ///
  /// - Throws: ``/ListModel/StoreError``.
  public func provider() throws(StoreError) -> Provider {
    try repository.providerIfPresent(for: id)
  }

  /// Brings a Provider to the list as it is.
  ///
  /// - Returns: What a view that shows it has to do.
  /// - Throws: ``/ListModel/StoreError``; the Provider is then as it was.
  @discardableResult
  public func advance(_ provider: inout Provider) throws(StoreError) -> BatchUpdate {
    do throws(StoreError) {
      return try repository.advance(&provider, policy: policy)
    } catch {
      // Before its first commit there is nothing to come to.
      guard error.code == .listNotFound, provider.revision == 0 else { throw error }
      return BatchUpdate(list: id, from: 0, to: 0, mode: .none, hidesSections: policy.hidesSections)
    }
  }

  /// Edits the list: see ``/ListStore/Repository/edit(_:by:_:)``.
  ///
  /// - Returns: What the closure returns.
  /// - Throws: ``/ListModel/StoreError``, or what the closure throws.
  @discardableResult
  public func edit<Value>(
    by author: Author = .app, _ body: (ListEditor) throws -> Value
  ) throws -> Value {
    try editing(by: author, body).value
  }

  /// Edits the list, with the commit that came of it.
  func editing<Value>(
    by author: Author, _ body: (ListEditor) throws -> Value
  ) throws -> (value: Value, commit: Commit?) {
    try repository.edit(id, ownedBy: owner, by: author, body)
  }

  /// One step of a list that is followed.
  public struct Update: Sendable {
    /// What a view that showed the list before has to do.
    public let batch: BatchUpdate
    /// The list after it.
    public let provider: Provider
  }

  /// What happens to the list.
  ///
  /// - Parameter provider: What is shown now; `nil`: the list as it is when this is called.
  /// - Returns: An update whenever this Repository has committed something, what was committed
  ///   meanwhile in one; none for what changes nothing. It goes on, and keeps the Repository, until
  ///   whoever reads it stops; it ends with an error where the store can't be read.
  public func updates(
    after provider: Provider? = nil
  ) -> AsyncThrowingStream<Update, any Error> {
    // Listening first: what is committed from here on is told.
    let revisions = repository.revisions(of: id)
    let shown = Result<Provider, any Error> { try provider ?? self.provider() }
    return AsyncThrowingStream { continuation in
      let task = Task { [self] in
        do {
          var provider = try shown.get()
          // What was committed before anybody listened.
          try step(&provider, continuation)
          for await _ in revisions { try step(&provider, continuation) }
          continuation.finish()
        } catch {
          continuation.finish(throwing: error)
        }
      }
      continuation.onTermination = { _ in task.cancel() }
    }
  }

  private func step(
    _ provider: inout Provider, _ continuation: AsyncThrowingStream<Update, any Error>.Continuation
  ) throws(StoreError) {
    let batch = try advance(&provider)
    if case .none = batch.mode, batch.from == batch.to { return }
    continuation.yield(Update(batch: batch, provider: provider))
  }
}

extension Repository {
  /// A list as a screen uses it.
  ///
  /// Nothing is read yet: a list that the store does not have is an empty one until it is edited.
  ///
  /// - Parameters:
  ///   - list: Its id.
  ///   - items: The types of its items.
  ///   - supplementaries: The types of its sections' headers, footers and the like.
  ///   - policy: When a batch update is not worth it, what else it draws again, and whether it leaves out
  ///     hidden sections: as it is, it does, and `Provider.shown` has what a view counts.
  /// - Returns: The list.
  public func liveList(
    _ list: ListID, items: [any ListItem.Type] = [],
    supplementaries: [any ListSupplementary.Type] = [],
    policy: UpdatePolicy = UpdatePolicy(hidesSections: true)
  ) -> LiveList {
    liveList(
      list, types: ItemTypes(items), supplementaryTypes: SupplementaryTypes(supplementaries),
      policy: policy)
  }

  /// A list as a screen uses it, of types that have earlier names too.
  ///
  /// - Parameters:
  ///   - list: Its id.
  ///   - types: The types of its items.
  ///   - supplementaryTypes: The types of its sections' headers, footers and the like.
  ///   - policy: When a batch update is not worth it, what else it draws again, and whether it leaves out
  ///     hidden sections: as it is, it does, and `Provider.shown` has what a view counts.
  /// - Returns: The list.
  public func liveList(
    _ list: ListID, types: ItemTypes, supplementaryTypes: SupplementaryTypes = .init(),
    policy: UpdatePolicy = UpdatePolicy(hidesSections: true)
  ) -> LiveList {
    LiveList(
      repository: self, id: list, types: types, supplementaryTypes: supplementaryTypes,
      policy: policy)
  }
}
