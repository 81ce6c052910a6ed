import Dispatch
import ListItems
import ListModel
import StoreFiles

/// The changes of a slice of items, and why others of it can't be changed.
struct SliceChanges: Sendable {
  var changes: ItemChanges = []
  var failures: [ItemTypeError] = []
}

/// What can be done at the same time while items are changed: one slice is written, the next one is
/// changed, and the one after that is read.
struct SliceRound: Sendable {
  /// A slice whose changes are made and are to be written.
  struct Ready: Sendable {
    var changes = SliceChanges()
    /// How many items were looked at for it.
    var checkedCount: Int
  }

  /// What writing a slice has done: the commit, and the rows of the changed items.
  typealias Written = (commit: Commit, rows: [Int])

  /// The slice to be written; `nil` in the first round.
  var ready: Ready?
  /// The slice to be changed; `nil` after the last one.
  var slice: ItemSlice?

  var isEmpty: Bool { ready == nil && slice == nil }

  /// Does one after the other.
  ///
  /// - Parameters:
  ///   - write: Writes a slice.
  ///   - read: Reads the slice from a path on.
  ///   - change: Makes the changes of items.
  /// - Returns: What was written, and the next round.
  /// - Throws: What the closures throw.
  func run(
    write: (ItemChanges) throws -> Written?, read: (ItemPath) throws -> ItemSlice?,
    change: ([SlicedItem]) throws -> SliceChanges
  ) throws -> (written: Written?, next: SliceRound) {
    let written = try ready.flatMap { try write($0.changes.changes) }
    guard let slice else { return (written, SliceRound()) }
    let changes = slice.items.isEmpty ? SliceChanges() : try change(slice.items)
    return (
      written,
      SliceRound(
        ready: Ready(changes: changes, checkedCount: slice.checkedCount),
        slice: try slice.end.flatMap(read))
    )
  }

  /// Small enough that threads end at about the same time, and large enough to be decoded together.
  private static let partSize = 125

  /// Does all of it at the same time, and returns when all is done; otherwise as
  /// ``run(write:read:change:)``.
  ///
  /// To make the changes takes the longest, so a slice is changed in parts: whichever thread has
  /// ended its work takes the next part.
  func runAtOnce(
    write: @Sendable (ItemChanges) throws -> Written?,
    read: @Sendable (ItemPath) throws -> ItemSlice?,
    change: @Sendable ([SlicedItem]) throws -> SliceChanges
  ) throws -> (written: Written?, next: SliceRound) {
    let items = slice?.items ?? []
    let parts = stride(from: 0, to: items.count, by: Self.partSize)
      .map { $0..<min($0 + Self.partSize, items.count) }
    let written = Guarded<Result<Written?, any Error>>(.success(nil))
    let following = Guarded<Result<ItemSlice?, any Error>>(.success(nil))
    let changed = Guarded<[Result<SliceChanges, any Error>?]>(parts.map { _ in nil })
    DispatchQueue.concurrentPerform(iterations: 2 + parts.count) { index in
      switch index {
      case 0:
        let result = Result { try ready.flatMap { try write($0.changes.changes) } }
        written.withValue { $0 = result }
      case 1:
        let result = Result { try slice?.end.flatMap { try read($0) } }
        following.withValue { $0 = result }
      default:
        let result = Result { try change(Array(items[parts[index - 2]])) }
        changed.withValue { $0[index - 2] = result }
      }
    }
    let commit = try written.withValue { try $0.get() }
    var next = SliceRound(slice: try following.withValue { try $0.get() })
    if let slice {
      var changes = SliceChanges()
      for part in changed.withValue({ $0 }) {
        guard let part = try part?.get() else { continue }
        changes.changes += part.changes
        changes.failures += part.failures
      }
      next.ready = Ready(changes: changes, checkedCount: slice.checkedCount)
    }
    return (commit, next)
  }
}
