package import GRDB

// GRDB's own accessors trap where a column holds another type. A file can hold anything: these
// throw.
extension Row {
  package func integer(_ index: Int) throws -> Int {
    guard let value = try integerIfPresent(index) else { throw wrongType(index, "an integer") }
    return value
  }

  package func integerIfPresent(_ index: Int) throws -> Int? {
    switch databaseValue(index).storage {
    case .null: return nil
    case .int64(let value):
      guard let value = Int(exactly: value) else { throw wrongType(index, "an integer") }
      return value
    default: throw wrongType(index, "an integer")
    }
  }

  package func text(_ index: Int) throws -> String {
    guard let value = try textIfPresent(index) else { throw wrongType(index, "text") }
    return value
  }

  package func textIfPresent(_ index: Int) throws -> String? {
    switch databaseValue(index).storage {
    case .null: return nil
    case .string(let value): return value
    default: throw wrongType(index, "text")
    }
  }

  private func databaseValue(_ index: Int) -> DatabaseValue { self[index] }

  private func wrongType(_ index: Int, _ expected: String) -> DatabaseError {
    let column = Array(columnNames)[index]
    return DatabaseError(
      resultCode: .SQLITE_CORRUPT, message: "column \(column) does not hold \(expected)")
  }
}
