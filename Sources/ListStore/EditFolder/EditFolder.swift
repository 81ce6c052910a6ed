public import Foundation
public import ListModel
import ListTables
import StoreFiles

extension Repository {
  /// A folder beside a store for edits of other processes, which they leave there without opening the
  /// store: <doc:EditFolder>.
  ///
  /// ```swift
  /// let edits = Repository.EditFolder(for: store)
  /// try edits.append([.deleteItem("emma")], to: "shelf")
  /// ```
  ///
  /// The app imports them with ``Repository/importEdits()``. An edit is a file of its own that appears
  /// whole or not at all. So no lock is needed, and any number of threads and processes can append.
  public struct EditFolder: Sendable {
    /// The store's path and `-edits`.
    public let url: URL
    private let store: URL
    private let durability: Durability

    /// The largest edit, in bytes of its file.
    public static let maximumByteCount = 16 << 20

    /// Rises by itself, so that edits of a process stay in order when its clock is set back.
    private static let lastTime = Guarded<UInt64>(0)

    /// The edit folder of a store, which need not exist yet.
    ///
    /// - Parameters:
    ///   - store: The store's file.
    ///   - durability: Whether an edit survives a power failure once it was appended.
    public init(for store: URL, durability: Durability = .normal) {
      self.store = store
      url = URL(fileURLWithPath: store.path + "-edits")
      self.durability = durability
    }

    /// Leaves an edit for the app.
    ///
    /// - Parameters:
    ///   - changes: The changes, which are applied in one commit or not at all.
    ///   - list: The list.
    ///   - author: The author of the commit.
    ///   - isPending: Whether the edit enters the list's outbox, for a server to answer.
    /// - Throws: ``/ListModel/StoreError`` if the folder can't be written, with
    ///   ``/ListModel/StoreError/Code/feedLimit`` for an edit that is too large. Nothing is then left.
    public func append(
      _ changes: [Change], to list: ListID, by author: Author = .app,
      pending isPending: Bool = false
    ) throws(StoreError) {
      try append(changes.map { .change($0) }, to: list, by: author, isPending)
    }

    func append(
      _ changes: [LeftChange], to list: ListID, by author: Author, _ isPending: Bool
    ) throws(StoreError) {
      let edit = LeftEdit(
        list: list, author: author, time: WallClock.now, isPending: isPending, changes: changes)
      let line = Data((edit.line + "\n").utf8)
      guard line.count <= Self.maximumByteCount else {
        throw StoreError(
          .feedLimit,
          "the edit takes \(line.count) bytes, and at most \(Self.maximumByteCount) are allowed. Make "
            + "several edits of it",
          file: url.path)
      }
      let name = "\(Self.nextTime())-\(EditRecord.newName())"
      let hidden = url.appendingPathComponent("." + name)
      let file = url.appendingPathComponent(name + LeftEditFiles.suffix)
      do {
        try PrivateFolder.make(url, to: "leave an edit", beside: store)
        try line.write(to: hidden)
        try FilePrivacy.usersAlone.apply(to: hidden.path)
        if durability == .full { try DurableFile.synchronise(hidden.path) }
        try FileManager.default.moveItem(at: hidden, to: file)
        if durability == .full { try DurableFile.synchronise(url.path) }
      } catch {
        try? FileManager.default.removeItem(at: hidden)
        throw .editFolder(error, "leave an edit", url)
      }
    }

    /// Microseconds since 1970, as 16 hexadecimal digits.
    private static func nextTime() -> String {
      let now = UInt64(max(0, Date().timeIntervalSince1970 * 1e6))
      let time = lastTime.withValue { last in
        last = max(last + 1, now)
        return last
      }
      let digits = String(time, radix: 16)
      return String(repeating: "0", count: 16 - digits.count) + digits
    }
  }
}

extension StoreError {
  /// The error for a file of an edit folder.
  static func editFolder(_ error: any Error, _ attempt: String, _ file: URL) -> StoreError {
    if let error = error as? StoreError { return error }
    return StoreError(
      .notWritable, "can't \(attempt): \(error.localizedDescription)", file: file.path, cause: error
    )
  }
}
