import DerivedLists
import ListModel
import ListTables

/// What is to be done for definitions: checked before anything is.
struct DerivedPlan {
  /// The definitions that are given, and those of lists that are derived from theirs, each after that of its
  /// source.
  private(set) var made: [DerivedDefinition] = []
  /// The definitions that are given, by their lists.
  private(set) var given: [ListID: DerivedDefinition] = [:]
  private(set) var ordinals: [ListID: Int] = [:]
  /// The definitions of all derived lists, once it is done.
  private(set) var definitions: [ListID: DerivedDefinition] = [:]

  /// The lists of a store; none to begin with.
  struct Lists {
    var definitions: [ListID: DerivedDefinition] = [:]
    fileprivate var ordinals: [ListID: Int] = [:]
    private var statements: Statements?

    init() {}

    init(_ statements: Statements) throws {
      self.statements = statements
      for derived in try statements.derivedLists() where !derived.list.isHidden {
        definitions[derived.list] = derived.definition
        ordinals[derived.list] = derived.ordinal
      }
    }

    fileprivate func has(_ list: ListID) throws -> Bool { try statements?.rows(list) != nil }
  }

  init(
    _ definitions: [(definition: DerivedDefinition, line: Int)], in lists: Lists, file: String?
  ) throws {
    var known = lists.definitions
    ordinals = lists.ordinals
    var next = (ordinals.values.max() ?? 0) + 1
    for (definition, line) in definitions {
      let list = definition.list
      func refuse(_ code: StoreError.Code, _ message: String) -> StoreError {
        var error = StoreError(code, "\(message); nothing was defined", file: file)
        error.line = file == nil ? nil : line
        return error
      }
      if file != nil, !definition.computedFields.isEmpty {
        throw refuse(.invalidValue, "\"\(list)\" has closures of an app, which no file can say")
      }
      if known[list] == nil {
        if ListOwner.isNested(list) {
          throw refuse(.invalidValue, "\"\(list)\" is a reserved id")
        }
        if try lists.has(list) {
          throw refuse(.duplicateID, "\"\(list)\" is a list that is not derived")
        }
      }
      known[list] = definition
      given[list] = definition
      if ordinals[list] == nil {
        ordinals[list] = next
        next += 1
      }
      var path = [list]
      while let last = path.last, let source = known[last]?.source {
        path.append(source)
        if source == list {
          let names = path.map { "\"\($0)\"" }.joined(separator: ", which is derived from ")
          throw refuse(.invalidValue, "\(names): a circle")
        }
      }
    }
    self.definitions = known
    var rest = given
    var count: Int
    repeat {
      count = rest.count
      for (list, definition) in known where rest[definition.source] != nil {
        rest[list] = definition
      }
    } while rest.count > count
    // A source before what is derived from it.
    while !rest.isEmpty {
      let ready = rest.keys.filter { rest[known[$0]?.source ?? $0] == nil }
        .sorted { (ordinals[$0] ?? 0) < (ordinals[$1] ?? 0) }
      for list in ready {
        if let definition = rest.removeValue(forKey: list) { made.append(definition) }
      }
    }
  }
}
