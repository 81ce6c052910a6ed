// A stored type name also has the version of the content: `Book` is version 1, `Book@2` version 2.
extension Identifier where Tag == IdentifierTags.ItemType {
  /// The stored name of contents of a version.
  ///
  /// - Throws: ``FormatError`` if that is longer than 256 bytes.
  package func stored(version: Int) throws(FormatError) -> TypeName {
    version > 1 ? try TypeName("\(rawValue)@\(version)") : self
  }

  /// The type's name and the version, of a stored name that has one; else `nil`.
  ///
  /// A type's own name may end in an @ and a number: look the whole name up first.
  package var nameAndVersion: (name: TypeName, version: Int)? {
    guard let at = rawValue.utf8.lastIndex(of: UInt8(ascii: "@")) else { return nil }
    let digits = rawValue[at...].dropFirst()
    guard digits.utf8.allSatisfy(\.isDigit), digits.utf8.first != UInt8(ascii: "0"),
      let version = Int(digits), let name = try? TypeName(String(rawValue[..<at]))
    else { return nil }
    return (name, version)
  }
}
