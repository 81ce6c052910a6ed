import FaultVFS
import Foundation
import ListModel

/// A way in which I/O calls fail.
struct Fault: Sendable, CustomStringConvertible {
  /// What calls are to do.
  struct Kinds: OptionSet, Sendable {
    let rawValue: UInt32

    init(rawValue: UInt32) { self.rawValue = rawValue }

    private init(_ value: Int) { rawValue = UInt32(value) }

    static let open = Kinds(FAULT_OPEN)
    static let create = Kinds(FAULT_CREATE)
    static let read = Kinds(FAULT_READ)
    static let write = Kinds(FAULT_WRITE)
    static let sync = Kinds(FAULT_SYNC)
    static let truncate = Kinds(FAULT_TRUNCATE)
    static let delete = Kinds(FAULT_DELETE)
    static let access = Kinds(FAULT_ACCESS)
    static let size = Kinds(FAULT_SIZE)
    static let lock = Kinds(FAULT_LOCK)
    static let map = Kinds(FAULT_MAP)
    static let indexLock = Kinds(FAULT_INDEX_LOCK)
  }

  let name: String
  let kinds: Kinds
  var systemError: Int32 = EIO
  var isShort = false
  /// SQLite's code, where it is not the usual one.
  var result: Int32 = 0
  /// What the error may say that a caller gets.
  let codes: Set<StoreError.Code>
  /// Whether each later call fails as well.
  var lasts = false

  var description: String { "\(name), \(lasts ? "for ever" : "once")" }

  /// Each way, once and for ever.
  static let all: [Fault] = ways.flatMap { way in
    var lasting = way
    lasting.lasts = true
    return [way, lasting]
  }

  private static let ways = [
    Fault(name: "failed read", kinds: .read, codes: [.inputOutput]),
    Fault(name: "failed write", kinds: .write, codes: [.inputOutput]),
    Fault(name: "failed sync", kinds: .sync, codes: [.inputOutput]),
    Fault(name: "failed truncation", kinds: .truncate, codes: [.inputOutput]),
    Fault(
      name: "failed open", kinds: [.open, .create],
      codes: [.inputOutput, .notReadable, .notWritable]),
    Fault(name: "failed deletion", kinds: .delete, codes: [.inputOutput]),
    Fault(name: "failed look", kinds: [.access, .size], codes: [.inputOutput]),
    Fault(name: "failed map", kinds: .map, codes: [.inputOutput]),
    Fault(name: "failed lock", kinds: [.lock, .indexLock], codes: [.inputOutput]),
    Fault(
      name: "short write, then an error", kinds: .write, isShort: true, codes: [.inputOutput]),
    // SQLite takes a write of fewer bytes for a full disk.
    Fault(
      name: "short write", kinds: .write, systemError: 0, isShort: true, codes: [.storeFull]),
    Fault(name: "full disk", kinds: .write, systemError: ENOSPC, codes: [.storeFull]),
    Fault(
      name: "full disk, nothing grows", kinds: [.write, .create, .map], systemError: ENOSPC,
      // What can't be made for want of room SQLite can't open; it does not say why.
      codes: [.storeFull, .notWritable, .inputOutput]),
  ]
}
