package import Foundation
package import ListModel
import StoreFiles
package import StoreSchema

/// A folder of migration files, `v0001_lists.sql` and so on.
package struct MigrationFolder {
  /// A migration file.
  package struct File {
    /// The version that its name says.
    package let version: Int
    /// The name without its extension.
    package let name: String
    /// What stands behind the number: `lists`.
    var words: Substring { name.dropFirst(name.prefix { $0 != "_" }.count + 1) }
  }

  /// The folder.
  package let url: URL
  /// The migrations in it, by version, then by name.
  package let files: [File]
  /// Other names in it, sorted; those that begin with a dot, and `schema.sql`, are left out.
  package let otherNames: [String]

  /// Reads the names in a folder.
  ///
  /// - Throws: ``/ListModel/StoreError`` if it can't be read.
  package init(_ url: URL) throws(StoreError) {
    let names: [String]
    do {
      names = try FileManager.default.contentsOfDirectory(atPath: url.path).sorted()
    } catch {
      throw StoreError(
        .notReadable, "there is no folder of migrations that can be read; name it with --dir",
        file: url.path, cause: error)
    }
    self.url = url
    files = names.compactMap(Self.file).sorted { ($0.version, $0.name) < ($1.version, $1.name) }
    otherNames = names.filter {
      Self.file($0) == nil && !$0.hasPrefix(".") && $0 != "schema.sql"
    }
  }

  /// A file by its name; `nil` for a name that no migration has.
  private static func file(_ name: String) -> File? {
    guard name.hasSuffix(".sql"), name.hasPrefix("v") else { return nil }
    let name = String(name.dropLast(4))
    let digits = name.dropFirst().prefix { ("0"..."9").contains($0) }
    let file = Int(digits).map { File(version: $0, name: name) }
    guard let file, digits.utf8.count >= 4, name.dropFirst(1 + digits.count).first == "_",
      isName(String(file.words))
    else { return nil }
    return file
  }

  /// Whether a text can stand behind the number: words of small letters and digits, with `_` between
  /// them.
  package static func isName(_ text: String) -> Bool {
    let words = text.split(separator: "_", omittingEmptySubsequences: false)
    let letters = Set("abcdefghijklmnopqrstuvwxyz0123456789".utf8)
    return words.allSatisfy { !$0.isEmpty && $0.utf8.allSatisfy(letters.contains) }
  }

  /// Reads the migrations.
  ///
  /// - Throws: ``/ListModel/StoreError`` if a file can't be read, or if the numbers do not count from
  ///   1 without gaps.
  package func migrations() throws(StoreError) -> [Migration] {
    var migrations: [Migration] = []
    for file in files {
      let place = url.appendingPathComponent(file.name + ".sql")
      guard file.version == migrations.count + 1 else {
        throw StoreError(
          .invalidValue, "its number is not \(migrations.count + 1)", file: place.path)
      }
      let sql: String
      do {
        sql = try String(contentsOf: place, encoding: .utf8)
      } catch {
        throw StoreError(.notReadable, "can't be read", file: place.path, cause: error)
      }
      migrations.append(Migration(version: file.version, name: file.name, sql: sql))
    }
    guard !migrations.isEmpty else {
      throw StoreError(.invalidValue, "there is no migration in it", file: url.path)
    }
    return migrations
  }

  /// Makes a migration file with the next number and nothing but a comment in it.
  ///
  /// - Parameter words: What stands behind the number; see ``isName(_:)``.
  /// - Returns: The new file.
  /// - Throws: ``/ListModel/StoreError`` if the words are no name, if another file has them, or if
  ///   the file can't be written.
  package func makeFile(named words: String) throws(StoreError) -> URL {
    guard Self.isName(words) else {
      throw StoreError(
        .invalidValue,
        "\"\(words.cut())\" is no name of a migration: write words of a-z and 0-9 with _ between "
          + "them, such as add_badges", file: url.path)
    }
    if let file = files.first(where: { $0.words == words }) {
      throw StoreError(
        .invalidValue, "\(file.name).sql has this name already; take another one", file: url.path)
    }
    let number = (files.last?.version ?? 0) + 1
    let digits = String(number)
    let zeros = String(repeating: "0", count: max(0, 4 - digits.count))
    let file = url.appendingPathComponent("v\(zeros)\(digits)_\(words).sql")
    do {
      try Data("-- What it changes, and why.\n\n".utf8).write(
        to: file, options: .withoutOverwriting)
    } catch {
      throw StoreError(
        .notWritable, "can't be written: \(error.localizedDescription)", file: file.path,
        cause: error)
    }
    return file
  }
}
