import Foundation

/// The files and folders that this process has made for itself, and that must not stay behind.
///
/// A process that is told to end removes them with ``removeAll(andEnd:)``. What a killed one leaves is
/// removed by the next: see ``OwnedFolder``.
package enum OwnedPaths {
  private static let paths = Guarded<Set<String>>([])

  /// Makes something, and adds it unless the system refuses; a signal comes before both or after.
  ///
  /// - Parameters:
  ///   - path: Its path.
  ///   - make: Makes it; a number below 0 if it failed.
  /// - Returns: What `make` returns.
  package static func add(_ path: String, making make: () -> Int32) -> Int32 {
    paths.withValue { paths in
      let result = make()
      if result >= 0 { paths.insert(path) }
      return result
    }
  }

  /// Takes out what is gone, or has become somebody else's.
  package static func remove(_ path: String) { paths.withValue { _ = $0.remove(path) } }

  /// Removes everything, and ends the process.
  ///
  /// Whoever would add something meanwhile waits until the process has ended.
  package static func removeAll(andEnd end: () -> Never) -> Never {
    paths.withValue { paths in
      for path in paths {
        // Other threads may still make files in a folder.
        for _ in 0..<100 where FileStatus(of: path) != nil {
          try? FileManager.default.removeItem(atPath: path)
        }
      }
      end()
    }
  }
}
