package import Foundation

/// Everything that a look must not change in a folder: names, bytes, times, kinds, permissions.
package struct FolderSnapshot: Equatable, Sendable {
  private struct Entry: Equatable, Sendable {
    var bytes: Data?
    var modified: Date?
    var number: Int?
    var permissions: Int?
  }

  private var entries: [String: Entry] = [:]

  /// Reads a folder, the folder itself included; what is no regular file is only described.
  package init(of folder: URL) throws {
    for name in ["."] + (try FileManager.default.contentsOfDirectory(atPath: folder.path)) {
      let path = name == "." ? folder.path : folder.appendingPathComponent(name).path
      let attributes = try FileManager.default.attributesOfItem(atPath: path)
      let isRegular = attributes[.type] as? FileAttributeType == .typeRegular
      entries[name] = Entry(
        bytes: isRegular ? try Data(contentsOf: URL(fileURLWithPath: path)) : nil,
        modified: attributes[.modificationDate] as? Date,
        number: attributes[.systemFileNumber] as? Int,
        permissions: attributes[.posixPermissions] as? Int)
    }
  }

  /// The names in the folder, sorted.
  package var names: [String] { entries.keys.filter { $0 != "." }.sorted() }

  /// Names and bytes alone, without times and file numbers.
  package var contents: [String: Data] {
    entries.filter { $0.key != "." }.compactMapValues(\.bytes)
  }

  /// What differs, such as `store.sqlite-wal: bytes`; empty if nothing does.
  package func changes(to other: FolderSnapshot) -> [String] {
    Set(entries.keys).union(other.entries.keys).sorted().flatMap { name -> [String] in
      guard let before = entries[name] else { return ["\(name): appeared"] }
      guard let after = other.entries[name] else { return ["\(name): went away"] }
      var changes: [String] = []
      if before.bytes != after.bytes { changes.append("\(name): bytes") }
      if before.modified != after.modified { changes.append("\(name): time") }
      if before.number != after.number { changes.append("\(name): another file") }
      if before.permissions != after.permissions { changes.append("\(name): permissions") }
      return changes
    }
  }
}
