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
  /// in their header, and those that have lost it: see ``StoreTraces``. Links in a folder are not
  /// followed, other volumes are left out, and so is what begins with a dot: backups and drafts lie
  /// there.
  static func stores(in arguments: [String]) -> [Found] {
    var seen: Set<String> = []
    return arguments.flatMap { argument -> [Found] in
      guard let status = FileStatus(following: argument), status.kind == .folder else {
        return [Found(path: argument)]
      }
      return stores(inFolder: argument, on: status.identity.device)
    }.filter { found in
      let path = try? StorePath.resolved(URL(fileURLWithPath: found.path))
      return seen.insert(path ?? found.path).inserted
    }
  }

  private static func stores(inFolder folder: String, on device: UInt64) -> [Found] {
    var walk = Walk(device: device)
    walk.search(folder.count > 1 && folder.hasSuffix("/") ? String(folder.dropLast()) : folder)
    walk.line.clear()
    if !walk.found.isEmpty { return walk.found }
    return [
      Found(
        path: folder,
        failure: StoreError(.fileNotFound, "it is a folder, and no store is in it", file: folder))
    ]
  }

  private struct Walk {
    let device: UInt64
    var found: [Found] = []
    var line = ProgressLine()
    private var fileCount = 0

    init(device: UInt64) { self.device = device }

    mutating func search(_ folder: String) {
      let names: [String]
      do {
        names = try FileManager.default.contentsOfDirectory(atPath: folder).sorted()
      } catch {
        let failure = StoreError(
          .notReadable, "the folder can't be read", file: folder, cause: error)
        return found.append(Found(path: folder, failure: failure))
      }
      let all = Set(names)
      for name in names where !name.hasPrefix(".") {
        let path = folder == "/" ? "/" + name : folder + "/" + name
        guard let status = FileStatus(of: path), status.identity.device == device else { continue }
        switch status.kind {
        case .folder: search(path)
        case .file:
          fileCount += 1
          line.show("\(fileCount) files looked at, \(found.count) stores found: \(folder)")
          if StoreTraces.isStore(path, of: status.byteCount, beside: all) {
            found.append(Found(path: path))
          }
        case .link, .other: break
        }
      }
    }
  }
}
