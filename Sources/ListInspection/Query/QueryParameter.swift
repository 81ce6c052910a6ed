import GRDB
import GRDBSQLite
import ListModel

/// The value of a parameter of a query.
public struct QueryParameter: Hashable, Sendable {
  /// The name, without the `:`, `@` or `$` that it has in SQL; `nil` for the next `?`.
  public var name: String?
  /// The value.
  public var value: QueryResult.Value

  /// A value of a parameter.
  public init(_ value: QueryResult.Value, for name: String? = nil) {
    self.name = name
    self.value = value
  }
}

extension QueryParameter {
  /// Gives a statement the values of its parameters.
  ///
  /// - Throws: `StoreError` if it has others.
  static func bind(
    _ parameters: [QueryParameter], to statement: SQLiteStatement?
  ) throws(StoreError) {
    let names = (0..<sqlite3_bind_parameter_count(statement)).map { index in
      sqlite3_bind_parameter_name(statement, index + 1).map { String(cString: $0) }
    }
    // A number, as in ?3, is a place and no name.
    let places = names.indices.filter { names[$0]?.hasPrefix("?") != false }
    var missing = Set(names.indices)
    var nextPlace = places.makeIterator()
    for parameter in parameters {
      let index =
        if let name = parameter.name {
          names.firstIndex { $0?.hasPrefix("?") == false && $0?.dropFirst() == name[...] }
        } else {
          nextPlace.next()
        }
      guard let index else {
        throw StoreError(
          .invalidValue,
          "the query has no parameter "
            + (parameter.name.map { ":\($0)" } ?? "? for each value without a name"))
      }
      parameter.value.bind(to: statement, at: Int32(index + 1))
      missing.remove(index)
    }
    if let index = missing.min() {
      throw StoreError(
        .invalidValue, "the query's parameter \(names[index] ?? "?\(index + 1)") has no value")
    }
  }
}

extension QueryResult.Value {
  fileprivate func bind(to statement: SQLiteStatement?, at index: Int32) {
    // SQLite copies what it is given.
    let copies = unsafeBitCast(-1, to: sqlite3_destructor_type.self)
    switch self {
    case .null: sqlite3_bind_null(statement, index)
    case .integer(let number): sqlite3_bind_int64(statement, index, Int64(number))
    case .real(let number): sqlite3_bind_double(statement, index, number)
    case .text(let text):
      sqlite3_bind_text(statement, index, text, Int32(clamping: text.utf8.count), copies)
    case .blob(let bytes):
      sqlite3_bind_blob(statement, index, bytes, Int32(clamping: bytes.count), copies)
    }
  }
}
