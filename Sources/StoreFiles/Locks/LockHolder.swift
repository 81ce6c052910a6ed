import Foundation

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Android)
  import Android
#endif

/// The processes that hold a lock on a store, if the system says.
///
/// Linux lists all locks in `/proc/locks`, by device and inode. No file of the store is opened for
/// that, because closing it would release every lock that this process has on it. Apple's systems
/// tell of a lock only through an open file, so there no process is named.
package enum LockHolder {
  /// A sentence such as "process 12 (sqlite3) holds the store"; `nil` if no process is known.
  package static func sentence(file: String) -> String? {
    #if os(Linux) || os(Android)
      let path = URL(fileURLWithPath: file).resolvingSymlinksInPath().path
      let files = ["", "-shm"].compactMap { suffix -> (LockedFile, String)? in
        lockedFile(path + suffix, suffix.isEmpty ? databaseRanges : sharedMemoryRanges)
          .map { ($0, path + suffix) }
      }
      var holders: [Int] = []
      // The list is read in pieces and changes between them, so look again if nothing was found.
      for _ in 0..<10 where holders.isEmpty {
        let locks = (try? String(contentsOfFile: "/proc/locks", encoding: .utf8)) ?? ""
        for (file, path) in files {
          for lock in writeLocks(in: locks, on: file)
          where !holders.contains(lock.process)
            && (lock.isOnDevice || hasOpen(path, process: lock.process))
          {
            holders.append(lock.process)
          }
        }
      }
      guard !holders.isEmpty else { return nil }
      let names = holders.map(name(of:))
      return names.joined(separator: " and ") + (names.count == 1 ? " holds" : " hold")
        + " the store"
    #else
      return nil
    #endif
  }

  /// A sentence such as "process 12 (MyApp) has the store open"; `nil` if no other process has a
  /// lock on it, as far as the system says.
  package static func connections(ofDatabase file: String) -> String? {
    #if os(Linux) || os(Android)
      guard let database = lockedFile(file, databaseRanges) else { return nil }
      let locks = (try? String(contentsOfFile: "/proc/locks", encoding: .utf8)) ?? ""
      let processes = Set(
        Self.locks(["READ", "WRITE"], in: locks, on: database)
          .filter { $0.isOnDevice || hasOpen(file, process: $0.process) }.map(\.process)
      ).subtracting([Int(getpid())]).sorted()
      guard !processes.isEmpty else { return nil }
      return processes.map(name(of:)).joined(separator: " and ")
        + (processes.count == 1 ? " has" : " have") + " the store open"
    #else
      return nil
    #endif
  }

  /// A file as `/proc/locks` names it, and the bytes of it that SQLite locks.
  package struct LockedFile: Sendable {
    var major: Int
    var minor: Int
    var inode: UInt64
    var ranges: ClosedRange<UInt64>

    /// A file on a device: a database, or its shared memory.
    package init(major: Int, minor: Int, inode: UInt64, isSharedMemory: Bool) {
      self.init(
        major: major, minor: minor, inode: inode,
        ranges: isSharedMemory ? sharedMemoryRanges : databaseRanges)
    }

    init(major: Int, minor: Int, inode: UInt64, ranges: ClosedRange<UInt64>) {
      self.major = major
      self.minor = minor
      self.inode = inode
      self.ranges = ranges
    }
  }

  /// A lock on a file that keeps others from writing.
  package struct Lock: Hashable, Sendable {
    /// The process that holds it.
    package var process: Int
    /// Whether the lock names the file's device; layered file systems name another one.
    package var isOnDevice: Bool

    /// A lock of a process.
    package init(process: Int, isOnDevice: Bool) {
      self.process = process
      self.isOnDevice = isOnDevice
    }
  }

  /// The bytes that SQLite locks in a database: pending, reserved, and 510 shared ones.
  private static let databaseRanges: ClosedRange<UInt64> = 0x4000_0000...0x4000_0000 + 511
  /// The bytes that SQLite locks in shared memory: for writing, for checkpoints, for recovery, and
  /// five for reading.
  private static let sharedMemoryRanges: ClosedRange<UInt64> = 120...127

  /// The locks in a list that keep others from writing to a file.
  ///
  /// `list`: Lines such as `1: POSIX  ADVISORY  WRITE 1234 08:01:5678 120 120`.
  package static func writeLocks(in list: String, on file: LockedFile) -> [Lock] {
    locks(["WRITE"], in: list, on: file)
  }

  private static func locks(
    _ kinds: Set<String>, in list: String, on file: LockedFile
  ) -> [Lock] {
    list.split(separator: "\n").compactMap { line in
      let words = line.split(separator: " ")
      // A process that waits for a lock has an arrow after the number of the lock.
      guard words.count == 8, kinds.contains(String(words[3])), let process = Int(words[4]) else {
        return nil
      }
      let place = words[5].split(separator: ":")
      guard place.count == 3, UInt64(place[2]) == file.inode, let first = UInt64(words[6]) else {
        return nil
      }
      let last = UInt64(words[7]) ?? .max
      guard first <= last, (first...last).overlaps(file.ranges) else { return nil }
      let isOnDevice =
        Int(place[0], radix: 16) == file.major && Int(place[1], radix: 16) == file.minor
      return Lock(process: process, isOnDevice: isOnDevice)
    }
  }

  /// A file at a path, with links followed, as `/proc/locks` names it.
  private static func lockedFile(_ path: String, _ ranges: ClosedRange<UInt64>) -> LockedFile? {
    guard let file = FileIdentity(of: path) else { return nil }
    let (device, low12, low8) = (file.device, UInt64(0xFFF), UInt64(0xFF))
    let major = (device >> 8) & low12 | (device >> 32) & ~low12
    let minor = device & low8 | (device >> 12) & ~low8
    return LockedFile(major: Int(major), minor: Int(minor), inode: file.inode, ranges: ranges)
  }

  private static func name(of process: Int) -> String {
    if process == Int(getpid()) { return "another connection of this process" }
    // The system gives no number for a process outside this container.
    if process <= 0 { return "a process that can't be seen from here" }
    let name = try? String(contentsOfFile: "/proc/\(process)/comm", encoding: .utf8)
    // Another user may have chosen the name, so it must not control a terminal.
    let shown = name?.filter { $0.isASCII && ($0.isLetter || $0.isNumber || "-_.".contains($0)) }
    return "process \(process)" + (shown.map { " (\($0))" } ?? "")
  }

  /// Whether a process has a file open, as far as the system lets us see.
  private static func hasOpen(_ path: String, process: Int) -> Bool {
    let folder = "/proc/\(process)/fd"
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    return names.contains { name in
      (try? FileManager.default.destinationOfSymbolicLink(atPath: "\(folder)/\(name)")) == path
    }
  }
}
