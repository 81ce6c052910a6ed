#if os(Linux)
  import Foundation
  import Glibc
  import Testing

  /// Notes every name that appears in a folder, also of what is gone by the end.
  final class CreatedNames {
    private let descriptor: Int32

    /// Begins to note.
    init(in folder: URL) throws {
      descriptor = inotify_init1(Int32(IN_NONBLOCK))
      try #require(inotify_add_watch(descriptor, folder.path, UInt32(IN_CREATE | IN_MOVED_TO)) >= 0)
    }

    deinit { close(descriptor) }

    /// The names since the last call, in their order.
    func next() -> [String] {
      var names: [String] = []
      var buffer = [UInt8](repeating: 0, count: 65_536)
      while case let count = read(descriptor, &buffer, buffer.count), count > 0 {
        let events = buffer[..<count]
        var start = 0
        // An event: four numbers of 32 bits, the last of them the length of the name behind it.
        while start + 16 <= count {
          let length = events[(start + 12)..<(start + 16)].reversed().reduce(0) {
            $0 << 8 | Int($1)
          }
          let name = events[(start + 16)..<(start + 16 + length)].prefix { $0 != 0 }
          names.append(String(decoding: name, as: UTF8.self))
          start += 16 + length
        }
      }
      return names
    }
  }
#endif
