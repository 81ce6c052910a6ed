import Foundation
import ListModel
import StoreFiles

/// The stores that arguments name.
enum StoreSearch {
  /// A store by its path; or why a folder has none.
  struct Found: Sendable {
    let path: String
    var failure: StoreError?
  }

  /// The stores in the order of the arguments, each once, those of a folder by their paths.
  ///
  /// A file that is named itself is always among them. Of a folder, those are that have Cellar's mark
  /// in their header. Links in a folder are not followed, and what begins with a dot is left out:
  /// backups and drafts lie there.
  static func stores(in arguments: [String]) -> [Found] {
    var seen: Set<String> = []
    return arguments.flatMap { argument -> [Found] in
      isFolder(argument, followingLinks: true)
        ? stores(inFolder: argument) : [Found(path: argument)]
    }.filter { found in
      let path = try? StorePath.resolved(URL(fileURLWithPath: found.path))
      return seen.insert(path ?? found.path).inserted
    }
  }

  private static func stores(inFolder folder: String) -> [Found] {
    let found = search(
      folder.count > 1 && folder.hasSuffix("/") ? String(folder.dropLast()) : folder)
    if !found.isEmpty { return found }
    return [
      Found(
        path: folder,
        failure: StoreError(.fileNotFound, "it is a folder, and no store is in it", file: folder))
    ]
  }

  private static func search(_ folder: String) -> [Found] {
    let names: [String]
    do {
      names = try FileManager.default.contentsOfDirectory(atPath: folder).sorted()
    } catch {
      return [
        Found(
          path: folder,
          failure: StoreError(.notReadable, "the folder can't be read", file: folder, cause: error))
      ]
    }
    return names.filter { !$0.hasPrefix(".") }.flatMap { name -> [Found] in
      let path = folder == "/" ? "/" + name : folder + "/" + name
      if isFolder(path, followingLinks: false) { return search(path) }
      return hasMark(path) ? [Found(path: path)] : []
    }
  }

  private static func isFolder(_ path: String, followingLinks: Bool) -> Bool {
    (followingLinks ? FileStatus(following: path) : FileStatus(of: path))?.kind == .folder
  }

  /// Whether a regular file begins as a store does.
  private static func hasMark(_ path: String) -> Bool {
    guard FileStatus(of: path)?.kind == .file,
      let bytes = try? DatabaseFile.firstBytes(of: path, naming: path)
    else { return false }
    return DatabaseHeader(bytes)?.applicationID == StoreHeader.applicationID
  }
}
