#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Android)
  import Android
#else
  import Darwin
#endif

/// Lets a thread wait for file descriptors, and other threads wake it: a pipe.
final class WakeUp: Sendable {
  /// `nil` if the process has too many open files: nothing can wake the thread then, so it waits for
  /// a second at most.
  private let ends: (output: Int32, input: Int32)?

  init() {
    var ends: [Int32] = [-1, -1]
    guard pipe(&ends) == 0 else {
      self.ends = nil
      return
    }
    for end in ends {
      _ = fcntl(end, F_SETFD, FD_CLOEXEC)
      _ = fcntl(end, F_SETFL, O_NONBLOCK)
    }
    self.ends = (ends[0], ends[1])
  }

  deinit {
    if let ends {
      close(ends.output)
      close(ends.input)
    }
  }

  /// Ends the wait that goes on, or the next one.
  func wake() {
    guard let ends else { return }
    var byte: UInt8 = 0
    // A full pipe wakes as well.
    _ = write(ends.input, &byte, 1)
  }

  /// Waits until a descriptor can be read or ``wake()`` is called.
  ///
  /// `seconds`: The most to wait; `nil` for no limit.
  /// Returns: Whether ``wake()`` was called.
  func wait(for descriptors: [Int32], atMost seconds: Double?) -> Bool {
    let all = (ends.map { [$0.output] } ?? []) + descriptors
    var polled = all.map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
    let seconds = ends == nil ? min(seconds ?? 1, 1) : seconds
    let milliseconds = seconds.map { Int32(clamping: Int(($0 * 1_000).rounded(.up))) }
    _ = poll(&polled, .init(polled.count), milliseconds ?? -1)
    guard let ends, polled[0].revents != 0 else { return false }
    withUnsafeTemporaryAllocation(byteCount: 64, alignment: 1) { bytes in
      while read(ends.output, bytes.baseAddress, bytes.count) > 0 {}
    }
    return true
  }
}
