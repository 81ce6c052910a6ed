import FaultVFS
import Foundation
import SimulatedSystem

/// A folder whose files of SQLite are on a disk that fails, and that loses what was not synced.
@MainActor final class SimulatedDisk {
  let folder: URL
  private let images: URL
  private var scope: OpaquePointer?

  /// Makes the folder.
  ///
  /// `seed`: Decides what a power failure leaves; `nil` if none comes.
  init(_ name: String, in parent: URL, seed: UInt64?) throws {
    folder = parent.appendingPathComponent(name)
    images = parent.appendingPathComponent(name + "-images")
    for url in [folder, images] {
      try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    }
    mount(seed)
  }

  private func mount(_ seed: UInt64?) {
    scope = fault_scope_begin(folder.path + "/", false)
    if let seed { fault_scope_record(scope, images.path, 0, seed) }
  }

  /// Has calls fail.
  func fail(_ number: UInt64, isFull: Bool) {
    var random = Randomness(seed: number)
    let kinds: [Int] =
      isFull
      ? [FAULT_WRITE | FAULT_CREATE | FAULT_MAP]
      : [
        FAULT_READ, FAULT_WRITE, FAULT_SYNC, FAULT_TRUNCATE, FAULT_WRITE | FAULT_SYNC,
        FAULT_OPEN | FAULT_CREATE, FAULT_INDEX_LOCK,
      ]
    fault_scope_arm(
      scope,
      FaultPlan(
        kinds: UInt32(kinds[random.below(kinds.count)]), first: Int64(1 + random.below(20)),
        lasts: isFull || random.percent(50), isShort: random.percent(20),
        systemError: isFull ? ENOSPC : EIO, result: 0))
  }

  func heal() { fault_scope_disarm(scope) }

  /// The power fails: what was not synced may be lost, torn and out of order.
  ///
  /// All processes that use it must have been ended before.
  ///
  /// `seed`: Decides what the next failure leaves.
  func failPower(nextSeed seed: UInt64) throws {
    let cut = fault_scope_cut(scope)
    fault_scope_end(scope)
    for file in try FileManager.default.contentsOfDirectory(
      at: folder, includingPropertiesForKeys: nil)
    {
      try FileManager.default.removeItem(at: file)
    }
    let image = images.appendingPathComponent("\(cut)")
    for file in try FileManager.default.contentsOfDirectory(
      at: image, includingPropertiesForKeys: nil)
    {
      try FileManager.default.copyItem(
        at: file, to: folder.appendingPathComponent(file.lastPathComponent))
    }
    try FileManager.default.removeItem(at: image)
    mount(seed)
  }

  func end() { fault_scope_end(scope) }
}
