import DerivedLists
import ListModel

extension LiveList {
  /// Reads a definition of a list that is derived from this one.
  func definition(_ json: JSON) throws(StoreError) -> DerivedDefinition {
    let definition: DerivedDefinition
    do throws(FormatError) {
      definition = try DerivedDefinition(parsing: Array(json.text.utf8))
    } catch {
      throw StoreError(.invalidValue, "no definition of a derived list: \(error)", cause: error)
    }
    guard definition.computedFields.isEmpty else {
      throw StoreError(
        .invalidValue, "\"\(definition.list)\" has closures of an app, which no JSON can say")
    }
    guard definition.source == id else {
      throw StoreError(
        .invalidValue,
        "\"\(definition.list)\" is derived from \"\(definition.source)\", not from \"\(id)\"")
    }
    return definition
  }
}
