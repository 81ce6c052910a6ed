import GRDB

// GRDB's own accessors trap where a column holds another type. A file can hold anything, so these
// throw. The modules above step their rows without GRDB, for speed: see `StatementRow`.
extension Row {
  func integer(_ index: Int) throws -> Int {
    guard case .int64(let value) = value(index).storage, let value = Int(exactly: value) else {
      throw wrongType(index, "an integer")
    }
    return value
  }

  func text(_ index: Int) throws -> String {
    guard case .string(let value) = value(index).storage else { throw wrongType(index, "text") }
    return value
  }

  private func value(_ index: Int) -> DatabaseValue { self[index] }

  private func wrongType(_ index: Int, _ expected: String) -> DatabaseError {
    DatabaseError(
      resultCode: .SQLITE_CORRUPT,
      message: "column \(Array(columnNames)[index]) does not hold \(expected)")
  }
}
