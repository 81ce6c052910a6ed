/// The version of this library.
package enum LibraryVersion {
  /// As `cellar --version` prints it, and as a store notes who migrated it.
  ///
  /// A test compares it with the newest release in the change log.
  package static let current = "0.1.0"
}
