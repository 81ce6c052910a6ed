import DerivedLists
import ListModel
import ListStore

/// A file of definitions of derived lists, one a line.
struct DefinitionFile {
  let name: String
  private(set) var definitions: [(definition: DerivedDefinition, line: Int)] = []

  /// Reads a file, or standard input for `-`; empty lines are skipped.
  ///
  /// - Throws: `StoreError` if the file can't be read, or with the line of what is no definition.
  init(_ path: String) throws {
    name = path == "-" ? "standard input" : path
    let bytes = try readInput(path)
    for (index, line) in bytes.split(separator: 0x0A, omittingEmptySubsequences: false).enumerated()
    where !line.allSatisfy({ $0 == 0x20 || $0 == 0x09 || $0 == 0x0D }) {
      do throws(FormatError) {
        definitions.append((try DerivedDefinition(parsing: Array(line)), index + 1))
      } catch {
        var problem = StoreError(
          .invalidValue, "\(error); nothing was defined", file: name, cause: error)
        problem.line = index + 1
        throw problem
      }
    }
  }
}

extension Repository {
  /// Defines the lists of a file, and shows how far a long one is.
  func define(_ file: DefinitionFile) throws {
    var line = ProgressLine()
    defer { line.clear() }
    try define(file.definitions, from: file.name) { part in
      line.show("\(file.name): \(Int(part * 100)) %")
    }
  }
}
