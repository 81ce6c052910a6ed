#if canImport(Darwin)
  import Darwin
  import Dispatch
  import Foundation
  import StoreFiles
  import notify

  /// Fires when a Repository of another process has committed: a Darwin notification.
  ///
  /// Its name is the file's device and inode, which all processes see alike, also where they reach
  /// the file by different paths. A suspended app gets it when it goes on.
  final class NotificationSignal: CommitSignal {
    private let name: String?
    private let queue = DispatchQueue(label: "Cellar notifications", qos: .userInitiated)
    private let token = Guarded<Int32?>(nil)

    init(_ path: String) { name = Self.name(path) }

    private static func name(_ path: String) -> String? {
      FileIdentity(of: path).map { "cellar.commit.\($0.name)" }
    }

    /// Fires in the other processes.
    static func post(_ path: String) {
      if let name = name(path) { notify_post(name) }
    }

    func start(handler: @escaping @Sendable () -> Void) throws {
      guard let name else { throw POSIXError(.ENOENT) }
      var token: Int32 = 0
      guard notify_register_dispatch(name, &token, queue, { _ in handler() }) == NOTIFY_STATUS_OK
      else { throw POSIXError(.ENOTSUP) }
      self.token.withValue { [token] in $0 = token }
    }

    func stop() {
      token.withValue { token in
        if let token { notify_cancel(token) }
        token = nil
      }
    }
  }

  /// Fires when something is written to a store's write-ahead log, or files of its folder come and
  /// go: kqueue.
  ///
  /// It notices writers that post nothing, such as other programs.
  final class LogFileSignal: CommitSignal {
    private let folder: String
    private let log: String
    private let queue = DispatchQueue(label: "Cellar log", qos: .userInitiated)
    private let state = Guarded(State())

    private struct State {
      var folder: (any DispatchSourceFileSystemObject)?
      var log: (any DispatchSourceFileSystemObject)?
      /// The log that is watched: it is deleted and made anew.
      var identity: FileIdentity?
    }

    init(_ path: String) {
      // SQLite keeps the write-ahead log beside the file that a link leads to.
      let file = URL(fileURLWithPath: path).resolvingSymlinksInPath()
      folder = file.deletingLastPathComponent().path
      log = file.path + "-wal"
    }

    func start(handler: @escaping @Sendable () -> Void) throws {
      let source = try source(folder)
      source.setEventHandler { [weak self] in
        self?.watchLog(handler)
        handler()
      }
      state.withValue { $0.folder = source }
      source.resume()
      watchLog(handler)
    }

    /// Watches the log that is there now; without one, its coming is an event of the folder.
    private func watchLog(_ handler: @escaping @Sendable () -> Void) {
      state.withValue { state in
        let identity = FileIdentity(of: log)
        guard state.folder != nil, identity != state.identity else { return }
        state.log?.cancel()
        state.log = try? source(log)
        state.identity = state.log == nil ? nil : identity
        state.log?.setEventHandler(handler: handler)
        state.log?.resume()
      }
    }

    func stop() {
      state.withValue { state in
        state.folder?.cancel()
        state.log?.cancel()
        state = State()
      }
    }

    private func source(_ path: String) throws -> any DispatchSourceFileSystemObject {
      // SQLite locks neither the folder nor the log, so closing the descriptor releases no lock.
      let descriptor = open(path, O_EVTONLY | O_CLOEXEC)
      guard descriptor >= 0 else { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
      let source = DispatchSource.makeFileSystemObjectSource(
        fileDescriptor: descriptor, eventMask: [.write, .extend, .delete, .rename, .revoke],
        queue: queue)
      source.setCancelHandler { close(descriptor) }
      return source
    }
  }
#endif
