import DerivedLists
public import ListItems
public import ListModel
import ListStore
public import Providers
import StoreFiles

/// A list that is derived from another one for as long as a screen shows it: what a search field finds,
/// or what a filter leaves.
///
/// ```swift
/// let results = inbox.passing(of: Message.self)
/// adapter.show(results)
/// func searchTextChanged(_ text: String) {
///   try results.show { $0.where { $0.title.contains(text) } }
/// }
/// ```
///
/// It is in memory, and nothing of it is written. Screens that show it follow its source, and each
/// ``show(_:)`` is one update from what they show to what they are to show. It remembers the order of its
/// source, 40 bytes an item, and the values of properties that were asked for, if they take up to 64 bytes
/// an item each. So contents are read once for each property, and not at all for what a full-text index
/// answers. For a list that stays, define a ``DerivedList``.
public struct PassingList<Item: ListItem>: ShowableList {
  /// The list as adapters read it; its edits throw.
  public let shown: LiveList
  private let query: PassingQuery

  init(
    of source: LiveList, _ supplementaryTypes: [any ListSupplementary.Type],
    _ query: DerivedQuery<Item>
  ) throws {
    let types = source.types.adding(Item.self)
    self.query = PassingQuery(
      try query.definition("passing", of: source.id, types: types, version: 0))
    let given = supplementaryTypes + query.supplementaryTypes
    let names = Set(given.map { $0.viewName })
    shown = source.passing(
      self.query, types: types,
      supplementaryTypes: SupplementaryTypes(
        source.supplementaryTypes.all.filter { !names.contains($0.viewName) } + given))
  }

  /// Shows something else of the source.
  ///
  /// It costs nothing before a screen reads it: of several calls in a row the last one counts.
  ///
  /// - Parameter query: What it shows.
  /// - Throws: ``/ListModel/StoreError`` with ``/ListModel/StoreError/Code/invalidValue`` for a
  ///   property that the type does not encode, and for a header whose type the list was not made with;
  ///   what is shown stays.
  public func show(_ query: (DerivedQuery<Item>) -> DerivedQuery<Item>) throws {
    let query = query(DerivedQuery())
    for type in query.supplementaryTypes
    where !shown.supplementaryTypes.all.contains(where: { $0 == type }) {
      throw StoreError(
        .invalidValue,
        "the passing list was made without the type \(type): name it where the list is made, as "
          + "`passing(of: \(Item.self).self, supplementaries: [\(type).self])`")
    }
    self.query.set(
      try query.definition("passing", of: shown.id, types: shown.types, version: 0))
  }

  /// The list now.
  ///
  /// - Throws: ``/ListModel/StoreError``.
  /// - Complexity: O(*n*), *n* items of the source.
  public func provider() throws(StoreError) -> Provider { try shown.provider() }
}

extension ShowableList {
  /// A list for a screen that filters, sorts or searches this one for a while.
  ///
  /// - Parameters:
  ///   - type: The type of the items.
  ///   - supplementaries: The types of the headers that it shows later; those of this list, and that of
  ///     the first query, are known. One with the view name of another takes its place.
  ///   - query: What it shows at first; by default everything.
  /// - Returns: The list.
  /// - Throws: As ``PassingList/show(_:)``.
  public func passing<Item: ListItem>(
    of type: Item.Type, supplementaries: [any ListSupplementary.Type] = [],
    _ query: (DerivedQuery<Item>) -> DerivedQuery<Item> = { $0 }
  ) throws -> PassingList<Item> {
    try PassingList(of: shown, supplementaries, query(DerivedQuery()))
  }
}

/// What a passing list shows, and who is told of another query.
package final class PassingQuery: Sendable {
  typealias Definition = (
    definition: DerivedDefinition, closures: [ComputedField: ComputedField.Closure]
  )
  private struct State {
    var definition: Definition
    var number = PassingQuery.newNumber()
    var listeners: [Int: AsyncStream<Int>.Continuation] = [:]
    var lastListener = 0
  }
  private let state: Guarded<State>
  /// The order of the source, as it was when something was shown of it.
  let order = KnownOrder()

  init(_ definition: Definition) { state = Guarded(State(definition: definition)) }

  func set(_ definition: Definition) {
    let listeners = state.withValue { state in
      state.definition = definition
      state.number = Self.newNumber()
      return Array(state.listeners.values)
    }
    for listener in listeners { listener.yield(0) }
  }

  /// What is shown, and a number that nothing else has that is or was shown.
  var current: (definition: Definition, number: Int) {
    state.withValue { ($0.definition, $0.number) }
  }

  private static let lastNumber = Guarded(0)

  private static func newNumber() -> Int {
    lastNumber.withValue { number in
      number += 1
      return number
    }
  }

  /// The revisions of the source, and a number whenever there is another query.
  func signals(with revisions: AsyncStream<Int>) -> AsyncStream<Int> {
    let (signals, continuation) = AsyncStream.makeStream(
      of: Int.self, bufferingPolicy: .bufferingNewest(1))
    let listener = state.withValue { state in
      state.lastListener += 1
      state.listeners[state.lastListener] = continuation
      return state.lastListener
    }
    let forwarding = Task {
      for await revision in revisions { continuation.yield(revision) }
      continuation.finish()
    }
    continuation.onTermination = { [weak self] _ in
      forwarding.cancel()
      self?.state.withValue { $0.listeners[listener] = nil }
    }
    return signals
  }
}
