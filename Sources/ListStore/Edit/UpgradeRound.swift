import Dispatch
import ListModel
import StoreFiles

/// The work that can be done at the same time while contents are upgraded: one slice is written, the
/// next one is upgraded, and the one after that is read.
///
/// Upgrading takes the longest, so a slice is upgraded in parts: whichever thread has ended its work
/// takes the next part.
struct UpgradeRound {
  /// A slice that was upgraded and is to be written.
  struct Ready {
    var items: UpgradedItems
    /// How many items were looked at for it.
    var checkedCount: Int
  }

  /// The slice to be written; `nil` in the first round.
  var ready: Ready?
  /// The slice to be upgraded; `nil` after the last one.
  var slice: OutdatedItems?

  var isEmpty: Bool { ready == nil && slice == nil }

  /// Small enough that threads end at about the same time, and large enough to be decoded together.
  private static let partSize = 125

  /// Does the work, and returns when all of it is done.
  ///
  /// - Parameters:
  ///   - write: Writes a slice.
  ///   - read: Reads the slice from a path on.
  /// - Returns: What was written, and the next round.
  /// - Throws: What `write` and `read` throw, or upgrading.
  func run(
    write: @Sendable (ItemChanges) throws -> Commit?,
    read: @Sendable (ItemPath) throws -> OutdatedItems?
  ) throws -> (written: Commit?, round: UpgradeRound) {
    let count = slice?.items.count ?? 0
    let parts = stride(from: 0, to: count, by: Self.partSize)
      .map { $0..<min($0 + Self.partSize, count) }
    let written = Guarded<Result<Commit?, any Error>>(.success(nil))
    let next = Guarded<Result<OutdatedItems?, any Error>>(.success(nil))
    let upgraded = Guarded<[Result<UpgradedItems, any Error>?]>(parts.map { _ in nil })
    DispatchQueue.concurrentPerform(iterations: 2 + parts.count) { index in
      switch index {
      case 0:
        let result = Result { try ready.flatMap { try write($0.items.changes) } }
        written.withValue { $0 = result }
      case 1:
        let result = Result { try slice?.end.flatMap { try read($0) } }
        next.withValue { $0 = result }
      default:
        let result = Result { try slice?.upgraded(parts[index - 2]) ?? UpgradedItems() }
        upgraded.withValue { $0[index - 2] = result }
      }
    }
    let commit = try written.withValue { try $0.get() }
    var round = UpgradeRound(slice: try next.withValue { try $0.get() })
    if let slice {
      var items = UpgradedItems()
      for part in upgraded.withValue({ $0 }) {
        guard let part = try part?.get() else { continue }
        items.changes += part.changes
        items.failures += part.failures
      }
      round.ready = Ready(items: items, checkedCount: slice.size.checkedCount)
    }
    return (commit, round)
  }
}
