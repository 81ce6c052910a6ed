package import Foundation

/// What a migration of a store has done.
package struct MigrationResult: Sendable {
  /// The names of the migrations that were applied or undone, in the order in which they were.
  package var names: [String] = []
  /// The copy of the store that was made before; `nil` if none was needed.
  package var backup: URL?
  /// The older backups that were deleted for it.
  package var removedBackups: [URL] = []

  /// What an app has added to the store and was made anew because its table was, as in "index mine".
  package var appObjects: [String] = []

  /// Nothing yet.
  package init() {}
}
