import Foundation

/// The state of a store's files at a moment, which shows whether somebody writes.
struct FilesState: Equatable {
  /// The head of the log, which changes when the log is started anew.
  let head: WriteAheadLog.Head?
  private let files: [FileStatus?]

  var hasIndex: Bool { files[3] != nil }

  init(_ database: DatabaseFile, _ name: String) {
    head = (try? SidecarFile(.log, of: database.path, naming: name))
      .flatMap { $0 }.flatMap(WriteAheadLog.Head.init)
    files = Sidecar.suffixes.map { FileStatus(of: database.path + $0) }
  }

  /// Whether nobody can have written between this state and a later one what only a part of the
  /// database shows.
  func isSameMoment(as later: FilesState) -> Bool {
    // An empty log may have been filled, copied into the file and emptied.
    let mayHaveHadLog = head == nil && (hasIndex || later.hasIndex)
    return mayHaveHadLog ? self == later && isOld : head == later.head
  }

  /// Whether the last change is so long ago that another one would show in the modification
  /// times, whose resolution is some milliseconds.
  var isOld: Bool {
    var now = timespec()
    clock_gettime(CLOCK_REALTIME, &now)
    let limit = Int(now.tv_sec) * 1_000 + Int(now.tv_nsec) / 1_000_000 - 100
    // The index is written in shared memory, so its time does not change.
    return files[..<3].allSatisfy { ($0?.modifiedAt ?? 0) / 1_000_000 < limit }
  }
}
