#if os(Linux) || os(Android)
  import Foundation
  import StoreFiles

  #if canImport(Glibc)
    import Glibc
  #elseif canImport(Musl)
    import Musl
  #elseif canImport(Android)
    import Android
  #endif

  /// Fires when something is written to a store's files, or one of them comes or goes: inotify.
  ///
  /// The folder is watched, not the files: it stays while the write-ahead log is deleted and made
  /// anew, and while another file takes the store's place. Other files of the folder do not count.
  final class FolderSignal: CommitSignal {
    private let folder: String
    /// The store's name, with which the names of its other files begin.
    private let name: [UInt8]
    private let inotify = Guarded<Int32?>(nil)

    private static let events = UInt32(
      IN_MODIFY | IN_CREATE | IN_DELETE | IN_MOVED_FROM | IN_MOVED_TO | IN_DELETE_SELF
        | IN_MOVE_SELF)

    init(_ path: String) {
      // SQLite keeps the write-ahead log beside the file that a link leads to.
      let file = URL(fileURLWithPath: path).resolvingSymlinksInPath()
      folder = file.deletingLastPathComponent().path
      name = Array(file.lastPathComponent.utf8)
    }

    func start(handler: @escaping @Sendable () -> Void) throws {
      let descriptor = inotify_init1(Int32(IN_NONBLOCK | IN_CLOEXEC))
      guard descriptor >= 0 else { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
      guard inotify_add_watch(descriptor, folder, Self.events) >= 0 else {
        let code = errno
        close(descriptor)
        throw POSIXError(POSIXErrorCode(rawValue: code) ?? .EIO)
      }
      inotify.withValue { $0 = descriptor }
    }

    func stop() {
      inotify.withValue { descriptor in
        if let descriptor { close(descriptor) }
        descriptor = nil
      }
    }

    var descriptor: Int32? { inotify.withValue { $0 } }

    func drain() -> Bool {
      inotify.withValue { $0.map(readEvents) ?? false }
    }

    /// Takes all events that wait.
    ///
    /// - Returns: Whether one of them is about the store.
    private func readEvents(_ descriptor: Int32) -> Bool {
      var isAboutStore = false
      withUnsafeTemporaryAllocation(
        byteCount: 4_096, alignment: MemoryLayout<inotify_event>.alignment
      ) { buffer in
        guard let start = buffer.baseAddress else { return }
        while case let count = read(descriptor, start, buffer.count), count > 0 {
          var events = UnsafeRawBufferPointer(start: start, count: count)[...]
          while !events.isEmpty {
            let event = UnsafeRawBufferPointer(rebasing: events).loadUnaligned(
              as: inotify_event.self)
            events = events.dropFirst(MemoryLayout<inotify_event>.size)
            // An event without a name is about the folder, or says that events were lost.
            if event.len == 0 || events.starts(with: name) { isAboutStore = true }
            events = events.dropFirst(Int(event.len))
          }
        }
      }
      return isAboutStore
    }
  }
#endif
