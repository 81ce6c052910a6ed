extension String {
  /// The text as a name in SQL, in double quotes, whatever it is.
  ///
  /// GRDB's own quotes end at a quote in the name.
  package var sqlName: String {
    "\"" + split(separator: "\"", omittingEmptySubsequences: false).joined(separator: "\"\"") + "\""
  }
}
