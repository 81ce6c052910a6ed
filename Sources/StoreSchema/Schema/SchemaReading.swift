import Foundation
import GRDB
import ListModel
import StoreFiles

/// Reads what a schema takes, which is little, without copying the store.
enum SchemaReading {
  /// Reads a store where it lies; neither it nor any file beside it is changed.
  ///
  /// It is copied only if it can't be read so: a transaction was cut off, its file system has no
  /// locks, or it is written without a pause.
  ///
  /// - Parameters:
  ///   - file: The store.
  ///   - attempt: What is attempted, as in "read the schema".
  ///   - body: Reads it; called again if somebody has written meanwhile.
  /// - Returns: What `body` returns.
  /// - Throws: ``/ListModel/StoreError`` if the file is no store, or what `body` throws.
  static func read<Value>(
    _ file: URL, attempt: String, _ body: (Database) throws -> Value
  ) throws(StoreError) -> Value {
    _ = try StoreHeader(of: file)
    do {
      do {
        return try InPlaceStore.read(file) { name in
          var configuration = Configuration.store(timeLimit: TimeLimit.seconds(for: name))
          configuration.readonly = true
          return try read(name, configuration, body)
        }
      } catch let error as StoreError where error.code == .notReadable {
        let copy = try PrivateCopy(of: file)
        return try read(
          copy.file, .store(timeLimit: TimeLimit.seconds(for: copy.file)), body)
      }
    } catch {
      throw .wrap(error, attempt: attempt, file: file.path)
    }
  }

  private static func read<Value>(
    _ file: URL, _ configuration: Configuration, _ body: (Database) throws -> Value
  ) throws -> Value {
    let queue = try DatabaseQueue(path: file.path, configuration: configuration)
    defer { try? queue.close() }
    return try queue.read(body)
  }
}
